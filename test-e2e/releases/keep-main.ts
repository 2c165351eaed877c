/** Keeps what is released: `npm run release -- <version> <folder of recorded events>`, on the commit that is released. README.md. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { catalogEntries } from '../../services/catalog/src/event-types/domain/catalog-entry.ts'
import {
  compareVersions,
  digestOf,
  folderOf,
  goldenLogOf,
  kept,
  pathOf,
  type Release,
  readReleases,
  root,
} from './releases.ts'

const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Why this cannot be released; null: it can. */
function refusal(version: string): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is no version`
  if (git('status', '--porcelain') !== '') return 'commit first: what is kept is that of a commit'
  if (existsSync(folderOf(version))) return `${version} is released`
  const last = readReleases().at(-1)?.version
  if (last !== undefined && compareVersions(version, last) <= 0) return `${version} does not come after ${last}`
  if ((JSON.parse(read('package.json')) as { version: string }).version !== version)
    return `the packages do not have version ${version}`
  if (!read('CHANGELOG.md').includes(`\n## [${version}] - `)) return `CHANGELOG.md says nothing of ${version}`
  return null
}

function keep(version: string, events: string): Release {
  const commit = git('rev-parse', 'HEAD')
  const folder = folderOf(version)
  const recorder = join(root, 'test-e2e/golden-logs/record-main.ts')
  execFileSync(process.execPath, [recorder, events, version], { stdio: 'inherit' })
  mkdirSync(folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), gzipSync(text, { level: 9 }))
  write(kept.openApi, read('services/api/openapi.generated.json'))
  write(kept.eventTypes, JSON.stringify(catalogEntries))
  const sql = [':(glob)services/*/src/migrations/**', ':(glob)packages/*/src/*migrations/**']
  git('archive', '--format=tar.gz', `--output=${join(folder, kept.sql)}`, commit, '--', ...sql)
  const files = [goldenLogOf(version), ...Object.values(kept).map((name) => join(folder, name))]
  return {
    version,
    commit,
    date: git('show', '-s', '--format=%cs', commit),
    files: Object.fromEntries(files.map((file) => [pathOf(file), digestOf(file)])),
  }
}

const [version, events, ...others] = process.argv.slice(2)
if (version === undefined || events === undefined || others.length > 0) {
  process.stderr.write('usage: npm run release -- <version> <folder of recorded events>\n')
  process.exitCode = 2
} else {
  const reason = refusal(version)
  if (reason === null) {
    const release = keep(version, events)
    writeFileSync(join(folderOf(version), 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
    process.stdout.write(`${version} is kept. Commit it, then: git tag v${version} ${release.commit}\n`)
  } else {
    process.stderr.write(`${reason}\n`)
    process.exitCode = 1
  }
}
