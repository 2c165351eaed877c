// Supervises the local Postgres: adopts one that outlived its parent, starts it again after a crash, stops it last.
// It never touches the data of another major and never leaves a process behind when a start fails.
import { existsSync } from 'node:fs'
import {
  ensureCluster,
  makePassword,
  placeDataDirectory,
  readPassword,
  refuseForeignFiles,
  removeDataDirectory,
  writePassword,
} from './data-directory.ts'
import { LocalInfraError as LocalInfraFault, messageOf } from './local-infra-error.ts'
import { findPostgres } from './postgres-binaries.ts'
import {
  endPostmaster,
  findLeftOver,
  findRunning,
  killPostmaster,
  type LaunchOptions,
  launch,
  type Postmaster,
  queryOverSocket,
} from './postmaster.ts'
import { type ServerAccount, serverAccount } from './server-account.ts'
import { lastLogLines } from './server-log.ts'
import { claimSupervision, releaseSupervision, type ServerCrash, Supervision } from './supervision.ts'

/** A start that failed: one sentence for the terminal. */
export const LocalInfraError: typeof LocalInfraFault = LocalInfraFault
export type LocalInfraError = LocalInfraFault

/** What a listener hears when Postgres ended by itself. */
export type PostgresCrash = ServerCrash

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
  /** Ends it by SIGKILL and leaves it down: for tests of bad days. `startPostgres` on the same data brings it back. */
  kill(): Promise<void>
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

/** Starts Postgres on the data, or adopts the one that runs on it; makes the data at the first start. stack.md 3. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const notice = options.onNotice ?? ((line: string) => void process.stderr.write(`local-infra: ${line}\n`))
  const account = serverAccount()
  const binaries = findPostgres(account, notice)
  const directory = placeDataDirectory(options.dataDirectory, account, notice)
  ensureCluster(directory, binaries, account)
  claimSupervision(directory, 'Postgres')
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
    return new LocalPostgres(launchOptions, running, { adopted: adopted !== null, password })
  } catch (error) {
    releaseSupervision(directory)
    if (error instanceof LocalInfraFault) throw error
    throw new LocalInfraFault(`Postgres did not start with the data in ${directory}: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/**
 * Removes the database's files in whatever state they are, and ends first what a killed parent left running on them. It
 * starts nothing, so damaged data and those of another major go as well. Nothing happens when there are none.
 * @throws LocalInfraError when a living supervisor runs on them, when they are not Postgres's, or cannot be removed.
 */
export async function removePostgres(dataDirectory: string, o: { stopStepMs?: number } = {}): Promise<void> {
  const directory = placeDataDirectory(dataDirectory, serverAccount(), () => undefined)
  if (!existsSync(directory)) return
  refuseForeignFiles(directory)
  claimSupervision(directory, 'Postgres')
  const running = await findLeftOver(directory)
  if (running) await endPostmaster(running, o.stopStepMs)
  removeDataDirectory(directory)
}

class LocalPostgres implements PostgresServer {
  readonly adminUrl: string
  readonly port: number
  readonly adopted: boolean
  readonly dataDirectory: string
  readonly #listeners: ((crash: PostgresCrash) => void)[] = []
  readonly #supervision: Supervision<Postmaster>
  #end: (postmaster: Postmaster) => Promise<void> = endPostmaster

  constructor(options: LaunchOptions, running: Postmaster, o: { adopted: boolean; password: string }) {
    this.port = running.port
    this.adopted = o.adopted
    this.dataDirectory = options.directory
    this.adminUrl = `postgres://postgres:${o.password}@127.0.0.1:${running.port}/postgres`
    const server = {
      // Clients know the address: a restart takes the same port or fails.
      launch: () => launch({ ...options, port: running.port, portDemanded: true }),
      end: async (postmaster: Postmaster) => {
        await this.#end(postmaster)
        releaseSupervision(options.directory)
      },
      lastLines: () => lastLogLines(options.directory),
    }
    this.#supervision = new Supervision(server, running, (crash) => {
      for (const listener of this.#listeners) listener(crash)
    })
  }

  onCrash(fn: (crash: PostgresCrash) => void): void {
    this.#listeners.push(fn)
  }

  stop(): Promise<void> {
    return this.#supervision.stop()
  }

  kill(): Promise<void> {
    this.#end = killPostmaster
    return this.#supervision.stop()
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
