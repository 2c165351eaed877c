// Supervises the local Postgres: adopts one that outlived its parent, starts it again after a crash, stops it last.
// It never touches the data of another major and never leaves a process behind when a start fails.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureCluster, makePassword, placeDataDirectory, readPassword, writePassword } from './data-directory.ts'
import { LocalInfraError as LocalInfraFault, messageOf } from './local-infra-error.ts'
import { findPostgres } from './postgres-binaries.ts'
import {
  type Exit,
  endPostmaster,
  findRunning,
  type LaunchOptions,
  launch,
  type Postmaster,
  queryOverSocket,
} from './postmaster.ts'
import { identityOf, isAlive } from './process-liveness.ts'
import { type ServerAccount, serverAccount } from './server-account.ts'
import { lastLogLines } from './server-log.ts'

/** A start that failed: one sentence for the terminal. */
export const LocalInfraError: typeof LocalInfraFault = LocalInfraFault
export type LocalInfraError = LocalInfraFault

/** What a listener hears when Postgres ended by itself. */
export interface PostgresCrash {
  code: number | null
  signal: string | null
  /** The last 50 lines of its log. */
  lastLines: string[]
  /** False after the third crash within a minute: then it stays down. */
  restarting: boolean
}

/** A running Postgres. */
export interface PostgresServer {
  /** Of the superuser, on 127.0.0.1, with password. */
  adminUrl: string
  port: number
  /** True when it was left running by a parent that was killed. */
  adopted: boolean
  /** Where its files are; another folder than asked for when uid 65534 cannot reach that one. */
  dataDirectory: string
  /** Ends it within 10 s; safe to call twice and after a crash. */
  stop(): Promise<void>
  /** Calls `fn` at every crash, before the restart. */
  onCrash(fn: (crash: PostgresCrash) => void): void
}

/** Options of {@link startPostgres}. */
export interface PostgresOptions {
  dataDirectory: string
  /** 15432 unless told. */
  port?: number
  /** True: this port or an error. False: the next free one below 32768 will do. */
  portDemanded?: boolean
  /** Further settings of Postgres, which win over the supervisor's. */
  settings?: Record<string, string>
  /** Hears one line when data or programs had to go elsewhere; stderr unless told. */
  onNotice?: (line: string) => void
}

const defaultPort = 15_432
const crashesMax = 3
const crashWindowMs = 60_000
const backoffMs = 250
const supervisorFile = 'wds-supervisor'

/** Starts Postgres on the data, or adopts the one that runs on it; makes the data at the first start. stack.md 3. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const notice = options.onNotice ?? ((line: string) => void process.stderr.write(`local-infra: ${line}\n`))
  const account = serverAccount()
  const binaries = findPostgres(account, notice)
  const directory = placeDataDirectory(options.dataDirectory, account, notice)
  ensureCluster(directory, binaries, account)
  claimSupervision(directory)
  const launchOptions: LaunchOptions = {
    directory,
    binaries,
    account,
    port: options.port ?? defaultPort,
    portDemanded: options.portDemanded ?? false,
    settings: options.settings ?? {},
  }
  try {
    const adopted = await adopt(launchOptions)
    const running = adopted ?? (await launch(launchOptions))
    const password = await ensurePassword(running, directory, account)
    return new Supervisor(launchOptions, running, { adopted: adopted !== null, password })
  } catch (error) {
    releaseSupervision(directory)
    if (error instanceof LocalInfraFault) throw error
    throw new LocalInfraFault(`Postgres did not start with the data in ${directory}: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

class Supervisor implements PostgresServer {
  readonly adminUrl: string
  readonly port: number
  readonly adopted: boolean
  readonly dataDirectory: string
  readonly #options: LaunchOptions
  readonly #listeners: ((crash: PostgresCrash) => void)[] = []
  #running: Postmaster
  #crashes: number[] = []
  #restarting: Promise<void> | null = null
  #stopping: Promise<void> | null = null

  constructor(options: LaunchOptions, running: Postmaster, o: { adopted: boolean; password: string }) {
    this.#running = running
    this.port = running.port
    this.adopted = o.adopted
    this.dataDirectory = options.directory
    this.adminUrl = `postgres://postgres:${o.password}@127.0.0.1:${running.port}/postgres`
    // Clients know the address: a restart takes the same port or fails.
    this.#options = { ...options, port: running.port, portDemanded: true }
    this.#watch()
  }

  onCrash(fn: (crash: PostgresCrash) => void): void {
    this.#listeners.push(fn)
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    // A restart under way sees that we stop and ends soon; what it started is ended below.
    await this.#restarting
    await endPostmaster(this.#running)
    releaseSupervision(this.dataDirectory)
  }

  #watch(): void {
    this.#running.exit.then(
      (exit) => this.#onExit(exit),
      () => undefined,
    )
  }

  #onExit(exit: Exit): void {
    if (this.#stopping) return
    const now = performance.now()
    this.#crashes = [...this.#crashes.filter((at) => now - at < crashWindowMs), now]
    const restarting = this.#crashes.length < crashesMax
    const lastLines = lastLogLines(this.dataDirectory)
    for (const listener of this.#listeners) listener({ code: exit.code, signal: exit.signal, lastLines, restarting })
    if (restarting) this.#restarting = this.#restart()
  }

  async #restart(): Promise<void> {
    await sleep(backoffMs * 2 ** (this.#crashes.length - 1))
    if (this.#stopping) return
    try {
      this.#running = await launch(this.#options)
      this.#watch()
    } catch {
      // The log says why; a start that fails counts as a crash of its own.
      this.#onExit({ code: null, signal: null })
    }
  }
}

/** Takes over what runs on the data; on another port than the demanded one it is ended instead. */
async function adopt(options: LaunchOptions): Promise<Postmaster | null> {
  const found = await findRunning(options.directory)
  if (!found) return null
  if (!options.portDemanded || found.port === options.port) return found
  await endPostmaster(found)
  return null
}

/** The password is set over the socket and kept in a file; a start that was cut off in between sets a new one. */
async function ensurePassword(running: Postmaster, directory: string, account: ServerAccount | null): Promise<string> {
  const kept = readPassword(directory)
  if (kept) return kept
  const password = makePassword()
  try {
    // Not logged, whatever the server is set to log.
    await queryOverSocket(running, `set log_statement = 'none'; alter role postgres password '${password}'`)
    writePassword(directory, password, account)
  } catch (error) {
    await endPostmaster(running)
    throw error
  }
  return password
}

/** Two supervisors of one server would stop it under each other. */
function claimSupervision(directory: string): void {
  const path = join(directory, supervisorFile)
  const other = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  const pid = Number(other.split(' ', 1)[0])
  if (pid > 0 && pid !== process.pid && isAlive(pid) && identityOf(pid) === other) {
    throw new LocalInfraFault(`Process ${pid} already runs the Postgres of ${directory}; stop that process first.`)
  }
  try {
    writeFileSync(path, `${identityOf(process.pid)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new LocalInfraFault(`The data folder ${directory} cannot be used: ${messageOf(error)}.`, { cause: error })
  }
}

function releaseSupervision(directory: string): void {
  rmSync(join(directory, supervisorFile), { force: true })
}
