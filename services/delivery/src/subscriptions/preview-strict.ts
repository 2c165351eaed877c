// GET /v1/webhooks/strict-event-scopes: what the setting would stop (settled-points.md 20), told before it is switched on.
import type { Handle } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { readStrictEventScopes } from '../workspaces/store.ts'
import { typesWithoutScope } from './domain/event-scopes.ts'
import { listSaved } from './store-saved.ts'

export const previewStrict: Handle<operations['previewStrictEventScopes']> = (request) =>
  request.read(async (tx) => {
    const strict = await readStrictEventScopes(tx, request.client.workspaceId)
    const data = (await listSaved(tx))
      .map(({ id, url, events, scopes }) => ({
        webhook_id: id,
        url,
        types: typesWithoutScope(events, new Set(scopes)),
      }))
      .filter(({ types }) => types.length > 0)
    return { status: 200, body: { object: 'strict_event_scopes', strict, data } }
  })
