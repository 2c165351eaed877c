// What a network is to send with a postback, under the names that the integration's settings give its parameters (domain.md 4.3).
import type { PostbackParameter } from '@wds/contracts/postback-parameters'

/** Those that a network fills in by a macro of its own. */
const filledIn = ['tx_id', 'ts', 'campaign', 'country', 'currency', 'amount'] as const

/** The name under which a parameter comes: its own unless the settings say another one. */
export function nameOfParameter(parameter: PostbackParameter, settings: Readonly<Record<string, unknown>>): string {
  const map = settings.parameter_map
  const given = typeof map === 'object' && map !== null ? (map as Record<string, unknown>)[parameter] : undefined
  return typeof given === 'string' ? given : parameter
}

/** What is appended to the address, with the macros of no network in particular: `?event=ftd&tx_id={tx_id}&…`. */
export function postbackQuery(settings: Readonly<Record<string, unknown>>): string {
  const parts = filledIn.map(
    (parameter) => `${encodeURIComponent(nameOfParameter(parameter, settings))}={${parameter}}`,
  )
  return `?${[`${encodeURIComponent(nameOfParameter('event', settings))}=ftd`, ...parts].join('&')}`
}
