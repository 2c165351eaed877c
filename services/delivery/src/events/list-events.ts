// GET /v1/events: the event log, oldest first, for those who cannot receive calls. Its cursor never ends: whoever keeps asking with the
// last one misses no event (decision 48).
import { isEventPattern } from '@wds/contracts/event-types'
import { type Cursors, pageOfWalk } from '@wds/http-service/cursor'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { readableTypes } from '../subscriptions/reader.ts'
import { rangeOf } from './domain/period.ts'
import { type EventRow, type LogBounds, listEvents, readLogBounds } from './store.ts'

export async function listEventLog(
  request: ApiRequest<operations['listEvents']>,
  o: { cursors: Cursors },
): Promise<ApiAnswer<operations['listEvents']>> {
  const { cursor, limit, ...filters } = request.query
  const { workspaceId } = request.client
  const binding = { workspaceId, route: 'GET /v1/events', filters }
  const [after = '0'] = cursor === undefined ? [] : o.cursors.decode(cursor, binding).map(String)
  const types = filters.type === undefined ? null : knownPatterns(filters.type)
  const toCursor = ({ position }: Pick<EventRow, 'position'>) => o.cursors.encode({ ...binding, position: [position] })
  return request.read(async (tx) => {
    const bounds = await readLogBounds(tx, workspaceId)
    if (cursor !== undefined && isExpired(after, bounds)) throw new Problem('event_expired')
    const { newest } = bounds
    const readable = await readableTypes(tx, request.client)
    const place = { workspaceId, after, newest, limit: limit + 1 }
    const walk = await listEvents(tx, { ...place, types, readable, ...rangeOf(filters) })
    const page = pageOfWalk(walk, limit, toCursor)
    const data = page.data.map(({ payload }) => JSON.parse(payload.toString('utf8')))
    return { status: 200, body: { ...page, data, next_cursor: page.next_cursor ?? toCursor({ position: newest }) } }
  })
}

/** Whether the event behind the cursor was there and is shown no more. */
function isExpired(after: string, { newest, oldest }: LogBounds): boolean {
  return BigInt(after) + 1n < (oldest === null ? BigInt(newest) + 1n : BigInt(oldest))
}

/** One that means no type is refused (C55). */
function knownPatterns(patterns: string[]): string[] {
  const unknown = patterns.filter((pattern) => !isEventPattern(pattern))
  if (unknown.length > 0) {
    const detail = `${JSON.stringify(unknown[0])} is no type of the event catalog and matches none.`
    throw problemOfFaults([{ parameter: 'type', code: 'invalid_parameter', detail }])
  }
  return patterns
}
