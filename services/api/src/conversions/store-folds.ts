// How far the conversions of an integration are folded into its stats, which days rejected some, and from when on they are kept.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** A fold that several runs carry out, one after the other. */
export interface Pass {
  startedMs: number
  /** Where the next of its runs begins: the start of an hour. */
  atMs: number
}

export interface Folded {
  /** What was received before is in the stats; null before the first fold. */
  foldedMs: number | null
  /** Under way. */
  pass: Pass | null
  /** Conversions before it may be gone; null where all are there. The start of a day of the source's calendar. */
  keptFromMs: number | null
}

/** The primary key serves it. */
export async function readFolded(tx: Transaction, integrationId: string): Promise<Folded> {
  type Row = Record<'folded' | 'pass_started' | 'pass_at' | 'kept_from', number | null>
  // Multiplied before it is a float, so that it is the instant that was written.
  const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`
  const { rows } = await tx.query<Row>(
    `select ${ms('folded')}, ${ms('pass_started')}, ${ms('pass_at')}, ${ms('kept_from')} from postback_folds
     where workspace_id = $1 and integration_id = $2`,
    [workspaceOf(tx), integrationId],
  )
  const { folded = null, pass_started = null, pass_at = null, kept_from = null } = rows[0] ?? {}
  const pass = pass_started === null || pass_at === null ? null : { startedMs: pass_started, atMs: pass_at }
  return { foldedMs: folded, pass, keptFromMs: kept_from }
}

/** What was received before the instant is in the stats; a pass that was under way is over. */
export async function writeFolded(tx: Transaction, integrationId: string, ms: number): Promise<void> {
  await tx.query(
    `insert into postback_folds (workspace_id, integration_id, folded) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (workspace_id, integration_id) do update
       set folded = greatest(postback_folds.folded, excluded.folded), pass_started = null, pass_at = null`,
    [workspaceOf(tx), integrationId, ms],
  )
}

/** A pass goes on at another hour. */
export async function writePass(tx: Transaction, integrationId: string, { startedMs, atMs }: Pass): Promise<void> {
  await tx.query(
    `insert into postback_folds (workspace_id, integration_id, pass_started, pass_at)
     values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000))
     on conflict (workspace_id, integration_id) do update
       set pass_started = excluded.pass_started, pass_at = excluded.pass_at`,
    [workspaceOf(tx), integrationId, startedMs, atMs],
  )
}

/** The integration will not be folded again, so that what it has not folded is removed as the rest. */
export async function endFolds(tx: Transaction, integrationId: string): Promise<void> {
  await tx.query('insert into postback_folds (workspace_id, integration_id) values ($1, $2) on conflict do nothing', [
    workspaceOf(tx),
    integrationId,
  ])
}

export interface LookedAt {
  /** Days that are folded to their end. */
  covered: { from: string; to: string } | null
  /** The one of which an earlier run of the same pass folded the begin. */
  goesOnIn: string | null
  /** Days that rejected conversions. */
  rejected: string[]
  /** Campaigns that were made before are known to the run, and to all runs of its pass. */
  knownMs: number
  knownToPassMs: number
}

/**
 * Which days rejected conversions. A day that the run folded alone is as it says; of one that it went on with, an earlier run may have
 * rejected some, so that it stays noted. The primary key serves it.
 */
export async function writeRejectedDays(tx: Transaction, integrationId: string, o: LookedAt): Promise<void> {
  const place = [workspaceOf(tx), integrationId]
  const isOf = 'workspace_id = $1 and integration_id = $2'
  if (o.covered !== null) {
    const { from, to } = o.covered
    const covered = [...place, from, to, o.goesOnIn]
    await tx.query(
      `delete from postback_rejected_days where ${isOf} and day between $3 and $4 and day is distinct from $5::date`,
      covered,
    )
    await tx.query(
      `update postback_rejected_days set looked = greatest(looked, to_timestamp($6::float8 / 1000))
       where ${isOf} and day between $3 and $4 and day = $5`,
      [...covered, o.knownToPassMs],
    )
  }
  await tx.query(
    `insert into postback_rejected_days as r (workspace_id, integration_id, day, looked)
     select $1, $2, day::date, to_timestamp($4::float8 / 1000) from unnest($3::text[]) day
     on conflict (workspace_id, integration_id, day) do update set looked = least(r.looked, excluded.looked)`,
    [...place, o.rejected, o.knownMs],
  )
}

/**
 * The first day that rejected conversions and would not now, since a campaign may have been made that it did not know, or none needs to be known;
 * null without one. The primary key and the index campaigns_by_integration serve it.
 */
export async function firstMendedDay(
  tx: Transaction,
  integrationId: string,
  { rejectsUnknown }: { rejectsUnknown: boolean },
): Promise<string | null> {
  const { rows } = await tx.query<{ day: string | null }>(
    `select min(day)::text as day from postback_rejected_days d where workspace_id = $1 and integration_id = $2
       and (not $3 or looked <= (select max(created) from campaigns c where c.workspace_id = $1 and c.integration_id = $2))`,
    [workspaceOf(tx), integrationId, rejectsUnknown],
  )
  return rows[0]?.day ?? null
}

export interface FoldPlace {
  workspaceId: string
  integrationId: string
}

/**
 * Those of all workspaces that have been folded or are deleted, in their order, save those whose conversions are kept from a day on that is
 * the oldest one, or has been until a day ago; `pool` is the worker role's. The primary key serves it.
 */
export async function foldPlaces(
  pool: Pool,
  o: { keepMs: number; after: FoldPlace | null; limit: number },
): Promise<FoldPlace[]> {
  const { rows } = await pool.query<{ workspace_id: string; integration_id: string }>(
    `select workspace_id, integration_id from postback_folds where (workspace_id, integration_id) > ($1, $2)
       and (kept_from is null or kept_from < app_now() - $4::float8 * interval '1 millisecond' - interval '1 day')
     order by workspace_id, integration_id limit $3`,
    [o.after?.workspaceId ?? '', o.after?.integrationId ?? '', o.limit, o.keepMs],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, integrationId: row.integration_id }))
}

/** Conversions before the instant may be gone from now on, and what they rejected with them. */
export async function writeKeptFrom(
  tx: Transaction,
  integrationId: string,
  { ms, day }: { ms: number; day: string },
): Promise<void> {
  const place = [workspaceOf(tx), integrationId]
  await tx.query(
    `update postback_folds set kept_from = to_timestamp($3::float8 / 1000)
     where workspace_id = $1 and integration_id = $2 and (kept_from is null or kept_from < to_timestamp($3::float8 / 1000))`,
    [...place, ms],
  )
  await tx.query('delete from postback_rejected_days where workspace_id = $1 and integration_id = $2 and day < $3', [
    ...place,
    day,
  ])
}
