// The accounts at upstream providers that a person has connected: the list, and the end of one.
import type { Handle, RouteOf } from '@wds/http-service/route'
import { originOf } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { setPerson } from '../members/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { type ConnectedIdentity, toConnected } from './connected.ts'
import { disconnectIdentity } from './disconnect.ts'
import { identitiesOf } from './store.ts'

const toApi = ({ id, issuer, provider, title, account, created, lastUsed }: ConnectedIdentity) => ({
  object: 'identity' as const,
  id,
  issuer,
  provider,
  title,
  account,
  created: created.toISOString(),
  last_used: lastUsed?.toISOString() ?? null,
})

const list =
  ({ providers }: Dependencies): Handle<operations['listIdentities']> =>
  async (request) => {
    const rows = await request.read((tx) => identitiesOf(tx, request.session.id))
    const data = toConnected(rows, providers).map(toApi)
    return { status: 200, body: { object: 'list', data, has_more: false, next_cursor: null }, cache: 'no-store' }
  }

const disconnect =
  ({ providers }: Dependencies): Handle<operations['disconnectIdentity']> =>
  (request) =>
    request.write(async (tx) => {
      const { id: userId, sessionId } = request.session
      await setPerson(tx, userId)
      const given = { identityId: request.params.id, userId, sessionId, providers, origin: originOf(request) }
      await disconnectIdentity(tx, given)
      return { status: 204 }
    })

export const identityRoutes = (o: Dependencies): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/account/identities', session: 'be_member', handle: list(o) },
  { method: 'DELETE', path: '/v1/account/identities/{id}', session: 'be_member', handle: disconnect(o) },
]
