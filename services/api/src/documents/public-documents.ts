// What everybody may read about the API: its OpenAPI file (C80) and where its tokens come from (auth.md P1). Both are made once,
// at the start, and are the same for all.
import { readFileSync } from 'node:fs'
import { scopes } from '@wds/contracts/scopes'
import { etagOfContent } from '@wds/http-service/etag'
import type { ApiAnswer, Route } from '@wds/http-service/route'

/** Merged from the services' openapi.yaml by `npm run generate`. */
const openApiFile = new URL('../../openapi.generated.json', import.meta.url)

/** Public addresses of API and issuer, without a slash at the end. */
export function publicDocuments(o: { baseUrl: string; authUrl: string }): Route[] {
  const file = JSON.parse(readFileSync(openApiFile, 'utf8')) as object
  const protectedResource = {
    resource: o.baseUrl,
    authorization_servers: [o.authUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${o.baseUrl}/v1/openapi.json`,
  }
  return [
    publicDocument('/v1/openapi.json', { ...file, servers: [{ url: o.baseUrl }] }),
    publicDocument('/.well-known/oauth-protected-resource', protectedResource),
  ]
}

function publicDocument(path: string, document: object): Route {
  const text = JSON.stringify(document)
  const answer: ApiAnswer = {
    status: 200,
    bytes: Buffer.from(text, 'utf8'),
    headers: { etag: etagOfContent(text), 'content-type': 'application/json; charset=utf-8' },
    cache: 'public',
  }
  return { method: 'GET', path, scope: null, handle: async () => answer }
}
