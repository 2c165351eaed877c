// The routes of the event log.
import { isId } from '@wds/contracts/ids'
import type { Cursors } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { readableTypes } from '../subscriptions/reader.ts'
import { listEventLog } from './list-events.ts'
import { readEvent } from './store.ts'

/** What main gives them. */
export interface EventRouteOptions {
  cursors: Cursors
}

export function eventRoutes(o: EventRouteOptions): RouteOf<paths>[] {
  const scope = 'webhooks:manage'
  return [
    { method: 'GET', path: '/v1/events', scope, handle: (request) => listEventLog(request, o) },
    { method: 'GET', path: '/v1/events/{id}', scope, handle: readEventById },
  ]
}

async function readEventById(
  request: ApiRequest<operations['readEvent']>,
): Promise<ApiAnswer<operations['readEvent']>> {
  const { id } = request.params
  const { workspaceId } = request.client
  const row = await request.read(async (tx) => {
    const found = isId('evt', id) ? await readEvent(tx, { workspaceId, id }) : null
    const readable = await readableTypes(tx, request.client)
    return found !== null && (readable?.includes(found.type) ?? true) ? found : null
  })
  if (row === null) throw new Problem('not_found')
  // An event never changes.
  return { status: 200, body: JSON.parse(row.payload.toString('utf8')), headers: { etag: `"${id}"` } }
}
