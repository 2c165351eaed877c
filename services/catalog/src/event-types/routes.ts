// The routes of the catalog: method, path, scope, handler. None needs a token (settled-points.md 24).
import type { Cursors } from '@wds/http-service/cursor'
import type { RouteOf } from '@wds/http-service/route'
import type { paths } from '../openapi.generated.ts'
import { listEventTypes } from './list-event-types.ts'
import { readEventType, readEventTypeExample, readEventTypeSchema } from './read-event-type.ts'

/** Every route of the catalog. */
export function catalogRoutes(o: { cursors: Cursors }): RouteOf<paths>[] {
  const base = '/v1/event-types'
  return [
    { method: 'GET', path: base, scope: null, handle: (request) => listEventTypes(request, o.cursors) },
    { method: 'GET', path: `${base}/{type}`, scope: null, handle: readEventType },
    { method: 'GET', path: `${base}/{type}/schema`, scope: null, handle: readEventTypeSchema },
    { method: 'GET', path: `${base}/{type}/example`, scope: null, handle: readEventTypeExample },
  ]
}
