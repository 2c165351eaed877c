// Licences and hashes of what is in the images, by what is installed; the documents that pnpm writes of them are judged by night.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { load } from 'js-yaml'
import { imageServices } from '../../deploy/docker/image-services.ts'
import { exempt, licencesBelow, permissive } from './licences.ts'

const root = join(import.meta.dirname, '../..')
const services = join(root, 'services')
const parts = [
  ...imageServices(root).map((name) => [name, 'dependencies'] as const),
  // Its pages are bundled from them.
  ['console', 'devDependencies'] as const,
]

test.each(parts)(
  'the licences of %s, %s, ask for no more than their notices, but for those with a reason',
  (name, kind) => {
    const all = [...licencesBelow(join(services, name), kind)]
    expect(all.length).toBeGreaterThan(40)
    const others = all.filter(([, licence]) => !permissive.includes(licence))
    expect(others.filter(([one]) => !(one.slice(0, one.lastIndexOf('@')) in exempt))).toEqual([])
    if (kind === 'devDependencies') expect(all.map(([one]) => one)).toContainEqual(expect.stringMatching(/^react-dom@/))
  },
)

test('each package that is installed has its hash', () => {
  const lock = load(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as {
    packages: Record<string, { resolution: { integrity?: string } }>
  }
  const all = Object.entries(lock.packages)
  expect(all.length).toBeGreaterThan(1_000)
  expect(all.filter(([, one]) => !one.resolution.integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([])
})

test('a licence is found wherever it hides: below another package, of a peer that nobody names, as an object, as a list, or not at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds-licences-'))
  const place = (at: string, manifest: object) => {
    mkdirSync(join(folder, at), { recursive: true })
    writeFileSync(join(folder, at, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }))
  }
  try {
    place('.', { name: 'service', dependencies: { one: '1', absent: '1' }, devDependencies: { bare: '1' } })
    place('node_modules/one', { name: 'one', license: 'MIT', dependencies: { '@a/two': '1' } })
    place('node_modules/@a/two', { name: '@a/two', license: { type: 'GPL-3.0' }, optionalDependencies: { three: '1' } })
    place('node_modules/three', {
      name: 'three',
      licenses: [{ type: 'MIT' }, { type: 'X' }],
      dependencies: { one: '1' },
      peerDependencies: { four: '1', absent: '1' },
    })
    place('node_modules/four', { name: 'four', license: 'AGPL-3.0' })
    place('node_modules/bare', { name: 'bare' })
    expect(Object.fromEntries(licencesBelow(folder, 'dependencies'))).toEqual({
      'one@1.0.0': 'MIT',
      '@a/two@1.0.0': 'GPL-3.0',
      'three@1.0.0': 'MIT AND X',
      'four@1.0.0': 'AGPL-3.0',
    })
    expect(Object.fromEntries(licencesBelow(folder, 'devDependencies'))).toEqual({ 'bare@1.0.0': 'none named' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
