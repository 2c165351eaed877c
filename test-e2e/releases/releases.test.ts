/** What is kept of a release stays as it is, and the changelog and the versions tell of the same releases. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  askGit,
  changesOf,
  compareVersions,
  digestOf,
  folderOf,
  kept,
  lastRelease,
  pathOf,
  type Release,
  readKept,
  readReleases,
  root,
  unpackSql,
} from './releases.ts'

const releases = readReleases()
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-releases-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

/** A folder with the SQL of the release. */
function unpacked(version: string): string {
  const to = join(folder, version)
  if (!existsSync(to)) {
    mkdirSync(to)
    unpackSql(version, to)
  }
  return to
}

describe.each(releases)('$version', (release) => {
  const { version, commit, date, files } = release

  test('what is kept of it is as it was kept, and nothing was added', () => {
    expect(changesOf(release)).toEqual([])
    const below = filesBelow(folderOf(version)).map(pathOf)
    const listed = Object.keys(files).filter((path) => dirname(path) === pathOf(folderOf(version)))
    expect(below.toSorted()).toEqual([...listed, `${pathOf(folderOf(version))}/release.json`].toSorted())
    expect(files).toHaveProperty([`test-e2e/golden-logs/${version}.json.gz`])
  })

  test('no migration that it had was edited, renamed or removed', () => {
    const then = unpacked(version)
    const migrations = filesBelow(then).filter((file) => /\/\d{4}-[^/]+\.sql$/.test(file))
    expect(migrations.length).toBeGreaterThan(50)
    const planned = Object.fromEntries(
      migrations.map((file) => [file.slice(then.length + 1).replaceAll('\\', '/'), digestOf(file)]),
    )
    expect(changesOf({ ...release, files: planned })).toEqual([])
  })

  test('the changelog tells of it, on the day of its commit', () => {
    expect(changelog).toContain(`\n## [${version}] - ${date}\n`)
  })

  const isHere = askGit('cat-file', '-e', commit) !== null
  const inHistory = isHere ? test : test.skip
  inHistory(
    `its commit ${commit.slice(0, 10)} is in the history of this one, and has what is kept (needs the history)`,
    () => {
      expect(askGit('merge-base', '--is-ancestor', commit, 'HEAD')).not.toBeNull()
      const openApi = askGit('show', `${commit}:services/api/openapi.generated.json`)
      expect(readKept(version, kept.openApi).trim()).toBe(openApi)
    },
  )
})

test('no migration since the last release breaks its processes, which run beside the new ones', () => {
  const then = unpacked(lastRelease().version)
  const since = globSync('{services,packages}/*/src/*migrations/*.sql', { cwd: root }).filter(
    (path) => !existsSync(join(then, path)),
  )
  // packages/docs/how-to/add-a-migration.md says how it is done without.
  expect(since.filter((path) => !readFileSync(join(root, path), 'utf8').startsWith('-- breaking: no\n'))).toEqual([])
})

test('a kept file that is edited or taken away is named', () => {
  const [first] = releases as [Release]
  const paths = Object.keys(first.files)
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true })
  expect(changesOf(first, folder)).toEqual([])
  appendFileSync(join(folder, paths[0] as string), '\n')
  rmSync(join(folder, paths[1] as string))
  expect(changesOf(first, folder)).toEqual([`${paths[0]} was changed`, `${paths[1]} is gone`])
})

test('all packages have one version, that of the last release or of the next one', () => {
  const versionOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version
  const groups = ['packages', 'services', 'deploy']
  const manifests = groups.flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name, 'package.json')),
  )
  // A folder without a manifest is no package; one that cannot be read as JSON fails here.
  const found = [...manifests.filter((file) => existsSync(file)), join(root, 'test-e2e/package.json')].map((file) => [
    pathOf(file),
    versionOf(file),
  ])
  const own = versionOf(join(root, 'package.json')) as string
  expect(found.length).toBeGreaterThan(20)
  expect(found.filter(([, version]) => version !== own)).toEqual([])
  expect(compareVersions(own, lastRelease().version)).toBeGreaterThanOrEqual(0)
  for (const path of ['k8s/base/kustomization.yaml', 'deploy/docker/Dockerfile'])
    expect(readFileSync(join(root, path), 'utf8')).toMatch(new RegExp(`version: ${own}|VERSION=${own}`, 'i'))
})

test('the changelog has its releases newest first, below what is not released', () => {
  const headings = [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name as string)
  expect(headings[0]).toBe('Unreleased')
  const versions = headings.slice(1)
  expect(versions).toEqual(versions.toSorted((a, b) => compareVersions(b, a)))
  expect(releases.filter(({ version }) => !versions.includes(version))).toEqual([])
})
