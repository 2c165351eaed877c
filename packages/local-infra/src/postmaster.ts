// Starts, finds and ends one Postgres process. It never decides to start it again: the supervisor does.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isPrivate } from './data-directory.ts'
import { freePort, isPortFree } from './free-port.ts'
import { LocalInfraError } from './local-infra-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { isAlive, signalProcess, waitUntil, workingFolderOf } from './process-liveness.ts'
import type { ServerAccount } from './server-account.ts'
import { type Exit, exitOf, pollExit } from './server-exit.ts'
import { lastFatalLine, logFolder, logSettings, startLog } from './server-log.ts'

/** A Postgres that answers. */
export interface Postmaster {
  pid: number
  port: number
  socketFolder: string
  exit: Promise<Exit>
}

/** What a start needs. */
export interface LaunchOptions {
  directory: string
  binaries: PostgresBinaries
  account: ServerAccount | null
  port: number
  portDemanded: boolean
  settings: Record<string, string>
}

// A dead postmaster and its shared memory stay visible for 1 to 2 s (stack.md 3.6).
const lockRetryMs = 5_000
const readyMs = 10_000
const silentMs = 2_000
// While it replays its log after a crash Postgres answers that it starts up; that may take longer than a start.
const recoveryMs = 120_000
/** A stop waits so long before it takes the next harder way; above a shutdown that writes out everything. */
export const stopStepMs = 10_000

/** Starts Postgres on the port, or on the next free one unless the port is demanded. Throws LocalInfraError. */
export async function launch(options: LaunchOptions): Promise<Postmaster> {
  const lockDeadline = performance.now() + lockRetryMs
  let from = options.port
  for (;;) {
    const port = options.portDemanded ? options.port : await freePort({ from })
    if (options.portDemanded && !(await isPortFree(port))) {
      throw new LocalInfraError(`Port ${port} is taken by another program; stop it or choose another port.`)
    }
    const started = spawnPostmaster(options, port)
    if (await isReady(started, readyMs)) return started
    await endPostmaster(started)
    const reason = lastFatalLine(options.directory) ?? 'it gave no reason'
    if (/lock file .* already exists|shared memory block .* still in use/.test(reason)) {
      if (performance.now() > lockDeadline) {
        throw new LocalInfraError(`Another Postgres still holds ${options.directory}: ${reason}.`)
      }
      await sleep(100)
    } else if (/could not create any TCP\/IP sockets/.test(reason) && !options.portDemanded) {
      from = port + 1
    } else {
      throw new LocalInfraError(`Postgres did not start with the data in ${options.directory}: ${reason}.`)
    }
  }
}

/** The Postgres that a former, killed parent left running on this data, or null. */
export async function findRunning(directory: string): Promise<Postmaster | null> {
  const found = readPidFile(directory)
  if (!found?.port || !found.socketFolder) return null
  return (await isReady(found, silentMs)) && (await servesDirectory(found, directory)) ? found : null
}

/** The same, also when it does not answer any more: on Linux a postmaster is known by the folder that it stands in. */
export async function findLeftOver(directory: string): Promise<Postmaster | null> {
  const found = readPidFile(directory)
  if (found && workingFolderOf(found.pid) === realpathSync(directory)) return found
  return findRunning(directory)
}

/** The living process that postmaster.pid names; it may be another program, since process ids are given out again. */
function readPidFile(directory: string): Postmaster | null {
  const path = join(directory, 'postmaster.pid')
  if (!existsSync(path)) return null
  const [pidText, , , portText, socketFolder] = readFileSync(path, 'utf8').split('\n')
  const pid = Number(pidText)
  if (!isAlive(pid)) return null
  return { pid, port: Number(portText), socketFolder: socketFolder ?? '', exit: pollExit(pid) }
}

/** Ends Postgres: fast, after 10 s immediately; the write-ahead log makes that safe. Harmless when it is gone. */
export async function endPostmaster(postmaster: Postmaster, stepMs: number = stopStepMs): Promise<void> {
  const { pid } = postmaster
  if (!isAlive(pid)) return
  const gone = () => !isAlive(pid)
  signalProcess(pid, 'SIGINT')
  if (await waitUntil(gone, stepMs)) return
  signalProcess(pid, 'SIGQUIT')
  if (await waitUntil(gone, stepMs)) return
  signalProcess(pid, 'SIGKILL')
  await waitUntil(gone, stepMs)
}

/** Ends it as a power cut does, for a test: nobody gets to say a word. Its backends notice by themselves that it is gone, and end. */
export async function killPostmaster({ pid }: Postmaster): Promise<void> {
  signalProcess(pid, 'SIGKILL')
  await waitUntil(() => !isAlive(pid), stopStepMs)
}

/** Runs one statement as admin over the socket, where no password is asked. */
export async function queryOverSocket<R extends pg.QueryResultRow>(
  server: { socketFolder: string; port: number },
  sql: string,
): Promise<R[]> {
  const client = new pg.Client({
    host: server.socketFolder,
    port: server.port,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

function spawnPostmaster(options: LaunchOptions, port: number): Postmaster {
  const { directory, account } = options
  const socketFolder = makeSocketFolder(directory, account)
  const folder = join(directory, logFolder)
  makePrivateFolder(folder, account)
  const output = openSync(join(folder, startLog), 'w', 0o600)
  const settings = Object.entries({ ...baseSettings(port, socketFolder), ...options.settings })
  // A process group of its own: Ctrl-C in the terminal must not end the database under services that still drain.
  const child = spawn(
    options.binaries.postgres,
    ['-D', directory, ...settings.flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', output, output],
      detached: true,
      ...account,
    },
  )
  closeSync(output)
  return { pid: child.pid ?? 0, port, socketFolder, exit: exitOf(child) }
}

function baseSettings(port: number, socketFolder: string): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    // With `trust` on the socket every local user would be superuser.
    unix_socket_permissions: '0700',
    shared_buffers: '128MB',
    // Queues and lanes are rewritten hundreds of times a second: with the default of a minute a look reads as many dead rows.
    autovacuum_naptime: '5s',
    max_wal_size: '1GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...logSettings,
  }
}

/** A private folder for the socket whose path stays under 100 bytes: longer ones do not fit a socket's address. */
function makeSocketFolder(directory: string, account: ServerAccount | null): string {
  const inside = join(directory, 'socket')
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 12)
  const folder = Buffer.byteLength(inside) + '/.s.PGSQL.32767'.length < 100 ? inside : join(tmpdir(), `wds-${hash}`)
  makePrivateFolder(folder, account)
  // A copy of the data may have lost the mode; the data folder around it is private, so nobody else came in.
  if (folder === inside) chmodSync(folder, 0o700)
  if (!isPrivate(folder, account)) {
    throw new LocalInfraError(`The folder ${folder} for the database's socket belongs to somebody else; remove it.`)
  }
  return folder
}

function makePrivateFolder(path: string, account: ServerAccount | null): void {
  if (existsSync(path)) return
  mkdirSync(path, { mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
}

/** True once `select 1` is answered; false when the process ended, or kept silent for so long. */
async function isReady(started: Postmaster, patienceMs: number): Promise<boolean> {
  let ended = started.pid === 0
  started.exit.then(() => {
    ended = true
  }, undefined)
  const begin = performance.now()
  let recovering = false
  let ready = false
  await waitUntil(async () => {
    if (ended) return true
    try {
      await queryOverSocket(started, 'select 1')
      ready = true
    } catch (error) {
      recovering = error instanceof pg.DatabaseError && error.code === '57P03'
    }
    return ready || (!recovering && performance.now() - begin > patienceMs)
  }, recoveryMs)
  return ready
}

async function servesDirectory(found: { socketFolder: string; port: number }, directory: string): Promise<boolean> {
  try {
    const [row] = await queryOverSocket<{ data_directory: string }>(found, 'show data_directory')
    return row !== undefined && realpathSync(row.data_directory) === realpathSync(directory)
  } catch {
    return false
  }
}
