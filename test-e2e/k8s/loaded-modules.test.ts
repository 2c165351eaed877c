// What of our packages goes into an image: modules that something names on the way from its entry point.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { unloadedModules } from '../../deploy/docker/loaded-modules.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wds-modules-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function place(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
const manifest = (name: string, faces: string[]) =>
  JSON.stringify({
    name,
    exports: Object.fromEntries(faces.map((face) => [`./${face}`, { compiled: `./dist/${face}.js` }])),
  })

test('what is imported, loaded later or started by its address stays; what nothing names from the entry points is told', () => {
  place({
    'service/package.json': manifest('@wds/service', []),
    'service/dist/main.js':
      "import './a.js'\nawait import('./later/b.js')\nnew Worker(new URL('./thread.js', import.meta.url))",
    'service/dist/a.js': "import { log } from '@wds/log/log'",
    'service/dist/later/b.js': "import '../a.js'",
    'service/dist/thread.js': '',
    'service/dist/alone.js': "import './a.js'\nimport '@wds/log/conformance'",
    'log/package.json': manifest('@wds/log', ['log', 'conformance', 'preload']),
    'log/dist/log.js': "import './codec.js'",
    'log/dist/codec.js': "import './log.js'",
    'log/dist/preload.js': "import './only-of-preload.js'",
    'log/dist/only-of-preload.js': '',
    'log/dist/conformance.js': "import './suite/harness.js'",
    'log/dist/suite/harness.js': "import './harness.js'",
  })
  const folders = ['service', 'log'].map((name) => join(root, name))
  const begins = [join(root, 'service/dist/main.js'), '@wds/log/preload']
  expect(
    unloadedModules(folders, begins)
      .map((path) => relative(root, path))
      .sort(),
  ).toEqual(['log/dist/conformance.js', 'log/dist/suite/harness.js', 'service/dist/alone.js'])
})

test('a package that is there twice, for two sets of peers, is loaded in both places', () => {
  place({
    'service/package.json': manifest('@wds/service', []),
    'service/dist/main.js': "import '@wds/log/log'",
    'one/package.json': manifest('@wds/log', ['log']),
    'one/dist/log.js': '',
    'two/package.json': manifest('@wds/log', ['log']),
    'two/dist/log.js': '',
  })
  const folders = ['service', 'one', 'two'].map((name) => join(root, name))
  expect(unloadedModules(folders, [join(root, 'service/dist/main.js')])).toEqual([])
})
