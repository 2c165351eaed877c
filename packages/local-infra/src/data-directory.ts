// Decides where the cluster's files are and makes a new cluster. It never touches the data of another major and never
// leaves half a cluster under the final name.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { isAlive } from './process-liveness.ts'
import { fallbackRoot, isReachable, makeParentFolder, type ServerAccount } from './server-account.ts'

const passwordFile = 'wds-admin-password'

/** The folder that the account can reach: the wanted one, else one below /var/lib/wds-local, with a line about it. */
export function placeDataDirectory(
  wanted: string,
  account: ServerAccount | null,
  notice: (line: string) => void,
): string {
  const path = resolve(wanted)
  if (isReachable(path, account)) return path
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  const placed = join(fallbackRoot, hash, 'pg')
  notice(`The database's files are in ${placed}: uid 65534, as which Postgres runs for root, cannot reach ${path}.`)
  return placed
}

/** Makes the cluster if there is none. Throws LocalInfraError for another major, foreign files or an unwritable folder. */
export function ensureCluster(directory: string, binaries: PostgresBinaries, account: ServerAccount | null): void {
  try {
    const versionFile = join(directory, 'PG_VERSION')
    if (existsSync(versionFile)) {
      refuseOtherMajor(directory, readFileSync(versionFile, 'utf8').trim(), binaries)
      handOver(directory, account)
      return
    }
    if (existsSync(directory) && readdirSync(directory).length > 0) {
      throw new LocalInfraError(`${directory} holds files but no Postgres data; give another data folder or empty it.`)
    }
    makeParentFolder(dirname(directory))
    removeUnfinished(directory)
    makeCluster(directory, binaries, account)
  } catch (error) {
    if (error instanceof LocalInfraError) throw error
    throw new LocalInfraError(`The data folder ${directory} cannot be used: ${messageOf(error)}.`, { cause: error })
  }
}

/** Throws LocalInfraError when nothing in the folder looks like Postgres: damaged data keep at least one of these. */
export function refuseForeignFiles(directory: string): void {
  const names = readdirSync(directory)
  if (
    names.length === 0 ||
    ['PG_VERSION', 'base', 'global', 'pg_wal', passwordFile].some((name) => names.includes(name))
  )
    return
  throw new LocalInfraError(`${directory} holds files but no Postgres data, so it is not removed; move it away.`)
}

/** Removes the folder of a server that does not run. Throws LocalInfraError when the files do not let themselves be removed. */
export function removeDataDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
  } catch (error) {
    throw new LocalInfraError(`The data in ${directory} cannot be removed: ${messageOf(error)}.`, { cause: error })
  }
}

/** The admin's password, or null when none was kept yet. */
export function readPassword(directory: string): string | null {
  const path = join(directory, passwordFile)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

/** A new random password, hexadecimal: it needs no quoting in SQL or a URL. */
export function makePassword(): string {
  return randomBytes(24).toString('hex')
}

/** Keeps the password in a file that only the server's account reads. */
export function writePassword(directory: string, password: string, account: ServerAccount | null): void {
  const path = join(directory, passwordFile)
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, `${password}\n`, { mode: 0o600 })
  if (account) chownSync(unfinished, account.uid, account.gid)
  renameSync(unfinished, path)
}

function refuseOtherMajor(directory: string, found: string, binaries: PostgresBinaries): void {
  if (found === binaries.major) return
  throw new LocalInfraError(
    `The data in ${directory} belongs to Postgres ${found} and this is ${binaries.major}: ` +
      'move the folder away to start anew, or export it with the old version; nothing was changed.',
  )
}

function makeCluster(directory: string, binaries: PostgresBinaries, account: ServerAccount | null): void {
  const unfinished = `${directory}.initdb-${process.pid}`
  mkdirSync(unfinished, { mode: 0o700 })
  if (account) chownSync(unfinished, account.uid, account.gid)
  try {
    const encoding = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
    const access = ['-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256']
    const result = spawnSync(binaries.initdb, [...access, ...encoding, '-D', unfinished], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      encoding: 'utf8',
      timeout: 60_000,
      ...account,
    })
    if (result.error) throw result.error
    if (result.status !== 0) {
      const said = result.stderr.trim().split('\n').slice(-3).join(' ')
      throw new LocalInfraError(`initdb ended with ${result.status ?? result.signal}: ${said}`)
    }
    renameSync(unfinished, directory)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster: its cluster is as good.
    if (existsSync(join(directory, 'PG_VERSION'))) return
    throw error
  }
}

/** Data that root copied or restored belong to root; Postgres wants to own them. Anybody else's are left alone. */
function handOver(path: string, account: ServerAccount | null): void {
  if (!account || statSync(path).uid !== 0) return
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(path, name), account.uid, account.gid)
  }
  chownSync(path, account.uid, account.gid)
}

/** Leftovers of processes that were killed while they made a cluster. */
function removeUnfinished(directory: string): void {
  const prefix = `${basename(directory)}.initdb-`
  for (const name of readdirSync(dirname(directory)).filter((entry) => entry.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length))
    if (!isAlive(pid)) rmSync(join(dirname(directory), name), { recursive: true, force: true })
  }
}

/** True when the folder is one that this account or the server's account made and nobody else reads. */
export function isPrivate(path: string, account: ServerAccount | null): boolean {
  const stats = statSync(path)
  return stats.uid === (account?.uid ?? process.getuid?.()) && (stats.mode & 0o077) === 0
}
