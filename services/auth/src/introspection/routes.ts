// What other services ask, on the internal listener, when the log has not told them yet, or cannot (auth.md 5.4, 5.7).
import { outboxAge } from '@wds/event-store/outbox'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { Pool } from '@wds/postgres/pool'
import { findKeyByDigest } from '../api-keys/store-digests.ts'
import type { Dependencies } from '../dependencies.ts'
import { isTokenLive } from '../oauth/engine/live-tokens.ts'
import { readPublishedKeys } from '../oauth/signing-keys/store.ts'
import type { operations, paths } from '../openapi.generated.ts'

const introspect =
  (pool: Pool): Handle<operations['introspectKey']> =>
  async (request) => ({
    status: 200,
    body: { key: await findKeyByDigest(pool, request.body.digest) },
    cache: 'no-store',
  })

const introspectToken =
  (pool: Pool): Handle<operations['introspectToken']> =>
  async (request) => ({
    status: 200,
    body: { active: await isTokenLive(pool, request.body) },
    cache: 'no-store',
  })

const readUnpublished =
  (pool: Pool): Handle<operations['readUnpublished']> =>
  async () => ({ status: 200, body: { oldest_ms: await outboxAge(pool) }, cache: 'no-store' })

const readKeys =
  (pool: Pool): Handle<operations['readSigningKeys']> =>
  async () => ({ status: 200, body: { keys: await readPublishedKeys(pool) }, cache: 'no-store' })

export const introspectionRoutes = ({ pool }: Dependencies): RouteOf<paths>[] => [
  { method: 'POST', path: '/internal/introspect', scope: null, bodyBytesMax: 1024, handle: introspect(pool) },
  {
    method: 'POST',
    path: '/internal/introspect/token',
    scope: null,
    bodyBytesMax: 4096,
    handle: introspectToken(pool),
  },
  { method: 'GET', path: '/internal/unpublished', scope: null, isPolled: true, handle: readUnpublished(pool) },
  { method: 'GET', path: '/internal/jwks', scope: null, handle: readKeys(pool) },
]
