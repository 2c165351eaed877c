/** What is kept of each release. README.md. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

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

/** Of `major.minor.patch`: below, at or above 0. */
export function compareVersions(a: string, b: string): number {
  const [ofA, ofB] = [a, b].map((version) => version.split('.').map(Number))
  return ofA?.map((part, nth) => part - (ofB?.[nth] ?? 0)).find((difference) => difference !== 0) ?? 0
}
