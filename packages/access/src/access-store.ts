// SQL over all tables of this package: the turn of their writers, what changed in them since a process last looked, and what goes.

import type { Scope } from '@wds/contracts/scopes'
import type { Pool, Queryable } from '@wds/postgres/pool'
import type { SigningJwk } from './auth-events.ts'
import type { DenialKind } from './denial-events.ts'

/** A row of one of the tables, as JSON. Instants are epoch milliseconds. */
export type ChangedRow =
  | { source: 'key'; row: KeyRow }
  | { source: 'denial'; row: DenialRow }
  | { source: 'signing_key'; row: SigningKeyRow }

export interface KeyRow {
  digest: string
  key_id: string
  workspace_id: string
  scopes: string[]
  cidrs: string[]
  /** The earlier of end and end of overlap, null for never. */
  ends_ms: number | null
  revoked: boolean
}

export interface DenialRow {
  kind: DenialKind
  id: string
  lifted: boolean
  rev_min: number | null
  issued_before_ms: number | null
  scopes: Scope[] | null
  ends_ms: number
}

export interface SigningKeyRow {
  jwk: SigningJwk
  retired: boolean
}

/**
 * Lets writers take turns until the commit, so that `seq` rises in the order of commits and a poll misses nothing. They write
 * seldom; the lock is the schema's own.
 */
export async function takeTurn(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('access:' || current_schema(), 0))")
}

const changes = `select c.source, c.seq, c.row, extract(epoch from app_now())::float8 * 1000 as now_ms,
    (select extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 from access_log_end) as seen_ms
  from (select 1) one
  left join lateral (
    (select 'key' as source, seq, json_build_object('digest', encode(digest, 'hex'), 'key_id', key_id,
        'workspace_id', workspace_id, 'scopes', scopes, 'cidrs', cidrs, 'revoked', revoked_at is not null,
        'ends_ms', extract(epoch from least(expires_at, ends_at))::float8 * 1000) as row
      from access_keys where seq > $1 order by seq limit $2)
    union all
    (select 'denial', seq, json_build_object('kind', kind, 'id', id, 'lifted', lifted, 'rev_min', rev_min,
        'issued_before_ms', extract(epoch from issued_before)::float8 * 1000, 'scopes', scopes,
        'ends_ms', extract(epoch from ends_at)::float8 * 1000)
      from access_denials where seq > $1 order by seq limit $2)
    union all
    (select 'signing_key', seq, json_build_object('jwk', jwk, 'retired', retired_at is not null)
      from access_signing_keys where seq > $1 order by seq limit $2)
    order by 2 limit $2
  ) c on true
  order by c.seq`

/** A look at the tables. */
export interface Changes {
  rows: ChangedRow[]
  /** Of the last row. */
  seq: string
  /** The database's time in epoch milliseconds. */
  nowMs: number
  /** How many milliseconds ago the end of the log was seen; null: never. Every row of before is there. */
  seenMs: number | null
}

interface ReadRow {
  source: string | null
  seq: string
  row: object
  now_ms: number
  seen_ms: number | null
  [column: string]: unknown
}

/** Rows that changed after `seq`, in that order, at most `limit` (access_keys_seq_idx and its like). */
export async function readChanges(queryable: Queryable, seq: string, limit: number): Promise<Changes> {
  const { rows } = await queryable.query<ReadRow>({
    name: 'access-changes',
    text: changes,
    values: [seq, limit],
  })
  const changed = rows.filter(({ source }) => source !== null)
  return {
    rows: changed as unknown as ChangedRow[],
    seq: changed.at(-1)?.seq ?? seq,
    nowMs: rows[0]?.now_ms ?? Number.NaN,
    seenMs: rows[0]?.seen_ms ?? null,
  }
}

/** Removes what is over, and what was revoked or ended more than 31 days ago, at most 1,000 rows of a table in one statement until all are gone. */
export async function pruneAccess(pool: Pool): Promise<void> {
  for (let removed = 1; removed > 0; ) {
    const { rows } = await pool.query<{ removed: number }>('select prune_access(1000) as removed')
    removed = rows[0]?.removed ?? 0
  }
}
