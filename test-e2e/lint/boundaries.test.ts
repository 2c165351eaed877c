/** Plants one fault for each rule of the house into a scratch copy of its layout, and sees the linter name it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/.bin/biome')

/** path in the scratch copy → source, and the rule that must fire on it; null: the linter must be silent. */
const planted: Record<string, { source: string; rule: string | null }> = {
  'services/delivery/src/store/imports-a-service.ts': {
    source: "import { x } from '@wds/api/store'\nexport const y = x\n",
    rule: 'lint/style/noRestrictedImports',
  },
  'services/delivery/src/store/reaches-into-a-service.ts': {
    source: "import { x } from '../../../api/src/store/x.ts'\nexport const y = x\n",
    rule: 'lint/style/noRestrictedImports',
  },
  'services/delivery/src/domain/imports-pg.ts': {
    source: "import pg from 'pg'\nexport const y = pg\n",
    rule: 'lint/style/noRestrictedImports',
  },
  'services/delivery/src/domain/imports-a-room.ts': {
    source: "import { x } from '../store/x.ts'\nexport const y = x\n",
    rule: 'lint/style/noRestrictedImports',
  },
  'services/delivery/src/domain/reads-the-clock.ts': {
    source: 'export const now = () => Date.now()\n',
    rule: 'lint/style/noRestrictedGlobals',
  },
  'services/delivery/src/domain/is-pure.ts': {
    source: "import { isId } from '@wds/contracts/ids'\nexport const known = (id: string) => isId('evt', id)\n",
    rule: null,
  },
  'packages/cycle/src/first.ts': {
    source: "import { second } from './second.ts'\nexport const first = (): number => second()\n",
    rule: 'lint/suspicious/noImportCycles',
  },
  'packages/cycle/src/second.ts': {
    source: "import { first } from './first.ts'\nexport const second = (): number => first()\n",
    rule: 'lint/suspicious/noImportCycles',
  },
  'packages/cycle/src/type-a.ts': {
    source: "import type { B } from './type-b.ts'\nexport interface A {\n  b: B | null\n}\n",
    rule: 'lint/suspicious/noImportCycles',
  },
  'packages/cycle/src/type-b.ts': {
    source: "import type { A } from './type-a.ts'\nexport interface B {\n  a: A | null\n}\n",
    rule: 'lint/suspicious/noImportCycles',
  },
  'packages/floating/src/floating.ts': {
    source: 'const work = async (): Promise<void> => {}\nexport const start = () => {\n  work()\n}\n',
    rule: 'lint/nursery/noFloatingPromises',
  },
  'packages/barrel/src/barrel.ts': { source: "export * from './x.ts'\n", rule: 'lint/performance/noReExportAll' },
  'packages/default/src/default.ts': { source: 'export default 1\n', rule: 'lint/style/noDefaultExport' },
}

let scratch = ''
let diagnostics: { category: string; path: string }[] = []

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'wds-lint-'))
  copyFileSync(join(root, 'biome.json'), join(scratch, 'biome.json'))
  const manifest = JSON.stringify({ name: 'x', dependencies: { pg: '1', '@wds/api': '1', '@wds/contracts': '1' } })
  for (const name of ['delivery', 'api']) {
    mkdirSync(join(scratch, `services/${name}`), { recursive: true })
    writeFileSync(join(scratch, `services/${name}/package.json`), manifest)
  }
  for (const [path, { source }] of Object.entries(planted)) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true })
    writeFileSync(join(scratch, path), source)
  }
  execFileSync('git', ['init', '-q'], { cwd: scratch })
  writeFileSync(join(scratch, '.gitignore'), 'node_modules\n')
  const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '--max-diagnostics=none'], {
    cwd: scratch,
    encoding: 'utf8',
  })
  const report = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[]
  }
  diagnostics = report.diagnostics.map(({ category, location }) => ({
    category,
    path: typeof location.path === 'string' ? location.path : location.path.file,
  }))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test.each(Object.entries(planted).filter(([, { rule }]) => rule !== null))(
  'the linter refuses %s',
  (path, { rule }) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.path.endsWith(path)).map(({ category }) => category)
    expect(found).toContain(rule)
  },
)

test('the linter is silent about a pure domain file', () => {
  expect(diagnostics.filter(({ path }) => path.endsWith('domain/is-pure.ts'))).toEqual([])
})
