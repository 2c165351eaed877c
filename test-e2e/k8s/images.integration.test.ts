// The images without an engine: the Dockerfile by its rules (K93), and the folder that each image consists of, which starts as a user who
// can write nothing in it, with the flags of the Dockerfile.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { logMigrations } from '@wds/event-log/postgres-log'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { migrate } from '@wds/postgres/migrations'
import { isOurs, licenseOf, packageOf, writeSbom } from '../../deploy/docker/sbom.ts'
import { eventually } from '../harness/standalone.ts'

const docker = join(import.meta.dirname, '../../deploy/docker')
const dockerfile = readFileSync(join(docker, 'Dockerfile'), 'utf8')
const run = promisify(execFile)

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

/** The words of the entry point behind the program. */
const entry = (JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as string[]).slice(1)
/** Only root can become somebody else; for all others their own folder is the proof that less needs no right. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {}

/** All that a folder of ours may hold in an image, below it. Whoever needs another kind adds it here: is it read on a cluster? */
const kinds = [
  /^package\.json$/,
  /^dist\/.*\.js$/,
  /^dist\/(?:.*\/)?(?:[a-z]+-)?migrations\/.*\.sql$/,
  /^dist\/(?:.*\/)?(?:shared\.)?openapi\.yaml$/,
  /^dist\/[a-z-]+\.(?:css|svg)$/,
  // The console's own, and those of the documentation.
  /^dist\/(?:site|docs)\//,
]
/** Files of the service and of our packages in its image that are of none of these kinds, or of tests by their names. */
function strangersIn(cwd: string): string[] {
  const ofTests =
    /fixture|conformance|widget|gadget|fake-|given-when-then|simulation|loopback-rig|otlp-collector|-coverage|\.test\./
  const own = 'node_modules/.pnpm/@wds+*/node_modules/@wds/*'
  return globSync(['*', 'dist/**/*', `${own}/*`, `${own}/dist/**/*`], { cwd, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .replace(/^.*\/@wds\/[a-z-]+\//, '')
        .replace(`${cwd}/`, ''),
    )
    .filter((path) => !kinds.some((kind) => kind.test(path)) || (ofTests.test(path) && !path.startsWith('dist/docs/')))
}

describe('the folder of an image', () => {
  let folder: string
  let database: TestDatabase
  const started: ChildProcess[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wds-image-'))
    chmodSync(folder, 0o755)
    database = await createTestDatabase()
    await migrate({ connectionString: database.urls.log.owner, schema: 'log', directories: logMigrations })
  })
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const assemble = async (service: string): Promise<string> => {
    const target = join(folder, service)
    await run(process.execPath, ['--disable-warning=ExperimentalWarning', join(docker, 'assemble.ts'), service, target])
    return target
  }

  /** A secret that the kubelet would mount for the group of the pod. */
  function mounted(name: string, text: string): string {
    const path = join(folder, name)
    writeFileSync(path, text)
    if (asNobody.gid !== undefined) execFileSync('chown', [`0:${asNobody.gid}`, path])
    chmodSync(path, 0o440)
    return path
  }

  const environment = (o: Record<string, string>) => ({ PATH: '/usr/bin:/bin', TZ: 'UTC', ...o })

  test('auth: migrates, gets ready, serves and stops with 0, and holds no source, no test and nothing of others', async () => {
    const { next } = await takeTestPorts()
    {
      const service = 'auth'
      const cwd = await assemble(service)
      const left = globSync('{dist,node_modules/.pnpm/@wds+*/node_modules/@wds/*}/**/*.{ts,tsx}', { cwd })
      expect([service, left]).toEqual([service, []])
      // regression: conformance suites, fixtures and the services that tests are written against were in it.
      expect(strangersIn(cwd)).toEqual([])
      // regression: BSD and MIT ask that their text goes along; some write it as Markdown, which was taken out.
      expect(globSync('node_modules/.pnpm/qs@*/node_modules/qs/LICENSE.md', { cwd })).toHaveLength(1)
      expect(globSync('**/playwright*', { cwd })).toEqual([])
      const bytes = globSync('**/*', { cwd, withFileTypes: true }).filter((file) => file.isFile())
      const size = bytes.reduce((all, file) => all + statSync(join(file.parentPath, file.name)).size, 0)
      expect(size).toBeLessThan(80 * 1_048_576)

      const named = new Set(sbomOf(service).map(packageOf))
      const present = globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd })
        .map((path) => join(cwd, path))
        // The others are links to what lies beside its own dependencies.
        .filter((path) => !lstatSync(dirname(path)).isSymbolicLink())
        .map((path) => JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string })
      expect(present.length).toBeGreaterThan(100)
      expect(present.map(({ name, version }) => `${name}@${version}`).filter((one) => !named.has(one))).toEqual([])

      const urls = database.urls.services[service]
      const owner = mounted(`${service}-owner`, urls.owner)
      const migrated = await run(process.execPath, [...entry, 'migrate'], {
        ...asNobody,
        cwd,
        env: environment({ WDS_OWNER_DATABASE_URL_FILE: owner }),
      })
      expect(migrated.stdout).toMatch(/migrations applied\n$/)

      const [port, management, internal] = [await next(), await next(), await next()]
      const child = spawn(process.execPath, entry, {
        ...asNobody,
        cwd,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: environment({
          DATABASE_URL_FILE: mounted(`${service}-http`, urls.http),
          WDS_WORKER_DATABASE_URL_FILE: mounted(`${service}-worker`, urls.worker),
          WDS_CURSOR_KEY_FILE: mounted(`${service}-cursor`, Buffer.alloc(32, 'cursors').toString('base64')),
          ...ofAuth(internal),
          WDS_BASE_URL: `http://127.0.0.1:${port}`,
          WDS_HTTP_PORT: String(port),
          WDS_MANAGEMENT_PORT: String(management),
          WDS_LOG_LEVEL: 'error',
        }),
      })
      started.push(child)
      const status = async (at: number, path: string) =>
        await fetch(`http://127.0.0.1:${at}${path}`).then(
          (answer) => answer.status,
          () => 0,
        )
      await eventually(`${service} to be ready`, async () => (await status(management, '/readyz')) === 200)
      expect(await status(port, '/sign-in')).toBe(200)
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    }
  })

  const ofAuth = (port: number) => ({
    WDS_INTERNAL_PORT: String(port),
    WDS_INTERNAL_TOKEN_FILE: mounted('token', 'a-token-of-40-characters-that-is-no-secret'),
    WDS_ENCRYPTION_KEY_FILE: mounted('encryption', Buffer.alloc(32, 'encryption').toString('base64')),
  })

  test('console: hands out its pages from its own folder', async () => {
    const { next } = await takeTestPorts()
    const cwd = await assemble('console')
    expect(strangersIn(cwd)).toEqual([])
    const port = await next()
    const env = environment({
      WDS_BASE_URL: `http://127.0.0.1:${port}`,
      WDS_HTTP_PORT: String(port),
      WDS_LOG_LEVEL: 'error',
    })
    const child = spawn(process.execPath, entry, { ...asNobody, cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
    started.push(child)
    const page = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.text(),
        () => '',
      )
    await eventually('the page', async () => (await page()).includes('<script type="module"'))
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('what is in the images', () => {
  /** Ask no more than that their notices are kept. */
  const permissive = ['MIT', 'Apache-2.0', 'ISC', '0BSD', 'BSD-3-Clause', 'BlueOak-1.0.0', 'PSF-2.0', 'Unlicense']
  const exempt: Record<string, string> = {
    '@img/sharp-libvips-linux-x64': 'LGPL: a library of its own, loaded by sharp, that can be replaced',
    'dejavu-fonts-ttf': 'a free licence of Bitstream Vera, kept beside the fonts',
    'png-js': 'MIT, by its file LICENSE; its package.json does not say so',
    lightningcss: 'MPL: bundles the pages, is in no image',
    'lightningcss-linux-x64-gnu': 'MPL: bundles the pages, is in no image',
    'type-fest': 'MIT or CC0: types, in no image',
  }

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
