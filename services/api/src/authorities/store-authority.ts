// Says whether who answers for a rule may still do what it does (domain.md 9.6): by what auth told of keys, and of grants, apps, members and
// people. What is in doubt is refused: a membership that changed since the rule was saved ends its right, whatever the new role.

import { memberIdOf, type NewDenial } from '@wds/access/denial-events'
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Scope } from '@wds/contracts/scopes'
import type { Transaction } from '@wds/postgres/transaction'
import type { Authority } from './domain/authority.ts'

/** Clocks of auth and of this database differ by less. */
const clocksApartMs = 5_000

/** `needed`: the scopes of the actions; every rule needs `campaigns:write`. */
export function mayAct(tx: Transaction, authority: Authority, needed: readonly Scope[]): Promise<boolean> {
  const scopes = [...new Set<Scope>(['campaigns:write', ...needed])]
  return authority.principal.type === 'api_key'
    ? hasKey(tx, authority.principal.id, scopes)
    : isNotDenied(tx, authority, scopes)
}

/** The index access_keys_key_idx serves it. */
async function hasKey(tx: Transaction, keyId: string, scopes: readonly Scope[]): Promise<boolean> {
  const { rows } = await tx.query(
    `select from access_keys where key_id = $1 and workspace_id = $2 and revoked_at is null and scopes @> $3::text[]
       and (expires_at is null or expires_at > app_now()) and (ends_at is null or ends_at > app_now()) limit 1`,
    [keyId, workspaceOf(tx), scopes],
  )
  return rows.length > 0
}

/** The primary key serves it. */
async function isNotDenied(tx: Transaction, o: Authority, scopes: readonly Scope[]): Promise<boolean> {
  const workspaceId = workspaceOf(tx)
  const client = o.principal.type === 'client' ? o.principal.id : ''
  const { rows } = await tx.query(
    `select from automation_denials d where (kind, id) in
       (('grant', $1), ('client', $2), ('scopes', $2), ('member', $3), ('user', $4), ('workspace', $5))
     and case kind when 'client' then not lifted
       when 'member' then told >= to_timestamp($6::float8 / 1000)
       when 'scopes' then told >= to_timestamp($6::float8 / 1000) and not scopes @> $7::text[] else true end limit 1`,
    [
      ...[o.grant_id ?? '', client, memberIdOf(workspaceId, o.user_id ?? ''), o.user_id ?? '', workspaceId],
      ...[o.saved_ms - clocksApartMs, scopes],
    ],
  )
  return rows.length === 0
}

/** Notes what auth took from somebody, for good: a rule outlives the tokens that are refused for it. Primary key. */
export async function noteDenial(tx: Transaction, denial: NewDenial, created: string): Promise<void> {
  if (denial.kind === 'token') return
  await tx.query(
    `insert into automation_denials as d (kind, id, lifted, scopes, told, event_id) values ($1, $2, $3, $4, $5, $6)
     on conflict (kind, id) do update set lifted = excluded.lifted, scopes = excluded.scopes, told = excluded.told,
       event_id = excluded.event_id where d.event_id < excluded.event_id`,
    [denial.kind, denial.id, denial.lifted, denial.left?.scopes ?? null, created, denial.eventId],
  )
}
