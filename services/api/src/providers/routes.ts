// GET of providers: what an integration can be made of, with the JSON Schemas of its settings (domain.md 3.2, 4.1).
import { etagOfContent } from '@wds/http-service/etag'
import { Problem } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { Provider as ApiProvider, operations, paths } from '../openapi.generated.ts'
import { type Provider, providers } from './domain/providers.ts'

export function providerRoutes(): RouteOf<paths>[] {
  const read = { method: 'GET', scope: 'integrations:read' } as const
  return [
    { ...read, path: '/v1/providers', handle: listProviders },
    { ...read, path: '/v1/providers/{provider}', handle: readProvider },
  ]
}

/** All of them fit one page, which has no cursor. */
const listProviders: Handle<operations['listProviders']> = async () => {
  return { status: 200, body: { object: 'list', data: providers.map(toApi), has_more: false, next_cursor: null } }
}

const readProvider: Handle<operations['readProvider']> = async (request) => {
  const found = providers.find(({ provider }) => provider === request.params.provider)
  if (!found) throw new Problem('not_found')
  const body = toApi(found)
  return { status: 200, body, headers: { etag: etagOfContent(JSON.stringify(body)) } }
}

function toApi(provider: Provider): ApiProvider {
  return { object: 'provider', ...provider }
}
