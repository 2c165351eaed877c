/** Plants one fault for each rule of the house into a scratch copy of its layout, and sees the linter name it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/.bin/biome')

const plugins = ['no-clock.grit', 'no-spread-literal.grit', 'no-timed-test.grit', 'one-engine.grit']
const restricted = 'lint/style/noRestrictedImports'
const importing = (...paths: string[]) =>
  paths.map((path, index) => `import { x as x${index} } from '${path}'\nexport const y${index} = x${index}\n`).join('')

/** path in the scratch copy → source, and the rule that must fire on it; null: the linter must be silent. */
const planted: Record<string, { source: string; rule: string | null }> = {
  'services/delivery/src/imports-a-service.ts': { source: importing('@wds/api/store'), rule: restricted },
  'services/delivery/src/imports-a-service.test.ts': { source: importing('@wds/api'), rule: restricted },
  'services/delivery/src/reaches-into-a-service.ts': {
    source: importing('../../../api/src/stats/store.ts'),
    rule: restricted,
  },
  'services/delivery/src/imports-main.ts': { source: importing('./main.ts'), rule: restricted },
  'services/delivery/src/subscriptions/imports-a-service.ts': { source: importing('@wds/api/x'), rule: restricted },
  'services/delivery/src/subscriptions/imports-main.ts': { source: importing('../main.ts'), rule: restricted },
  'services/delivery/src/subscriptions/imports-config.ts': { source: importing('../config.ts'), rule: restricted },
  'services/delivery/src/subscriptions/imports-routes.ts': { source: importing('./routes.ts'), rule: restricted },
  'services/delivery/src/subscriptions/imports-another-loop.ts': {
    source: importing('../sending/loop.ts'),
    rule: restricted,
  },
  'services/delivery/src/subscriptions/keeps-directions.ts': {
    source: importing('../metrics.ts', '../openapi.generated.ts', '../sending/store.ts', './loop.ts'),
    rule: null,
  },
  'services/delivery/src/sending/store-imports-a-service.ts': { source: importing('@wds/api/x'), rule: restricted },
  'services/delivery/src/sending/store-imports-main.ts': { source: importing('../main.ts'), rule: restricted },
  'services/delivery/src/sending/store-imports-a-loop.ts': { source: importing('./loop.ts'), rule: restricted },
  'services/delivery/src/sending/store-imports-routes.ts': { source: importing('../days/routes.ts'), rule: restricted },
  'services/delivery/src/sending/store-imports-a-file.ts': { source: importing('../days/days.ts'), rule: restricted },
  'services/delivery/src/sending/store-keeps-directions.ts': {
    source: importing('../metrics.ts', '../days/store-log.ts', './store.ts', './ports.ts', '../days/domain/day.ts'),
    rule: null,
  },
  'services/delivery/src/subscriptions/domain/imports-a-service.ts': {
    source: importing('@wds/api/x'),
    rule: restricted,
  },
  'services/delivery/src/subscriptions/domain/imports-pg.ts': { source: importing('pg'), rule: restricted },
  'services/delivery/src/subscriptions/domain/imports-http.ts': {
    source: importing('@wds/http-service/problem'),
    rule: restricted,
  },
  'services/delivery/src/subscriptions/domain/imports-its-store.ts': {
    source: importing('../store.ts'),
    rule: restricted,
  },
  'services/delivery/src/subscriptions/domain/imports-another-store.ts': {
    source: importing('../../deliveries/store.ts'),
    rule: restricted,
  },
  'services/delivery/src/subscriptions/domain/imports-metrics.ts': {
    source: importing('../../metrics.ts'),
    rule: restricted,
  },
  'packages/api-client/src/imports-node.ts': { source: importing('node:crypto'), rule: restricted },
  'packages/api-client/src/imports-a-package.ts': { source: importing('@wds/contracts/ids'), rule: restricted },
  'packages/api-client/src/reads-the-process.ts': {
    source: 'export const key = process.env.WDS_TOKEN\n',
    rule: 'lint/style/noRestrictedGlobals',
  },
  'packages/api-client/src/keeps-to-itself.ts': { source: importing('./problem.ts'), rule: null },
  'services/auth/src/oauth/consent/imports-the-engine.ts': { source: importing('oidc-provider'), rule: 'plugin' },
  'services/auth/src/sessions/imports-a-file-of-the-engine.ts': {
    source: importing('oidc-provider/lib/provider.js'),
    rule: 'plugin',
  },
  'services/auth/src/oauth/engine/is-the-engine.ts': {
    source: importing('./configuration.ts', '../grants/store.ts'),
    rule: null,
  },
  'services/auth/src/oauth/grants/domain/reads-the-clock.ts': {
    source: 'export const now = () => Date.now()\n',
    rule: 'plugin',
  },
  'services/delivery/src/subscriptions/domain/reads-the-clock.ts': {
    source: 'export const now = () => Date.now()\n',
    rule: 'plugin',
  },
  'services/delivery/src/subscriptions/domain/makes-a-date-of-now.ts': {
    source: 'export const now = () => new Date().getTime()\n',
    rule: 'plugin',
  },
  'services/delivery/src/subscriptions/domain/writes-now.ts': {
    source: 'export const now = () => Date()\n',
    rule: 'plugin',
  },
  'services/delivery/src/subscriptions/domain/renames-the-clock.ts': {
    source: 'const { now } = Date\nexport const atMs = () => now()\n',
    rule: 'plugin',
  },
  'services/delivery/src/subscriptions/domain/is-pure.ts': {
    source: `${importing('@wds/contracts/ids', '@wds/decider/decider', '../../deliveries/domain/b.ts', './a.ts')}export const days = (ms: number) => [new Date(ms).toISOString(), Date.UTC(2026, 0, 1), Date.parse('2026-01-01')]\n`,
    rule: null,
  },
  'packages/timed/src/bounds-a-time.test.ts': {
    source: 'const startMs = performance.now()\nexpect(performance.now() - startMs).toBeLessThan(50)\n',
    rule: 'plugin',
  },
  'packages/timed/src/bounds-cpu-time.test.ts': {
    source: 'expect(process.threadCpuUsage().user).toBeLessThanOrEqual(150)\n',
    rule: 'plugin',
  },
  'packages/timed/src/has-a-limit.test.ts': { source: "test('x', () => {}, 30_000)\n", rule: 'plugin' },
  'packages/timed/src/prepares-in-time.test.ts': { source: 'beforeAll(() => {}, 30_000)\n', rule: 'plugin' },
  'packages/timed/src/sets-a-limit.test.ts': { source: 'jest.setTimeout(60_000)\n', rule: 'plugin' },
  'packages/timed/src/has-a-longer-limit.test.ts': { source: "test('x', () => {}, 900_000)\n", rule: null },
  'packages/timed/src/orders.test.ts': {
    source: "test('x', () => {\n  expect(1).toBeLessThan(performance.now())\n})\n",
    rule: null,
  },
  'packages/spread/src/spreads-a-literal.ts': {
    source: 'export const a = { ...{ b: 1 }, c: 2 }\n',
    rule: 'plugin',
  },
  'packages/spread/src/spreads-a-long-literal.test.ts': {
    source: 'export const a = {\n  ...({\n    b: 1,\n  }),\n}\n',
    rule: 'plugin',
  },
  'services/delivery/src/subscriptions/domain/spreads-a-literal.ts': {
    source: 'export const a = { ...{ b: 1 }, c: 2 }\n',
    rule: 'plugin',
  },
  'services/console/src/pages/stats/spreads-properties.tsx': {
    source: 'export const A = ({ b }: { b: string }) => <i {...{ title: b }} />\n',
    rule: 'plugin',
  },
  'packages/spread/src/spreads-a-literal-on-a-condition.ts': {
    source: 'export const a = (b: object, c?: number) => ({ ...b, ...(c === undefined ? {} : { c }) })\n',
    rule: 'plugin',
  },
  'packages/spread/src/spreads-a-literal-by-and.ts': {
    source: 'export const a = (b: object, c?: number) => ({ ...b, ...(c && { c }) })\n',
    rule: 'plugin',
  },
  'packages/spread/src/spreads-a-literal-as-const.test.ts': {
    source: 'export const a = (c: number) => ({ c, ...(c > 0 ? ({ b: 1 } as const) : { b: 2 }) })\n',
    rule: 'plugin',
  },
  'packages/spread/src/spreads-a-literal-in-the-end.ts': {
    source: 'export const a = (b: object | null, c: number) => ({ c, ...(b ?? (c > 0 ? b : { d: c })) })\n',
    rule: 'plugin',
  },
  'services/console/src/pages/stats/spreads-a-property-on-a-condition.tsx': {
    source: 'export const A = ({ b }: { b?: string }) => <i {...(b === undefined ? {} : { title: b })} />\n',
    rule: 'plugin',
  },
  'packages/spread/src/spreads-what-has-a-type.ts': {
    source: 'export const a = (b: object, c: object | null) => ({ ...b, ...(c === null ? {} : c), ...(c ?? {}) })\n',
    rule: null,
  },
  'packages/spread/src/spreads-lists.ts': {
    source: 'export const a = (b: object[], c?: number) => [...b, ...(c === undefined ? [] : [{ c }])]\n',
    rule: null,
  },
  'packages/spread/src/spreads-an-answer.ts': {
    source:
      'export const a = (f: (b: object) => object, c: number) => ({ c, ...f({ c }), ...(f({ d: c }) ?? null) })\n',
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
  for (const name of ['biome.json', ...plugins]) copyFileSync(join(root, name), join(scratch, name))
  const manifest = JSON.stringify({
    name: 'x',
    dependencies: { pg: '1', '@wds/api': '1', '@wds/contracts': '1', '@wds/decider': '1' },
  })
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

test.each(Object.keys(planted).filter((path) => planted[path]?.rule === null))(
  'the linter is silent about %s',
  (path) => {
    expect(diagnostics.filter((diagnostic) => diagnostic.path.endsWith(path))).toEqual([])
  },
)
