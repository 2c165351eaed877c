// Builds something once for each state of its sources. Each state has a folder of its own, so that a build under way disturbs neither a
// server that reads nor another build. What stands under the final name is always whole.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestOfSources } from './digest-of-sources.ts'

export interface Build {
  repository: string
  /** What the result is made from: globs below the repository. Tests among them do not count. */
  sources: readonly string[]
  /** Holds a folder for each state of the sources. Nothing else writes there. */
  dist: string
  /** How many states are kept, for those who go back and forth; those that were asked for last. */
  keptMax: number
  /** Makes the result. `work`: an empty folder, removed afterwards. Resolves with what holds the result: `work`, or a folder in it. */
  make(work: string): Promise<string>
  /** How long one who builds may be silent before another builds in its place, ms. Default 60,000: twelve times as long as it is between two signs. */
  abandonedMs?: number
}

/** `dist` is of another user, where root built before; or of a file system that is full, or only read. */
class NotWritable extends Error {}

const digest = /^[0-9a-f]{16}$/
const lockOf = (folder: string) => `${folder}.building`
const defaultAbandonedMs = 60_000
const lookMs = 100

/** The folder of the sources as they are now, be it there or not. */
export function folderOf({ repository, sources, dist }: Pick<Build, 'repository' | 'sources' | 'dist'>): string {
  return join(dist, digestOfSources(repository, sources))
}

/** The folder of the sources as they are now, built unless it is there. One process builds it, the others wait for it. Rejects as `make` does. */
export async function buildOnce(o: Build): Promise<string> {
  const folder = folderOf(o)
  const abandonedMs = o.abandonedMs ?? defaultAbandonedMs
  if (!existsSync(folder) && (await becomeBuilder(folder, abandonedMs))) {
    try {
      await build(folder, { make: o.make, signMs: abandonedMs / 12 })
    } finally {
      rmSync(lockOf(folder), { recursive: true, force: true })
    }
    removeOld(o.dist, { keptMax: o.keptMax, abandonedMs })
  }
  touch(folder)
  return folder
}

/** As a program: prints the folder, or why there is none, and ends with 1 then. */
export async function printBuilt(o: Build): Promise<void> {
  try {
    console.log(await buildOnce(o))
  } catch (error) {
    // What is wrong with a folder needs no stack.
    console.error(error instanceof NotWritable ? error.message : error)
    // Whatever a bundler has left open.
    process.exit(1)
  }
}

/** True when this process is the one to build; false once another one has built. Throws where `dist` cannot be written. */
async function becomeBuilder(folder: string, abandonedMs: number): Promise<boolean> {
  const lock = lockOf(folder)
  while (!existsSync(folder)) {
    if (makeLock(lock)) {
      // Whoever built it gave it its name before the lock came free.
      if (!existsSync(folder)) return true
      rmSync(lock, { recursive: true, force: true })
    } else {
      if (ageMs(lock) > abandonedMs) removeAbandoned(lock)
      await sleep(lookMs)
    }
  }
  return false
}

/** False where another process has it. */
function makeLock(lock: string): boolean {
  try {
    // Anew each time: somebody who cleans up may remove all of it while one waits.
    mkdirSync(dirname(lock), { recursive: true })
    mkdirSync(lock)
    return true
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && path === lock) return false
    throw notWritable(lock, error)
  }
}

function removeAbandoned(lock: string): void {
  try {
    rmSync(lock, { recursive: true, force: true })
  } catch (error) {
    throw notWritable(lock, error)
  }
}

function notWritable(lock: string, cause: unknown): NotWritable {
  const { message } = cause as Error
  return new NotWritable(`cannot build: ${dirname(lock)} must be a folder that this user may write to (${message})`, {
    cause,
  })
}

/**
 * The lock only saves work: one whose machine slept is taken for gone, and goes on beside the one that took its place. So each works in
 * a folder of its own, and the first that is whole counts.
 */
async function build(folder: string, { make, signMs }: { make: Build['make']; signMs: number }): Promise<void> {
  const lock = lockOf(folder)
  const work = mkdtempSync(`${folder}.work-`)
  const sign = setInterval(() => [lock, work].forEach(touch), signMs)
  try {
    const made = await make(work)
    if (!existsSync(folder)) renameSync(made, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    clearInterval(sign)
    rmSync(work, { recursive: true, force: true })
  }
}

/** States that nobody asked for lately, and what builders left that were killed. */
function removeOld(dist: string, { keptMax, abandonedMs }: { keptMax: number; abandonedMs: number }): void {
  const all = readdirSync(dist).map((name) => ({ name, path: join(dist, name), ms: ageMs(join(dist, name)) }))
  const states = all.filter(({ name }) => digest.test(name)).sort((one, other) => one.ms - other.ms)
  const left = all.filter(
    ({ name, ms }) => digest.test(name.split('.', 1)[0] ?? '') && name.includes('.') && ms > abandonedMs,
  )
  for (const { path } of [...states.slice(keptMax), ...left]) rmSync(path, { recursive: true, force: true })
}

/** Since it was made or touched; 0 when it is not there. */
function ageMs(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}

function touch(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // Another process has removed it.
  }
}
