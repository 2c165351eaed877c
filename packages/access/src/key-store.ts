// SQL of the tables access_keys and access_ends. Every statement may run again without another effect, and none brings a revoked key
// back.

import type { Queryable } from '@wds/postgres/pool'
import type { KeyChanged, KeyCreated, KeyRotated } from './auth-events.ts'

/** One row per new digest (primary key); a digest that is there stays as it is, so a repeated event revives nothing, and neither does
 * one that comes behind the end of its key (primary key of access_ends). */
export async function insertKeys(tx: Queryable, keys: readonly KeyCreated[]): Promise<void> {
  await tx.query(
    `insert into access_keys (digest, key_id, workspace_id, scopes, cidrs, expires_at, changed_by)
     select decode(k.digest, 'hex'), k.key_id, k.workspace_id, k.scopes, k.cidrs, k.expires, k.changed_by
     from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::timestamptz[], $6::text[])
       as u (digest, key_id, workspace_id, rights, expires, changed_by)
     cross join lateral (
       select u.*, array(select json_array_elements_text(u.rights->'scopes')) as scopes,
         array(select json_array_elements_text(u.rights->'cidrs')) as cidrs
     ) k
     where not exists (select from access_ends e where e.id in (k.key_id, k.workspace_id))
     order by k.digest
     on conflict (digest) do nothing`,
    [
      keys.map((key) => key.digest),
      keys.map((key) => key.key_id),
      keys.map((key) => key.workspace_id),
      keys.map(({ scopes, cidrs }) => JSON.stringify({ scopes, cidrs })),
      keys.map((key) => key.expires),
      keys.map((key) => key.eventId),
    ],
  )
}

/**
 * The first of the keys that nobody has told of yet: it neither lives nor has it, or its workspace, ended (access_keys_key_idx, primary
 * key of access_ends).
 */
export async function unknownKey(
  tx: Queryable,
  keys: readonly { key_id: string; workspace_id: string }[],
): Promise<string | undefined> {
  const { rows } = await tx.query<{ key_id: string }>(
    `select key_id from unnest($1::text[], $2::text[]) as k (key_id, workspace_id)
     where not exists (select from access_keys a where a.key_id = k.key_id)
       and not exists (select from access_ends e where e.id in (k.key_id, k.workspace_id)) limit 1`,
    [keys.map((key) => key.key_id), keys.map((key) => key.workspace_id)],
  )
  return rows[0]?.key_id
}

/** Another digest with the key's rights. Those of earlier rotations end now or earlier than they would, as it ends by a later one that was told first (access_keys_key_idx). */
export async function addDigest(tx: Queryable, rotated: KeyRotated): Promise<void> {
  await tx.query(
    `with added as (
       insert into access_keys (digest, key_id, workspace_id, scopes, cidrs, expires_at, revoked_at, changed_by,
         rotated_by, previous_ends, ends_at)
       select decode($2, 'hex'), key_id, workspace_id, scopes, cidrs, expires_at, revoked_at, changed_by, $4, $3::timestamptz,
         (select min(later.previous_ends) from access_keys later where later.key_id = $1 and later.rotated_by > $4)
       from access_keys where key_id = $1 order by seq desc limit 1
       on conflict (digest) do nothing
       returning key_id
     )
     update access_keys set ends_at = $3::timestamptz, seq = nextval('access_seq')
     where key_id in (select key_id from added) and rotated_by < $4 and (ends_at is null or ends_at > $3::timestamptz)`,
    [rotated.key_id, rotated.digest, rotated.previous_ends, rotated.eventId],
  )
}

/** New rights of all digests of a key, unless a later event set them: each holds all of them (access_keys_key_idx). */
export async function changeKey(tx: Queryable, changed: KeyChanged): Promise<void> {
  await tx.query(
    `update access_keys set scopes = coalesce($3, scopes), cidrs = coalesce($4, cidrs),
       expires_at = case when $5 then $6::timestamptz else expires_at end,
       changed_by = $2, seq = nextval('access_seq')
     where key_id = $1 and changed_by < $2`,
    [changed.key_id, changed.eventId, changed.scopes, changed.cidrs, changed.sets_expires, changed.expires],
  )
}

/** Ends keys for good, also those that are not known yet (access_keys_key_idx). */
export async function revokeKeys(tx: Queryable, keyIds: readonly string[]): Promise<void> {
  await tx.query(
    `with ended as (insert into access_ends (id) select distinct unnest($1::text[]) order by 1 on conflict do nothing)
     update access_keys set revoked_at = app_now(), seq = nextval('access_seq')
     where key_id = any ($1::text[]) and revoked_at is null`,
    [keyIds],
  )
}

/** Ends all keys of workspaces, also those that are not known yet (access_keys_workspace_idx). */
export async function revokeKeysOf(tx: Queryable, workspaceIds: readonly string[]): Promise<void> {
  await tx.query(
    `with ended as (insert into access_ends (id) select distinct unnest($1::text[]) order by 1 on conflict do nothing)
     update access_keys set revoked_at = app_now(), seq = nextval('access_seq')
     where workspace_id = any ($1::text[]) and revoked_at is null`,
    [workspaceIds],
  )
}
