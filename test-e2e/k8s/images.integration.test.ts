// Of the nightly run: the images without an engine. What the folder of auth's holds, that it starts as a user who can write nothing in it,
// and which licences are in all of them. The folders of the others: images-of-services.integration.test.ts.
import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isOurs, licenseOf, packageOf, writeSbom } from '../../deploy/docker/sbom.ts'
import { eventually } from '../harness/standalone.ts'
import { type Images, openImages, strangersIn } from './image-folder.ts'
import { exempt, permissive } from './licences.ts'

type Document = Parameters<typeof writeSbom>[0]
const sboms = new Map<Document, ReturnType<typeof writeSbom>>()
/** Written once: pnpm takes seconds. */
function sbomOf(name: Document): ReturnType<typeof writeSbom> {
  const known = sboms.get(name)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'wds-sbom-'))
  const components = writeSbom(name, folder)
  rmSync(folder, { recursive: true })
  sboms.set(name, components)
  return components
}

describe('the folder of an image', () => {
  let images: Images
  beforeAll(async () => {
    images = await openImages()
  })
  afterAll(() => images?.close())

  test('auth: migrates, gets ready, serves and stops with 0, and holds no source, no test and nothing of others', async () => {
    const cwd = await images.assemble('auth')
    const left = globSync('{dist,node_modules/.pnpm/@wds+*/node_modules/@wds/*}/**/*.{ts,tsx}', { cwd })
    expect(left).toEqual([])
    // regression: conformance suites, fixtures and the services that tests are written against were in it.
    expect(strangersIn(cwd)).toEqual([])
    // regression: BSD and MIT ask that their text goes along; some write it as Markdown, which was taken out.
    expect(globSync('node_modules/.pnpm/qs@*/node_modules/qs/LICENSE.md', { cwd })).toHaveLength(1)
    expect(globSync('**/playwright*', { cwd })).toEqual([])
    const bytes = globSync('**/*', { cwd, withFileTypes: true }).filter((file) => file.isFile())
    const size = bytes.reduce((all, file) => all + statSync(join(file.parentPath, file.name)).size, 0)
    expect(size).toBeLessThan(80 * 1_048_576)

    const named = new Set(sbomOf('auth').map(packageOf))
    const present = globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd })
      .map((path) => join(cwd, path))
      // The others are links to what lies beside its own dependencies.
      .filter((path) => !lstatSync(dirname(path)).isSymbolicLink())
      .map((path) => JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string })
    expect(present.length).toBeGreaterThan(100)
    expect(present.map(({ name, version }) => `${name}@${version}`).filter((one) => !named.has(one))).toEqual([])

    expect(await images.migrate('auth', cwd)).toMatch(/migrations applied\n$/)
    const started = await images.start('auth', cwd)
    await eventually('auth to be ready', started.ready)
    expect(await started.status('/sign-in')).toBe(200)
    expect(await started.stop()).toEqual([0, null])
  })

  test('console: hands out its pages from its own folder', async () => {
    const cwd = await images.assemble('console')
    expect(strangersIn(cwd)).toEqual([])
    const started = await images.startConsole(cwd)
    await eventually('the page', started.ready)
    const page = await fetch(`http://127.0.0.1:${started.port}/`)
    expect(await page.text()).toContain('<script type="module"')
    expect(await started.stop()).toEqual([0, null])
  })
})

describe('what is in the images', () => {
  test.each(['api', 'auth', 'console-pages'] as const)(
    'the licences of %s ask for no more than their notices, but for those with a reason, and each package has its hash',
    (name) => {
      const components = sbomOf(name).filter((one) => !isOurs(one))
      expect(components.length).toBeGreaterThan(40)
      const others = components.filter((one) => !permissive.includes(licenseOf(one) ?? 'none named'))
      const nameOf = (one: string) => one.slice(0, one.lastIndexOf('@'))
      expect(others.map(packageOf).filter((one) => !(nameOf(one) in exempt))).toEqual([])
      const hashed = (one: (typeof components)[number]) =>
        one.externalReferences?.some(({ hashes }) => hashes?.some(({ alg }) => alg === 'SHA-512'))
      expect(components.filter((one) => !hashed(one)).map(packageOf)).toEqual([])
      if (name === 'console-pages') expect(components.map((one) => one.name)).toContain('react-dom')
    },
  )
})
