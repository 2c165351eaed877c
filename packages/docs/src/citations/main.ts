// Proves that each citation, and what pages point at within the repository, is there. Prints the faults and exits 1 when there are any.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeCitations, readDesigns } from './judge-citations.ts'
import { judgeLinks, judgeMap } from './judge-links.ts'

const root = new URL('../../../../', import.meta.url)
const designFolder = 'packages/docs/design/'
const decisionFolder = 'packages/docs/decisions/'
/** Dependencies, data and tools' own folders; `.github` is ours. */
const skipped = /^(?:node_modules|dist|coverage|\.(?!github$).+)$/
/** Tests of this check and of the site plant faults; the lockfile is written by a program. */
const exempt = /^packages\/docs\/src\/(?:citations|site)\/.*\.test\.ts$|^pnpm-lock\.yaml$/

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const paths = ['{*,**/*}.{md,ts,tsx,mjs,js,sql,yaml,yml,sh}', '.github/**/*.md']
  .flatMap((pattern) =>
    globSync(pattern, { cwd: fileURLToPath(root), exclude: (path) => skipped.test(basename(path)) }),
  )
  .map((path) => path.split(sep).join('/'))
const files = new Map([...new Set(paths)].filter((path) => !exempt.test(path)).map((path) => [path, read(path)]))

const pages = [...files].filter(([path]) => path.endsWith('.md'))
const decisions = pages.flatMap(
  ([path]) => /^packages\/docs\/decisions\/(\d{4})-/.exec(path)?.slice(1).map(Number) ?? [],
)
const doubled = decisions.filter((number, place) => decisions.indexOf(number) !== place)
const { designs, faults } = readDesigns(
  new Map(pages.filter(([path]) => path.startsWith(designFolder)).map(([path, text]) => [basename(path), text])),
  {
    decisions: new Set(decisions),
    otherNames: new Set(pages.map(([path]) => basename(path))),
  },
)
const scripts = new Set(Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts))
const repository = { exists: (path: string) => existsSync(new URL(path, root)), read, scripts }

const cited = [...files].map(([path, text]) =>
  judgeCitations(path, text, designs, path.startsWith(designFolder) ? basename(path) : null),
)
const linked = pages.map(([path, text]) =>
  judgeLinks(path, text, repository, !path.startsWith(designFolder) && !path.startsWith(decisionFolder)),
)
const manifests = globSync('{packages,services,deploy}/*/package.json', { cwd: fileURLToPath(root) })
const mapped = judgeMap(
  read('README.md'),
  manifests.map((path) => path.split(sep).slice(0, 2).join('/')),
)
const total = (judged: readonly { count: number }[]): number => judged.reduce((sum, { count }) => sum + count, 0)

const all = [
  ...faults,
  ...doubled.map((number) => `two decision records have the number ${number}`),
  ...[...cited, ...linked, mapped].flatMap((judged) => judged.faults),
]
for (const fault of all) console.error(fault)
console.log(
  `${total(cited)} citations in ${files.size} files, ${total(linked)} links, commands and paths in ${pages.length} pages`,
)
process.exitCode = all.length === 0 ? 0 : 1
