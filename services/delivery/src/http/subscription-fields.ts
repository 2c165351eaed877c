// Judges what a client sets on a subscription beyond the schema: patterns, header names, the address. All faults come at once.
import { isEventPattern } from '@wds/contracts/event-types'
import type { Result } from '@wds/contracts/result'
import { type Fault, problemOfFaults } from '@wds/http-service/problem'
import { headerFaultOf, type SubscriptionFields } from '../domain/subscription.ts'

/** Judges an address; the serialised form, or the class of the reason (security.md 1). */
export type CheckUrl = (url: string) => Promise<Result<string, string>>

/** The fields with the serialised URL. Throws a Problem with every fault. `urlUnchanged`: it was judged when it was saved. */
export async function judgeFields(
  fields: SubscriptionFields,
  o: { checkUrl: CheckUrl; urlUnchanged?: boolean },
): Promise<SubscriptionFields> {
  const faults = [...patternFaults(fields.events), ...headerFaults(fields.headers)]
  let url = fields.url
  if (!o.urlUnchanged) {
    const checked = await o.checkUrl(fields.url)
    if (checked.ok) url = checked.value
    else
      faults.push({ pointer: '/url', code: 'url_not_allowed', detail: `The address is not allowed: ${checked.error}.` })
  }
  if (faults.length > 0) throw problemOfFaults(faults)
  const headers = Object.fromEntries(Object.entries(fields.headers).map(([name, value]) => [name.toLowerCase(), value]))
  return { ...fields, url, headers }
}

function patternFaults(patterns: string[]): Fault[] {
  return patterns.flatMap((pattern, place) =>
    isEventPattern(pattern)
      ? []
      : [
          {
            pointer: `/events/${place}`,
            code: 'unknown_event_type',
            detail: 'Neither an event type, a prefix with .* nor *.',
          },
        ],
  )
}

function headerFaults(headers: Record<string, string>): Fault[] {
  return Object.entries(headers).flatMap(([name, value]): Fault[] => {
    const pointer = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const fault = headerFaultOf(name.toLowerCase(), value)
    if (fault === 'name') {
      const detail = 'Allowed are Authorization and names that begin with X-, except reserved ones.'
      return [{ pointer, code: 'validation_failed', detail }]
    }
    if (fault === 'length') return [{ pointer, code: 'validation_failed', detail: 'At most 1,000 characters.' }]
    if (fault === 'characters') return [{ pointer, code: 'invalid_character', detail: 'Printable ASCII only.' }]
    return []
  })
}
