// Every direct dependency of an image has its reason (security.md 6), and none is missing.
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { directDependencies, reasonFaults } from './dependencies-page.ts'

const root = new URL('../../../../', import.meta.url)
const found = directDependencies(root)
const names = found.map(({ name }) => name)

test('regression: what is left of a service of another branch, its installed packages, is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds-services-'))
  try {
    for (const made of ['services/here', 'services/gone/node_modules'])
      mkdirSync(join(folder, made), { recursive: true })
    writeFileSync(join(folder, 'services/here/package.json'), '{"name": "@wds/here"}')
    expect(directDependencies(pathToFileURL(`${folder}/`))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('each dependency of an image has a reason, and each reason is of one', () => {
  expect(reasonFaults(found)).toEqual([])
})

test('a dependency without a reason is named, and so is a reason that nothing needs any more', () => {
  const reason = { why: 'It is there.', keeper: 'Somebody.' }
  const [first, second] = found as [(typeof found)[0], (typeof found)[0]]
  const given = { [first.name]: reason, gone: reason }
  expect(reasonFaults([first, second], given)).toEqual([`${second.name} has no reason`, 'gone is in no image'])
})

test('none is missing: whatever the services and the packages they consist of name is in the list, and nothing that only tests use', () => {
  const folder = fileURLToPath(root)
  const manifests = globSync('{services,packages}/*/package.json', { cwd: folder }).map((path) =>
    JSON.parse(readFileSync(`${folder}${path}`, 'utf8')),
  )
  const ofImages = new Set(readdirSync(`${folder}services`).map((name) => `@wds/${name}`))
  // A set takes what is added while it is walked.
  for (const name of ofImages)
    for (const needed of Object.keys(manifests.find((one) => one.name === name)?.dependencies ?? {}))
      if (needed.startsWith('@wds/')) ofImages.add(needed)
  const wanted = manifests
    .filter(({ name }) => ofImages.has(name))
    .flatMap(({ dependencies = {} }) => Object.keys(dependencies))
    .filter((name) => !name.startsWith('@wds/'))
  expect(wanted.length).toBeGreaterThan(30)
  expect(names).toEqual(expect.arrayContaining([...new Set(wanted)]))
  // Bundled into the pages; what bundles them is not.
  expect(names).toEqual(expect.arrayContaining(['react', '@mantine/core']))
  for (const tool of ['vite', 'jest', 'typescript', '@testcontainers/kafka']) expect(names).not.toContain(tool)
})

test('versions are exact, licences are named, and a package weighs something', () => {
  for (const { name, version, license, bytes, by } of found) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+/)])
    expect([name, license, by.length > 0, bytes > 0]).toEqual([name, expect.not.stringMatching(/^none/), true, true])
  }
})
