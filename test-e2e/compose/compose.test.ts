// deploy/compose without an engine: the loader of the Compose Specification takes it, every rule holds, each service starts with its settings in
// production, and the front door leads where one machine's does. What runs behind it is started in edge.integration.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { serviceNames } from '@wds/provision/provision'
import { load as readYaml } from 'js-yaml'
import { type Upstream, upstreamOf } from '../../deploy/standalone/src/router.ts'
import { paths, pathsOfNobody } from '../k8s/paths.ts'
import { build, type Manifest, ofKind, podOf, root } from '../k8s/render.ts'
import { readSettingsOf, unknownNames } from '../k8s/service-readers.ts'
import { composeText, environmentOf, example, folder, load, type Project, type Service } from './project.ts'
import { findings, ours } from './rules.ts'

let project: Project
beforeAll(() => {
  project = load()
})
const service = (name: string, of = project) => of.services[name] as Service
const copy = () => structuredClone(project)

describe('the file', () => {
  test.each([
    ['a misspelt word', '    hostname: kafka\n', '    hostnam: kafka\n', 'hostnam'],
    [
      'a condition that there is not',
      'condition: service_healthy',
      'condition: service_well',
      'condition value must be one of',
    ],
  ])('%s is refused by the loader', (_what, before, after, said) => {
    expect(composeText).toContain(before)
    expect(() => load(composeText.replace(before, after))).toThrow(said)
  })

  test.each(Object.keys(example).filter((name) => composeText.includes(`\${${name}:?`)))(
    'without %s nothing starts, and it says what to do',
    (name) => {
      expect(() => load(composeText, { ...example, [name]: '' })).toThrow('copy .env.example to .env')
    },
  )

  test('.env.example names every variable of the file, and no other', () => {
    const used = new Set([...composeText.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name))
    expect(Object.keys(example).sort()).toEqual([...used].sort())
    expect(example.WDS_BASE_URL).toBe(`https://${example.WDS_HOST}:${example.WDS_PORT}`)
  })
})

describe('every container', () => {
  test('keeps to the rules', () => expect(findings(project)).toEqual([]))

  test.each<[string, (of: Project) => unknown]>([
    ['api: image workspace-data/api has no version', (of) => (service('api', of).image = 'workspace-data/api')],
    ['kafka: image apache/kafka:latest has no version', (of) => (service('kafka', of).image = 'apache/kafka:latest')],
    ['tempo: memory has no limit', (of) => delete service('tempo', of).mem_limit],
    ['api: heap is more than three quarters', (of) => (service('api', of).mem_limit = '1g')],
    ['auth: heapOfOurs is not set', (of) => delete service('auth', of).environment.NODE_OPTIONS],
    ['migrate-api: restart is always', (of) => (service('migrate-api', of).restart = 'always')],
    ['delivery: health nobody asks for it', (of) => delete service('delivery', of).healthcheck],
    ['postgres: ports is open on the machine', (of) => (service('postgres', of).ports = [{ published: '5432' }])],
    ['grafana: ports is open to others', (of) => delete service('grafana', of).ports[0].host_ip],
    ['edge: capabilities are not dropped', (of) => delete service('edge', of).cap_drop],
    ['keys: privileges can be won', (of) => (service('keys', of).privileged = true)],
    ['console: writing is not refused, or this is root', (of) => (service('console', of).user = '0:0')],
    ['catalog: logs grow without end', (of) => delete service('catalog', of).logging],
    [
      'edge: mounts /nowhere is not there, or not read-only',
      (of) => (service('edge', of).volumes[0].source = '/nowhere'),
    ],
    ['auth: folders are filled from the image', (of) => delete service('auth', of).volumes[0].volume.nocopy],
    [
      'postgres: secrets POSTGRES_PASSWORD stands in the environment',
      (of) => (service('postgres', of).environment.POSTGRES_PASSWORD = 'x'),
    ],
    ['api: waiting for kafca, which is not there', (of) => (service('api', of).depends_on.kafca = {})],
    ['tempo: volume tempo is not declared', (of) => delete of.volumes.tempo],
    ['grafana: order does not wait for what it mounts', (of) => delete service('grafana', of).depends_on],
  ])('%s', (finding, plant) => {
    const damaged = copy()
    plant(damaged)
    expect(findings(damaged)).toEqual([finding])
  })
})

describe('settings', () => {
  test.each(ours)('%s starts with them in production, and knows every one', (name) => {
    const env = environmentOf(service(name))
    expect(readSettingsOf(name, env)).toMatchObject({
      WDS_PROFILE: 'production',
      WDS_HTTP_PORT: 8080,
      WDS_MANAGEMENT_PORT: 9090,
    })
    expect(unknownNames(name, env)).toEqual([])
    // The probe asks at the container's own name, which leads to its one address.
    expect(service(name).hostname).toBe(env.WDS_MANAGEMENT_HOST)
  })

  test.each([
    ['one that is missing', { WDS_BASE_URL: '' }, 'WDS_BASE_URL is required'],
    ['a misspelt one', { WDS_BASE_ULR: 'x' }, 'WDS_BASE_ULR is not a setting'],
    ['a broker without TLS', { KAFKA_TLS: 'false' }, 'KAFKA_TLS must be true'],
    ['auth in plain HTTP', { WDS_AUTH_INTERNAL_URL: 'http://auth-internal:8091' }, 'WDS_AUTH_INTERNAL_URL must begin'],
    ['no proxy', { WDS_TRUSTED_PROXIES: '' }, 'WDS_TRUSTED_PROXIES must list'],
    ['a public address without TLS', { WDS_BASE_URL: 'http://x' }, 'WDS_BASE_URL must begin with https://'],
  ])('%s is found', (_what, env, said) => {
    expect(() => readSettingsOf('api', { ...environmentOf(service('api')), ...env })).toThrow(said)
  })

  test('the proxy that is believed is the edge, whose address nobody else is given', () => {
    const { ipv4_address: address } = service('edge').networks.default
    const [pool] = (project.networks.default as Service).ipam.config
    expect(pool).toEqual({ subnet: address.replace(/10$/, '0/24'), ip_range: address.replace(/10$/, '128/25') })
    for (const name of serviceNames) expect(environmentOf(service(name)).WDS_TRUSTED_PROXIES).toBe(address)
  })

  test('traces and metrics are asked for as on a cluster', async () => {
    const { objects } = await build(join(root, 'overlays/production'))
    const [pod] = ofKind(objects, 'Deployment').filter(({ metadata }) => metadata.name === 'api-worker')
    const [container] = (podOf(pod as Manifest) as Manifest).containers
    const env = (container.env as Manifest[]).filter(({ name }) => name.startsWith('OTEL_'))
    expect(env).toHaveLength(3)
    for (const { name, value } of env) expect([name, environmentOf(service('api'))[name]]).toEqual([name, value])
  })

  test('Prometheus asks every service that has metrics, at its own port, by the labels of a cluster', () => {
    const { scrape_configs } = readYaml(readFileSync(join(folder, 'monitoring/prometheus.yaml'), 'utf8')) as Manifest
    const asked = scrape_configs[0].static_configs.map(({ targets, labels }: Manifest) => [targets, labels])
    const wanted = serviceNames.map((name) => [
      [`${name}:9090`],
      { app_kubernetes_io_name: name, app_kubernetes_io_component: 'all' },
    ])
    expect(asked).toHaveLength(wanted.length)
    expect(asked).toEqual(expect.arrayContaining(wanted))
  })
})

describe('K01: the front door', () => {
  const text = readFileSync(join(folder, 'edge/routes.conf'), 'utf8')
  const rows = [...text.matchAll(/^ {2}"~([^"]+)" +(\w+);$/gm)].map(
    ([, pattern = '', to]) => [RegExp(pattern), to] as const,
  )
  const reached = (path: string) => (rows.find(([pattern]) => pattern.test(path))?.[1] ?? 'console') as Upstream

  test('every path of every openapi.yaml reaches its service', () => {
    expect([...text.matchAll(/;$/gm)]).toHaveLength(rows.length + 1)
    for (const { service, path } of paths) expect([path, reached(path)]).toEqual([path, service])
  })

  test('what has no openapi.yaml goes where one machine sends it', () => {
    for (const path of pathsOfNobody) {
      expect([path, reached(path)]).toEqual([path, upstreamOf(path)])
      expect([path, reached(`${path}?x=/v1/events`)]).toEqual([path, upstreamOf(path)])
    }
  })
})
