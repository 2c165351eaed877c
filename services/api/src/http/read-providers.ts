// GET of providers: what an integration can be made of, with the JSON Schemas of its settings (domain.md 3.2, 4.1).
import { etagOfContent } from '@wds/http-service/etag'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { type Provider, providers } from '../domain/providers.ts'

/** All of them fit one page, which has no cursor. */
export async function listProviders(): Promise<ApiAnswer> {
  return { status: 200, body: { object: 'list', data: providers.map(toApi), has_more: false, next_cursor: null } }
}

export async function readProvider(request: ApiRequest): Promise<ApiAnswer> {
  const found = providers.find(({ provider }) => provider === request.params.provider)
  if (!found) throw new Problem('not_found')
  const body = toApi(found)
  return { status: 200, body, headers: { etag: etagOfContent(JSON.stringify(body)) } }
}

function toApi(provider: Provider): object {
  return { object: 'provider', ...provider }
}
