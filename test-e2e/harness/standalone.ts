/** Runs the whole product as a person would: the program behind `npm start`, on free ports and a data folder of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeTestPorts } from '@wds/local-infra/test-ports'

export const root = join(import.meta.dirname, '../..')

export interface Addresses {
  base_url: string
  auth_url: string
  api_key: string
  workspace_id: string
  integration_id: string
  receiver_url: string
  /** Of the sample workspace; only the standalone has one. */
  owner_email?: string
  owner_password?: string
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
  /** Keeps the data as they are now; nothing may run on them. */
  save(): void
  /** Begins again with what was saved. */
  restore(): void
  remove(): void
}

/** A data folder and ports that nothing else uses. `kafka`: the log is on a broker of this stack, else in its Postgres. */
export async function makePlace(env: Record<string, string> = {}, o: { kafka?: boolean } = {}): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'wds e2e '))
  chmodSync(home, 0o711)
  const { next, release } = await takeTestPorts()
  // Services last: they take what follows.
  const [router, receiver, postgres, kafka, _controller, sampleApp, source, services] = await Promise.all(
    Array.from({ length: 8 }, next),
  )
  return {
    dataDirectory: o.kafka ? join(home, 'kafka') : home,
    args: o.kafka ? ['--kafka'] : [],
    env: {
      WDS_DATA_DIR: home,
      // A broker of its own, also where tests share one.
      KAFKA_BROKERS: '',
      WDS_PORT: String(router),
      WDS_RECEIVER_PORT: String(receiver),
      WDS_SAMPLE_APP_PORT: String(sampleApp),
      WDS_SOURCE_PORT: String(source),
      // What suites look at they make themselves.
      WDS_SAMPLE_DATA: 'small',
      // Nor do they read the documentation, but for the suite that builds it.
      WDS_DOCS_BUILD: 'false',
      // What is started again after a crash must find its port free.
      WDS_POSTGRES_PORT: String(postgres),
      WDS_KAFKA_PORT: String(kafka),
      WDS_SERVICE_PORTS_FROM: String(services),
      ...env,
    },
    save: () => copy(home, `${home} saved`),
    restore: () => copy(`${home} saved`, home),
    remove: () => {
      for (const folder of [home, `${home} saved`]) rmSync(folder, { recursive: true, force: true })
      release()
    },
  }
}

/** With owners and rights, on which Postgres insists. */
function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', from, to])
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
  withinMs = 120_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  let last: unknown
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 1.5, 200)) {
    try {
      const value = await probe()
      if (value !== null && value !== undefined && value !== false) return value
      last = value
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what} (last: ${String(last)})`)
    await sleep(pauseMs)
  }
}
