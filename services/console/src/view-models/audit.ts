// The filters of the audit log, from the address to the query of the API. Days are those of UTC.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'

const dayMs = 86_400_000

export interface AuditFilters {
  actor?: string
  action?: string
  target?: string
  /** First and last day, `2026-11-23`. */
  from?: string
  to?: string
}

/** A rule for a day that is one. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

/** The last day belongs to the period. */
export function auditQuery({ from, to, ...same }: AuditFilters): QueryOf<'/v1/workspace/audit'> {
  return withoutUndefined({
    ...same,
    'created[gte]': from === undefined ? undefined : `${from}T00:00:00Z`,
    'created[lt]': to === undefined ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + dayMs).toISOString(),
  })
}

/** `api_key_created` as people say it: `API key created`. */
export const actionWords = (action: string): string =>
  action
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API')
    .replace(/\boauth\b/, 'OAuth')

/** Who it was: a member's name, else what the entry says. `names`: by `usr_…`. */
export function actorName(actor: string, names: ReadonlyMap<string, string>): string {
  if (actor === 'system:operator') return 'the operator'
  const [kind = '', id = ''] = actor.split(':', 2)
  return kind === 'user' ? (names.get(id) ?? actor) : actor
}
