// Reads from an operation of the OpenAPI file that it will go, and says so in each of its answers (C83). It refuses a notice that is too short.
import type { JsonObject } from './openapi-document.ts'

/** Headers of every answer, refusals too; none where the operation stays. */
export type DeprecationHeaders = readonly (readonly [name: string, value: string])[]

const day = /^\d{4}-\d{2}-\d{2}$/

/**
 * `deprecated: true` with `x-deprecated-since` and `x-sunset`, the days (UTC) from which on it is deprecated and may be gone, and
 * `x-deprecation-link`, the page that says what to use instead. Throws an Error that names the operation when one of them is missing or
 * makes no sense.
 */
export function readDeprecation(operation: JsonObject, name: string): DeprecationHeaders {
  const { deprecated = false, 'x-deprecated-since': since, 'x-sunset': sunset, 'x-deprecation-link': link } = operation
  const given = [since, sunset, link]
  if (deprecated !== true) {
    if (given.some((value) => value !== undefined))
      throw new Error(`${name} says when it goes, but not deprecated: true.`)
    return []
  }
  if (!isDay(since) || !isDay(sunset))
    throw new Error(`${name} is deprecated without the days x-deprecated-since and x-sunset.`)
  if (typeof link !== 'string' || !URL.canParse(link))
    throw new Error(`${name} is deprecated without an x-deprecation-link.`)
  const earliest = new Date(since)
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1)
  if (new Date(sunset) < earliest) throw new Error(`${name} is deprecated for less than 12 months.`)
  return [
    ['Deprecation', `@${Date.parse(since) / 1_000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${link}>; rel="deprecation"; type="text/html"`],
  ]
}

const isDay = (value: unknown): value is string => typeof value === 'string' && day.test(value) && isOfCalendar(value)

/** `2027-02-30` would be taken for another day. */
const isOfCalendar = (text: string) => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
