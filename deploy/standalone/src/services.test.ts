// The environment that the services get on one machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type ProvisionedUrls, serviceNames } from '@wds/provision/provision'
import { openDataFolder } from './data-folder.ts'
import { type Upstream, upstreams } from './router.ts'
import { programs } from './services.ts'

const tls = ['WDS_INTERNAL_TLS_CERT_FILE', 'WDS_INTERNAL_TLS_KEY_FILE', 'WDS_AUTH_INTERNAL_CA_FILE'] as const
let folder: string
const before = new Map<string, string | undefined>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-services-'))
  for (const name of tls) before.set(name, process.env[name])
})
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  rmSync(folder, { recursive: true })
})

test('regression: a certificate that the environment has for elsewhere does not make auth speak TLS where it is asked in plain HTTP', () => {
  for (const name of tls) process.env[name] = '/etc/workspace-data/file'
  const ports = { router: 1, receiver: 2, source: null, postgres: 3, internal: 4 }
  const of = Object.fromEntries(upstreams.map((name, nth) => [name, 5 + nth])) as Record<Upstream, number>
  const url = { http: 'postgres://a', worker: 'postgres://b', owner: 'postgres://c' }
  const urls = { log: { owner: '' }, services: Object.fromEntries(serviceNames.map((name) => [name, url])) }
  const made = programs({
    ports: { ...ports, services: of, management: of },
    urls: urls as ProvisionedUrls,
    data: openDataFolder(folder),
    baseUrl: 'http://localhost:8080',
    partitions: 12,
    broker: null,
    pages: folder,
    docs: folder,
  })
  const services = made.filter(({ name }) => serviceNames.some((one) => one === name))
  expect(services).toHaveLength(serviceNames.length)
  for (const { name, env } of services)
    expect([name, env.WDS_AUTH_INTERNAL_URL, ...tls.map((setting) => env[setting])]).toEqual([
      name,
      'http://127.0.0.1:4',
      '',
      '',
      '',
    ])
})
