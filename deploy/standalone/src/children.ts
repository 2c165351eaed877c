/** The supervised programs by their names: started together, stopped together, and one of them exchanged for another configuration of itself. */
import { type Child, type ChildOptions, startChild } from './child.ts'
import type { Program } from './services.ts'

export interface Children {
  /** Settles once the program said that it is ready. @throws StartError when it ends or stays silent. */
  start(program: Program): Promise<void>
  /** Stops the program of that name and starts this one. */
  replace(program: Program): Promise<void>
  stopAll(): Promise<void>
}

export interface ChildrenOptions extends Pick<ChildOptions, 'onExit'> {
  logFile(name: string): string
  onReady(name: string): void
  readyWithinMs: number
  drainMs: number
}

export function createChildren(o: ChildrenOptions): Children {
  const children = new Map<string, Child>()
  let stopped = false
  const start = (program: Program) => {
    const child = startChild({ ...program, logFile: o.logFile(program.name), onExit: o.onExit })
    children.set(program.name, child)
    return child.whenReady(o.readyWithinMs).then(() => o.onReady(program.name))
  }
  return {
    start,
    async replace(program) {
      await children.get(program.name)?.stop(o.drainMs)
      // What is started once all have been stopped would live on.
      if (!stopped) await start(program)
    },
    async stopAll() {
      stopped = true
      await Promise.all([...children.values()].map((child) => child.stop(o.drainMs)))
    },
  }
}
