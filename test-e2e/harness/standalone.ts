/** Runs the whole product as a person would: the program behind `npm start`, on free ports and a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@wds/local-infra/free-port'

export const root = join(import.meta.dirname, '../..')

export interface Addresses {
  base_url: string
  auth_url: string
  api_key: string
  workspace_id: string
  integration_id: string
  receiver_url: string
}

export interface Standalone {
  /** What `--json` printed. */
  at: Addresses
  /** Settings that a second process needs to reach the same data folder. */
  env: Record<string, string>
  /** Id of the supervisor. */
  pid: number
  /** Milliseconds from the launch to the printed line. */
  startMs: number
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** kill -9 of the supervisor alone. */
  kill(): Promise<void>
}

export interface Place {
  /** Where the stack keeps its data. */
  dataDirectory: string
  env: Record<string, string>
  /** Arguments of every start. */
  args: string[]
  remove(): void
}

/** A data folder and ports that nothing else uses. `kafka`: the log is on a broker of this stack, else in its Postgres. */
export async function makePlace(env: Record<string, string> = {}, o: { kafka?: boolean } = {}): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'wds e2e '))
  chmodSync(home, 0o711)
  // Jest's workers start side by side: each looks in a range of its own.
  const from = 22_000 + (Number(process.env.JEST_WORKER_ID ?? '1') % 8) * 1_000
  const router = await freePort({ from, to: from + 900 })
  const receiver = await freePort({ from: router + 1, to: from + 950 })
  return {
    dataDirectory: o.kafka ? join(home, 'kafka') : home,
    args: o.kafka ? ['--kafka'] : [],
    env: {
      WDS_DATA_DIR: home,
      // A broker of its own, also where tests share one.
      KAFKA_BROKERS: '',
      WDS_PORT: String(router),
      WDS_RECEIVER_PORT: String(receiver),
      WDS_SERVICE_PORTS_FROM: String(receiver + 1),
      ...env,
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
  })
}

/** Runs the start program to its end, for starts that must fail. */
export async function startAndFail(
  place: Place,
  args: string[] = [],
): Promise<{ code: number | null; stderr: string }> {
  const child = launch(place, ['--json', ...args])
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  return { code: await exitOf(child), stderr }
}

/** What a start wrote on standard error, without the lines that tell what it was doing. */
export function reasons(stderr: string): string[] {
  const lines = stderr.trim().split('\n')
  return lines.filter((line) => !line.startsWith('starting'))
}

/** The program behind `npm start`. Its output is for the caller to read. */
export function launch(place: Place, args: string[]): ChildProcess {
  return spawn(process.execPath, [join(root, 'deploy/standalone/src/main.ts'), ...place.args, ...args], {
    env: { ...process.env, ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** @throws Error with the program's standard error when it ends instead. */
export async function startStandalone(place: Place, args: string[] = []): Promise<Standalone> {
  const launched = performance.now()
  const child = launch(place, ['--json', ...args])
  let stdout = ''
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      stdout += String(chunk)
      if (stdout.includes('\n')) resolve(stdout.split('\n', 1)[0] as string)
    })
    child.once('exit', (code) => reject(new Error(`the start ended with code ${code}: ${stderr}`)))
  })
  return {
    at: JSON.parse(line) as Addresses,
    env: place.env,
    pid: child.pid as number,
    startMs: performance.now() - launched,
    stop: () => {
      child.kill('SIGTERM')
      return exitOf(child)
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exitOf(child)
    },
  }
}

/** Asks until `probe` gives a value. @throws Error with the last state after `withinMs`. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false>,
  withinMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  let last: unknown
  for (;;) {
    try {
      const value = await probe()
      if (value !== null && value !== undefined && value !== false) return value
      last = value
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what} (last: ${String(last)})`)
    await sleep(25)
  }
}
