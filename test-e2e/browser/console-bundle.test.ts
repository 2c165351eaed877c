// What browsers load (ui.md 7): within the budget, and nothing that is for developers only.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from '@jest/globals'
import { root } from '../harness/standalone.ts'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
  isEntry?: boolean
}

let folder = ''
let manifest: Record<string, Chunk>

beforeAll(() => {
  const program = join(root, 'services/console/src/build.ts')
  folder = execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim()
  manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
})

const kib = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0) / 1_024

/** The script files that a chunk needs at once. */
function scriptsOf(name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name] as Chunk
  found.add(chunk.file)
  for (const other of chunk.imports ?? []) if (!found.has(manifest[other]?.file ?? '')) scriptsOf(other, found)
  return found
}

test('U18: the cold load of any page is at most 230 KiB of script and 30 KiB of style, its own part at most 20 KiB', () => {
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) as string
  const first = scriptsOf(entry)
  const pages = manifest[entry]?.dynamicImports ?? []
  expect(pages.length).toBeGreaterThan(0)
  for (const page of pages) {
    const all = scriptsOf(page)
    const sizes = {
      page,
      own: kib([(manifest[page] as Chunk).file]) <= 20,
      cold: kib(new Set([...first, ...all])) <= 230,
    }
    expect(sizes).toEqual({ page, own: true, cold: true })
  }
  expect(kib(Object.values(manifest).flatMap(({ css = [] }) => css))).toBeLessThanOrEqual(30)
})

test('U18: no source map and no test route is in what is served', () => {
  expect(globSync('**/*.map', { cwd: folder })).toEqual([])
  for (const file of globSync('assets/*.js', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect([file, /sourceMappingURL|jsxDEV/.test(text)]).toEqual([file, false])
  }
})
