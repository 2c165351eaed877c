/** `wds listen --json` as a process: its lines as they come, and its end by Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually, exitOf, root } from '../harness/standalone.ts'

/** A line of it: `listening`, `event`, `disconnected`, `reconnected`, `ended`. */
export interface Line {
  line: string
  secret?: string
  event?: { id: string; type: string; data: { name?: string } }
  forwarded?: { status: number | null; error: string | null } | null
  events?: number
  failed?: number
}

export interface Listening {
  lines: Line[]
  /** Resolves with the first line that holds. */
  line(what: string, holds: (line: Line) => boolean): Promise<Line>
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null>
  /** Ends it whatever it does. */
  kill(): void
}

export function startListening(env: NodeJS.ProcessEnv, ...words: string[]): Listening {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(root, 'packages/cli/src/main.ts'), 'listen', '--json', ...words],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines: Line[] = []
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as Line))
  return {
    lines,
    line: (what, holds) => eventually(what, async () => lines.find(holds)),
    interrupt: () => {
      child.kill('SIGINT')
      return exitOf(child)
    },
    kill: () => child.kill('SIGKILL'),
  }
}
