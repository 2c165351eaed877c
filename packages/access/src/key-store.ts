// SQL of the tables access_keys and access_ends. Every statement may run again without another effect, and none brings a revoked key
// back.

import type { Pool, Queryable } from '@wds/postgres/pool'
import type { KeyChanged, KeyCreated, KeyRotated } from './auth-events.ts'

/** A row as the directory reads it. */
export interface KeyRow {
  digest: string
  key_id: string
  workspace_id: string
  scopes: string[]
  cidrs: string[]
  /** Epoch milliseconds of the earlier of end and end of overlap, null for never. */
  ends_ms: number | null
  revoked: boolean
  seq: string
}

/**
 * Lets writers take turns until the commit, so that `seq` rises in the order of commits and a poll misses nothing. Keys
 * change seldom; the lock is the schema's own.
 */
export async function takeTurn(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('access_keys:' || current_schema(), 0))")
}

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

/** A second digest with the rights of the first; the ones before get an end (access_keys_key_idx). */
export async function addDigest(tx: Queryable, rotated: KeyRotated): Promise<void> {
  await tx.query(
    `with added as (
       insert into access_keys (digest, key_id, workspace_id, scopes, cidrs, expires_at, revoked_at, changed_by)
       select decode($2, 'hex'), key_id, workspace_id, scopes, cidrs, expires_at, revoked_at, changed_by
       from access_keys where key_id = $1 order by seq desc limit 1
       on conflict (digest) do nothing
       returning key_id
     )
     update access_keys set ends_at = $3::timestamptz, seq = nextval('access_keys_seq')
     where key_id in (select key_id from added) and ends_at is null`,
    [rotated.key_id, rotated.digest, rotated.previous_ends],
  )
}

/** New rights of all digests of a key, unless a later event set them (access_keys_key_idx). */
export async function changeKey(tx: Queryable, changed: KeyChanged): Promise<void> {
  await tx.query(
    `update access_keys set scopes = coalesce($3, scopes), cidrs = coalesce($4, cidrs),
       expires_at = case when $5 then $6::timestamptz else expires_at end,
       changed_by = $2, seq = nextval('access_keys_seq')
     where key_id = $1 and changed_by < $2`,
    [changed.key_id, changed.eventId, changed.scopes, changed.cidrs, changed.sets_expires, changed.expires],
  )
}

/** Ends keys for good, also those that are not known yet (access_keys_key_idx). */
export async function revokeKeys(tx: Queryable, keyIds: readonly string[]): Promise<void> {
  await tx.query(
    `with ended as (insert into access_ends (id) select distinct unnest($1::text[]) order by 1 on conflict do nothing)
     update access_keys set revoked_at = app_now(), seq = nextval('access_keys_seq')
     where key_id = any ($1::text[]) and revoked_at is null`,
    [keyIds],
  )
}

/** Ends all keys of workspaces, also those that are not known yet (access_keys_workspace_idx). */
export async function revokeKeysOf(tx: Queryable, workspaceIds: readonly string[]): Promise<void> {
  await tx.query(
    `with ended as (insert into access_ends (id) select distinct unnest($1::text[]) order by 1 on conflict do nothing)
     update access_keys set revoked_at = app_now(), seq = nextval('access_keys_seq')
     where workspace_id = any ($1::text[]) and revoked_at is null`,
    [workspaceIds],
  )
}

/** Removes what ended more than 31 days ago, at most 1,000 rows of a table in one statement until all are gone. */
export async function pruneKeys(pool: Pool): Promise<void> {
  for (let removed = 1; removed > 0; ) {
    const { rows } = await pool.query<{ removed: number }>('select prune_access_keys(1000) as removed')
    removed = rows[0]?.removed ?? 0
  }
}

/** Rows that changed after `seq`, in that order, at most `limit` (access_keys_seq_idx), and the database's time in epoch milliseconds. */
export async function readChanges(
  queryable: Queryable,
  seq: string,
  limit: number,
): Promise<{ rows: KeyRow[]; nowMs: number }> {
  const { rows } = await queryable.query<KeyRow & { now_ms: number }>({
    name: 'access-keys-changes',
    text: `select k.*, extract(epoch from app_now())::float8 * 1000 as now_ms
      from (select 1) one
      left join lateral (
        select encode(digest, 'hex') as digest, key_id, workspace_id, scopes, cidrs, revoked_at is not null as revoked, seq,
          extract(epoch from least(expires_at, ends_at))::float8 * 1000 as ends_ms
        from access_keys where seq > $1 order by seq limit $2
      ) k on true
      order by k.seq`,
    values: [seq, limit],
  })
  return { rows: rows.filter((row) => row.digest !== null), nowMs: rows[0]?.now_ms ?? Number.NaN }
}
