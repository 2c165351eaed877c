// Judges what a client sets on a subscription beyond the schema: patterns, header names, the address. All faults come at once.
import { isEventPattern } from '@wds/contracts/event-types'
import type { Result } from '@wds/contracts/result'
import { type Fault, problemOfFaults } from '@wds/http-service/problem'
import { faultsOfFilter } from './domain/payload-filter.ts'
import { headerFaultOf, type SubscriptionFields } from './domain/subscription.ts'

/** Judges an address; the serialised form, or the class of the reason (security.md 1). */
export type CheckUrl = (url: string) => Promise<Result<string, string>>

/** The fields as they are stored. Throws a Problem with every fault. `checked`: what the address rule says; null: it was judged when it was saved. */
export function judgeFields(
  fields: SubscriptionFields,
  checked: Awaited<ReturnType<CheckUrl>> | null,
): SubscriptionFields {
  const faults = [
    ...patternFaults(fields.events, '/events'),
    ...headerFaults(fields.headers),
    ...filterFaults(fields.filter),
  ]
  if (checked?.ok === false) {
    const detail = addressDetails[checked.error] ?? 'The address is not allowed.'
    faults.push({ pointer: '/url', code: 'url_not_allowed', detail })
  }
  if (faults.length > 0) throw problemOfFaults(faults)
  return { ...fields, url: checked?.ok ? checked.value : fields.url, headers: lowerCased(fields.headers) }
}

/** What to do about each reason of the outbound rule; none names a resolved address. */
const addressDetails: Record<string, string> = {
  malformed: 'Must be an absolute URL such as https://example.com/hooks.',
  too_long: 'Must have at most 2,048 characters.',
  scheme: 'Must begin with https.',
  credentials: 'Must not hold a user name or password; send them in a custom header.',
  fragment: 'Must not have a fragment (#…).',
  port: 'The port is not allowed; use 443 or 8443.',
  address: 'Its address is not on the public internet.',
  name: 'Its host name is not one of the public internet.',
}

/** Names of headers in lower case. Throws a Problem where two are the same name: one of their values would be lost. */
export function lowerCased<T>(headers: Record<string, T>): Record<string, T> {
  const faults = sameNameFaults(headers)
  if (faults.length > 0) throw problemOfFaults(faults)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** A fault for each text that is no pattern of event types. `pointer`: of the list. */
export function patternFaults(patterns: string[], pointer: string): Fault[] {
  const detail = 'Neither an event type, a prefix with .* nor *.'
  return patterns.flatMap((pattern, place) =>
    isEventPattern(pattern) ? [] : [{ pointer: `${pointer}/${place}`, code: 'unknown_event_type' as const, detail }],
  )
}

function filterFaults(filter: SubscriptionFields['filter']): Fault[] {
  if (filter === null) return []
  return faultsOfFilter(filter).map(({ at, reason }) => ({
    pointer: `/filter${at}`,
    code: 'invalid_filter',
    detail: reason,
  }))
}

const pointerOf = (header: string) => `/headers/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`

function sameNameFaults(headers: Record<string, unknown>): Fault[] {
  const names = Object.keys(headers)
  const isSecond = (name: string, place: number) =>
    names.slice(0, place).some((other) => other.toLowerCase() === name.toLowerCase())
  const detail = 'The same name as another one: headers know no upper and lower case.'
  return names.filter(isSecond).map((name) => ({ pointer: pointerOf(name), code: 'invalid_value', detail }))
}

function headerFaults(headers: Record<string, string>): Fault[] {
  const wrong = Object.entries(headers).flatMap(([name, value]): Fault[] => {
    const pointer = pointerOf(name)
    const fault = headerFaultOf(name.toLowerCase(), value)
    if (fault === 'name') {
      const detail = 'Allowed are Authorization and names that begin with X-, except reserved ones.'
      return [{ pointer, code: 'header_not_allowed', detail }]
    }
    if (fault === 'length') return [{ pointer, code: 'out_of_range', detail: 'At most 1,000 characters.' }]
    if (fault === 'characters') return [{ pointer, code: 'invalid_character', detail: 'Printable ASCII only.' }]
    return []
  })
  return [...sameNameFaults(headers), ...wrong]
}
