// The filter `type` of deliveries and dead letters: one type of the catalog. A pattern would match nothing, in silence.
import { isEventType } from '@wds/contracts/event-types'
import { problemOfFaults } from '@wds/http-service/problem'

/** Throws a Problem unless the filter is unset or names a type; `place` is where the client wrote it. */
export function requireEventType(type: string | undefined, place: { parameter: string } | { pointer: string }): void {
  if (type === undefined || isEventType(type)) return
  const code = 'pointer' in place ? 'unknown_event_type' : 'invalid_parameter'
  throw problemOfFaults([{ ...place, code, detail: 'Name one type of the event catalog, without a wildcard.' }])
}
