// The time zones that a browser knows, for a field.

/** IANA names, UTC first, and the one that is chosen even if the browser does not know it. */
export function timeZoneNames(chosen: string): string[] {
  return [...new Set(['UTC', ...(chosen === '' ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])]
}
