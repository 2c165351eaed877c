/** What is kept of each release, and what of it is not as it was kept. README.md. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface Release {
  version: string
  /** On main, an ancestor of whatever comes after it. */
  commit: string
  /** The day of the commit, YYYY-MM-DD. */
  date: string
  /** Digests (SHA-256, hex) of what is kept, by path from the root of the repository. */
  files: Record<string, string>
}

export const root: string = join(import.meta.dirname, '../..')
/** Names of files below a release's folder. */
export const kept = {
  openApi: 'openapi.json.gz',
  eventTypes: 'event-types.json.gz',
  /** Every migration, function and schema.txt. */
  sql: 'sql.tar.gz',
} as const

export const folderOf = (version: string): string => join(import.meta.dirname, version)
export const goldenLogOf = (version: string): string => join(root, `test-e2e/golden-logs/${version}.json.gz`)
export const pathOf = (file: string): string => relative(root, file).replaceAll('\\', '/')
export const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Oldest first. */
export function readReleases(): Release[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => JSON.parse(readFileSync(join(folderOf(name), 'release.json'), 'utf8')) as Release)
    .toSorted((a, b) => compareVersions(a.version, b.version))
}

/** @throws Error before the first release. */
export function lastRelease(): Release {
  const last = readReleases().at(-1)
  if (last === undefined) throw new Error('there is no release yet')
  return last
}

/** Of `major.minor.patch`: below, at or above 0. */
export function compareVersions(a: string, b: string): number {
  const [ofA, ofB] = [a, b].map((version) => version.split('.').map(Number))
  return ofA?.map((part, nth) => part - (ofB?.[nth] ?? 0)).find((difference) => difference !== 0) ?? 0
}

export const readKept = (version: string, name: string): string =>
  gunzipSync(readFileSync(join(folderOf(version), name))).toString('utf8')

/** The release's SQL as it stood in the repository, below `folder`. */
export function unpackSql(version: string, folder: string): void {
  execFileSync('tar', ['-xzf', join(folderOf(version), kept.sql), '-C', folder])
}

/** Files below `base` that are no longer what they were, or are there no more. */
export function changesOf({ files }: Release, base: string = root): string[] {
  return Object.entries(files).flatMap(([path, digest]) => {
    const file = join(base, path)
    if (!existsSync(file)) return [`${path} is gone`]
    return digestOf(file) === digest ? [] : [`${path} was changed`]
  })
}

/** What git says; null where it has no such commit, as in a shallow clone. */
export function askGit(...args: string[]): string | null {
  try {
    return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
