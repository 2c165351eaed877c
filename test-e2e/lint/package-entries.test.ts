/**
 * The entries of packages: each is there for another package, since dead code behind one that nobody imports is not found, and the table in
 * a README, the one place that says what may be imported, leaves none out and names none that is gone.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const entryHead = '\n| entry '

/** The names in the first cells of the table, or null for a README without one. */
function entriesTold(readme: string): string[] | null {
  const start = readme.indexOf(entryHead)
  if (start === -1) return null
  const [table = ''] = readme.slice(start + 1).split('\n\n', 1)
  const firstCells = table.split('\n').map((line) => line.split('|')[1] ?? '')
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string))
}

const packages = globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
  const { exports = {} } = JSON.parse(read(path)) as { exports?: Record<string, unknown> }
  const told = entriesTold(read(join(dirname(path), 'README.md')))
  return told === null ? [] : [{ name: dirname(path), told, entries: Object.keys(exports).map((key) => key.slice(2)) }]
})

/** Packed for others by `build-package.ts`. */
const isPublished = (folder: string) => existsSync(join(root, folder, 'src/build-package.ts'))

const sources = globSync('{services,packages,deploy,test-e2e}/**/*.{ts,tsx,js,mjs,astro}', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).map((path) => ({ path, text: read(path) }))

const withEntries = globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
  const { name, exports = {} } = JSON.parse(read(path)) as { name: string; exports?: Record<string, unknown> }
  const folder = dirname(path)
  return isPublished(folder) ? [] : [{ name, folder, entries: Object.keys(exports).map((key) => key.slice(2)) }]
})

test.each(withEntries)('each entry of $name is imported by another package', ({ name, folder, entries }) => {
  const others = sources.filter(({ path }) => !path.startsWith(`${folder}/`))
  const isImported = (entry: string) => others.some(({ text }) => text.includes(`'${name}/${entry}'`))
  expect(entries.filter((entry) => !isImported(entry))).toEqual([])
})

test('packages with a table of entries are found', () => {
  expect(packages.length).toBeGreaterThan(8)
})

test.each(packages)('the README of $name tells of each entry, and of no other', ({ told, entries }) => {
  expect(told.toSorted()).toEqual(entries.toSorted())
})
