// K01: every path reaches the service whose openapi.yaml names it, by the Gateway's routes and by the Ingress alike, and every route
// leads somewhere.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Upstream, upstreamOf } from '../../deploy/standalone/src/router.ts'
import { paths, pathsOfNobody } from './paths.ts'
import { buildWith, type Manifest, ofKind, root } from './render.ts'

/** What auth answers on the host of the API; all else of it belongs to the other host (kubernetes.md 2). */
const alsoOfApi = ['/v1/workspace', '/oauth']

interface Route {
  host: string
  prefix: string
  service: string
}

const readers: Record<string, (objects: Manifest[]) => Route[]> = {
  gateway: (objects) =>
    ofKind(objects, 'HTTPRoute').flatMap(({ spec }) =>
      spec.rules.flatMap(({ matches, backendRefs }: Manifest) =>
        matches.map(({ path }: Manifest) => ({
          host: spec.hostnames[0],
          prefix: path.value,
          service: backendRefs[0].name,
        })),
      ),
    ),
  ingress: (objects) =>
    ofKind(objects, 'Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ host, http }: Manifest) =>
        http.paths.map(({ path, backend }: Manifest) => ({ host, prefix: path, service: backend.service.name })),
      ),
    ),
}

/** One that is a single Deployment has its name; others have one for each role. */
const serviceOf = (upstream: Upstream) =>
  existsSync(join(root, 'base', upstream, 'deployment.yaml')) ? upstream : `${upstream}-http`

/** As both kinds match: by whole segments, the longest prefix first. */
function reached(routes: readonly Route[], host: string, path: string): string | undefined {
  const found = routes
    .filter((route) => route.host === host)
    .filter(({ prefix }) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  return found[0]?.service
}

const [api, console] = ['api.example.com', 'app.example.com']

/** Paths that do not reach the service whose openapi.yaml names them. */
function astray(routes: readonly Route[], host: string): string[] {
  return paths.flatMap(({ service, path }) => {
    const ofAuth = alsoOfApi.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    const wanted = host === console || service !== 'auth' || ofAuth ? serviceOf(service) : 'api-http'
    const found = reached(routes, host, path)
    return found === wanted ? [] : [`${path} goes to ${found}, not ${wanted}`]
  })
}

describe.each(Object.keys(readers))('K01: %s', (component) => {
  let routes: Route[]
  beforeAll(async () => {
    routes = readers[component]?.((await buildWith(component)).objects) ?? []
  })

  test('on the host of people every path of every openapi.yaml reaches its service, as it does on one machine', () => {
    expect(paths.length).toBeGreaterThan(80)
    expect(astray(routes, console)).toEqual([])
    for (const { service, path } of paths) expect([path, upstreamOf(path)]).toEqual([path, service])
  })

  test('on the host of the API so does every path of the other services, and what auth answers there', () => {
    expect(astray(routes, api)).toEqual([])
    expect(reached(routes, api, '/nowhere')).toBe('api-http')
    // Into which `/problems/{code}` leads; and the list of its pages, for programs.
    expect(reached(routes, api, '/docs/reference/errors/not_found/')).toBe('console')
    expect(reached(routes, api, '/llms.txt')).toBe('console')
  })

  test.each([
    ['a route that is missing', (all: Route[]) => all.filter(({ prefix }) => prefix !== '/v1/webhooks')],
    [
      'a route to another service',
      (all: Route[]) => all.map((one) => (one.prefix === '/v1/webhooks' ? { ...one, service: 'catalog' } : one)),
    ],
    [
      "a prefix that takes what is another service's",
      (all: Route[]) => [{ host: api, prefix: '/v1/integrations', service: 'delivery-http' }, ...all],
    ],
  ])('K92: K01 finds %s', (_what, spoil) => {
    expect(astray(spoil(routes), api)).not.toEqual([])
  })

  test('what has no openapi.yaml goes where one machine sends it', () => {
    for (const path of pathsOfNobody)
      expect([path, reached(routes, console, path)]).toEqual([path, serviceOf(upstreamOf(path))])
  })

  test('no route leads to what nobody has, and none to the internal or the management port', () => {
    const known = [
      ...paths.map(({ path }) => path),
      '/oauth',
      '/.well-known/oauth-protected-resource',
      '/sign-in',
      '/sign-out',
    ]
    known.push('/invitations', '/password', '/logos', '/healthz', '/problems', '/docs', '/llms.txt')
    for (const { prefix } of routes.filter((route) => route.prefix !== '/'))
      expect([prefix, known.some((path) => path === prefix || path.startsWith(`${prefix}/`))]).toEqual([prefix, true])
    expect(routes.map(({ service }) => service)).not.toContain('auth-internal')
  })
})
