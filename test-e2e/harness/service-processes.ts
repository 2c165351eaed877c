/**
 * The services of a stack as processes of their own, each started from its `src/main.ts` by its environment alone, as an orchestrator would:
 * any of them several times, in any role.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ServiceName } from '@wds/provision/provision'
import { createPortPairs, type PortPair } from './port-pairs.ts'
import { exitOf, root } from './standalone.ts'

export interface ProcessOptions {
  role?: 'all' | 'http' | 'worker'
  /** Name of its log file; default the service's. */
  name?: string
  env?: Record<string, string>
  /** Options of Node, before the program. */
  nodeArgs?: string[]
  /** Root of the sources that are run; default: of these. */
  sources?: string
}

export interface ServiceProcess {
  service: ServiceName
  pid: number
  /** `http://127.0.0.1:port` of its public listener. */
  url: string
  /** Of its probes. */
  managementUrl: string
  /** Everything that it wrote. */
  output(): string
  /** Settles with the exit code; null after a signal. */
  exited: Promise<number | null>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** kill -9. */
  kill(): Promise<void>
}

export interface ServiceProcesses {
  /** Resolves when the process says that it is ready. @throws Error with its output when it ends instead. */
  start(service: ServiceName, o?: ProcessOptions): Promise<ServiceProcess>
  /** Runs the program to its end: a command, or without arguments a start that must fail. `output`: all that it wrote. */
  run(
    service: ServiceName,
    args: string[],
    env?: Record<string, string>,
  ): Promise<{ code: number | null; output: string }>
  /** SIGTERM to all that run; resolves once they have ended. */
  stopAll(): Promise<unknown>
}

/** `folder`: of their logs. `environmentOf`: what each service gets besides its ports and its role. */
export function createServiceProcesses(o: {
  folder: string
  nextPort(): Promise<number>
  environmentOf(service: ServiceName): Record<string, string>
}): ServiceProcesses {
  const pairs = createPortPairs(o.nextPort)
  const running = new Set<ChildProcess>()
  return {
    async start(service, p = {}) {
      const ports = await pairs.take(service)
      const logFile = join(o.folder, `${p.name ?? service}.log`)
      const env = { ...o.environmentOf(service), ...ownEnvironment(ports, p) }
      const child = launch(service, { env, logFile, args: [quietNode, ...(p.nodeArgs ?? [])], sources: p.sources })
      running.add(child)
      const exited = exitOf(child)
      void exited.then(() => {
        running.delete(child)
        pairs.giveBack(service, ports)
      })
      const started = toServiceProcess(service, { child, ports, exited, logFile })
      const first = await Promise.race([isReady(child), exited])
      if (first !== 'ready') throw new Error(`${service} ended with code ${first}: ${started.output()}`)
      return started
    },
    run: (service, args, env = {}) => runToEnd(service, args, { ...o.environmentOf(service), ...env }),
    stopAll: () => Promise.all([...running].map((child) => end(child, 'SIGTERM'))),
  }
}

function ownEnvironment([port, managementPort]: PortPair, { role = 'all', env }: ProcessOptions) {
  return { WDS_HTTP_PORT: String(port), WDS_MANAGEMENT_PORT: String(managementPort), WDS_ROLE: role, ...env }
}

function toServiceProcess(
  service: ServiceName,
  o: { child: ChildProcess; ports: PortPair; exited: Promise<number | null>; logFile: string },
): ServiceProcess {
  const { child, exited } = o
  const [port, managementPort] = o.ports
  return {
    service,
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    managementUrl: `http://127.0.0.1:${managementPort}`,
    output: () => readFileSync(o.logFile, 'utf8'),
    exited,
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
  }
}

const isReady = (child: ChildProcess) =>
  new Promise<'ready'>((resolve) => {
    child.on('message', (message: { type?: string }) => message.type === 'ready' && resolve('ready'))
  })

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const exited = exitOf(child)
  child.kill(signal)
  return exited
}

function launch(
  service: ServiceName,
  o: { env: Record<string, string>; logFile: string; args: string[]; sources?: string | undefined },
): ChildProcess {
  const log = openSync(o.logFile, 'a', 0o600)
  const child = spawn(process.execPath, [...o.args, join(o.sources ?? root, 'services', service, 'src/main.ts')], {
    env: o.env,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  return child
}

const quietNode = '--disable-warning=ExperimentalWarning'

/** A program that does not end by itself is killed; its code is null then. */
const runMs = 300_000

async function runToEnd(service: ServiceName, args: string[], env: Record<string, string>) {
  const program = join(root, 'services', service, 'src/main.ts')
  const child = spawn(process.execPath, [quietNode, program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runMs,
    killSignal: 'SIGKILL',
  })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
  return { code, output: out + err }
}
