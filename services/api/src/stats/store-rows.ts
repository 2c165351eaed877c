// Makes staged rows visible in one step (domain.md 4.5.4 to 4.5.7): nothing is written for a row that is equal.
// The caller holds the lock on the integration's rows, so runs of one integration never interleave here.
import type { Transaction } from '@wds/postgres/transaction'
import { measures } from './domain/measures.ts'

export interface Applied {
  inserted: number
  updated: number
  unchanged: number
  deleted: number
  /** Staged rows of days about which a later run has spoken. */
  stale: number
  from: string | null
  to: string | null
  /** Days of the workspace whose rows differ now. */
  changedDays: string[]
}

const keyColumns = 'day, hour, workspace_day, approximate, campaign_external_id, country, sub_affiliate_id, currency'
const measureColumns = measures.join(', ')

// The primary keys of stats_staging, stats_rows and stats_days_seen serve it.
const applySql = `
  with staged as materialized (
    select s.*, r.row_hash as old_hash, r.deleted as old_deleted, coalesce(d.run_seq > $4, false) as is_stale
    from stats_staging s
    left join stats_rows r on r.workspace_id = $1 and r.integration_id = $3 and r.row_key = s.row_key
    left join stats_days_seen d on d.workspace_id = $1 and d.integration_id = $3 and d.day = s.day
    where s.workspace_id = $1 and s.run_id = $2
  ), written as (
    insert into stats_rows (workspace_id, integration_id, row_key, brand_slug, run_seq, row_hash, ${keyColumns}, ${measureColumns})
    select $1, $3, row_key, $5, $4, row_hash, ${keyColumns}, ${measureColumns} from staged
    where not is_stale and (old_hash is null or old_deleted or old_hash <> row_hash)
    on conflict (workspace_id, integration_id, row_key) do update set deleted = false, run_seq = excluded.run_seq,
      row_hash = excluded.row_hash, ${measures.map((measure) => `${measure} = excluded.${measure}`).join(', ')}
    returning day
  ), seen as (
    insert into stats_days_seen (workspace_id, integration_id, day, run_seq)
    select distinct $1, $3, day, $4::bigint from staged where not is_stale
    on conflict (workspace_id, integration_id, day) do update set run_seq = excluded.run_seq
  )
  select (select count(*) from written)::integer as written,
    count(*) filter (where not is_stale and (old_hash is null or old_deleted))::integer as inserted,
    count(*) filter (where not is_stale and not old_deleted and old_hash <> row_hash)::integer as updated,
    count(*) filter (where not is_stale and not old_deleted and old_hash = row_hash)::integer as unchanged,
    count(*) filter (where is_stale)::integer as stale, min(day)::text as "from", max(day)::text as "to",
    array(select distinct workspace_day::text from staged
      where not is_stale and (old_hash is null or old_deleted or old_hash <> row_hash)) as changed_days
  from staged`

/**
 * The lock of whoever writes stats rows of an integration, until the transaction ends; nobody else wants it. It is waited for
 * longer than others: a run that was canceled while its rows were written holds it until it has undone them.
 */
export async function lockRowsOfIntegration(
  tx: Transaction,
  workspaceId: string,
  integrationId: string,
): Promise<void> {
  await tx.query("select set_config('lock_timeout', '60s', true)")
  await tx.query("select pg_advisory_xact_lock(hashtextextended('stats_rows:' || $1 || ':' || $2, 0))", [
    workspaceId,
    integrationId,
  ])
}

/**
 * Runs one statement over whole sets with hash joins only. A staging table has no statistics when its rows are minutes old:
 * the planner believes in one row and joins 26,000 with 26,000 one by one, for minutes, deaf to time-outs.
 */
async function inSets<T>(tx: Transaction, statement: () => Promise<T>): Promise<T> {
  await tx.query('set local enable_nestloop = off')
  const result = await statement()
  await tx.query('set local enable_nestloop = on')
  return result
}

export async function applyStaged(
  tx: Transaction,
  o: { workspaceId: string; runId: string; integrationId: string; brandSlug: string; runSeq: number },
): Promise<Omit<Applied, 'deleted'>> {
  type Row = Omit<Applied, 'deleted' | 'changedDays'> & {
    written: number
    changed_days: string[]
    [column: string]: unknown
  }
  const values = [o.workspaceId, o.runId, o.integrationId, o.runSeq, o.brandSlug]
  const { rows } = await inSets(tx, () => tx.query<Row>(applySql, values))
  const row = rows[0]
  if (!row || row.written !== row.inserted + row.updated) throw new Error('the counts of a run do not match its rows')
  const { inserted, updated, unchanged, stale, from, to, changed_days: changedDays } = row
  return { inserted, updated, unchanged, stale, from, to, changedDays }
}

/** Days of the source's calendar; `hours`: of them only the rows of these hours. */
export interface CoveredDays {
  from: string
  to: string
  hours?: { fromMs: number; toMs: number }
}

const boundsOf = ({ from, to, hours }: CoveredDays) => [from, to, hours?.fromMs ?? null, hours?.toMs ?? null]
/** Whether a row lies within the bounds, which are four parameters from `nth` on. */
const isWithin = (nth: number) => `day between $${nth} and $${nth + 1} and ($${nth + 2}::float8 is null
  or hour >= to_timestamp($${nth + 2}::float8 / 1000) and hour < to_timestamp($${nth + 3}::float8 / 1000))`

/**
 * Turns stored rows of the covered days that were not staged into tombstones, save days about which a later run has spoken. Gives
 * their number, and the days of the workspace they belonged to.
 */
export async function deleteUnstaged(
  tx: Transaction,
  o: {
    workspaceId: string
    runId: string
    integrationId: string
    runSeq: number
    covers: CoveredDays | 'staged days'
  },
): Promise<{ deleted: number; changedDays: string[] }> {
  const staged = 'select day from stats_staging where workspace_id = $1 and run_id = $2'
  const isCovered = o.covers === 'staged days' ? `r.day in (${staged})` : isWithin(5)
  const statement = `with gone as (
       update stats_rows r set deleted = true, run_seq = $4
       where r.workspace_id = $1 and r.integration_id = $3 and ${isCovered} and not r.deleted
         and not exists (select 1 from stats_days_seen d
           where d.workspace_id = $1 and d.integration_id = $3 and d.day = r.day and d.run_seq > $4)
         and not exists (select 1 from stats_staging s where s.workspace_id = $1 and s.run_id = $2 and s.row_key = r.row_key)
       returning r.day, r.workspace_day
     ), seen as (
       insert into stats_days_seen (workspace_id, integration_id, day, run_seq)
       select distinct $1, $3, day, $4::bigint from gone
       on conflict (workspace_id, integration_id, day) do update set run_seq = excluded.run_seq
     )
     select count(*)::integer as deleted, coalesce(array_agg(distinct workspace_day::text), '{}') as changed_days from gone`
  const days = o.covers === 'staged days' ? [] : boundsOf(o.covers)
  const values = [o.workspaceId, o.runId, o.integrationId, o.runSeq, ...days]
  const { rows } = await inSets(tx, () => tx.query<{ deleted: number; changed_days: string[] }>(statement, values))
  return { deleted: rows[0]?.deleted ?? 0, changedDays: rows[0]?.changed_days ?? [] }
}

/**
 * The run has reported on each of the days it covers, also where nothing differed or nothing is there. `isComplete`: it was read in full,
 * so that an earlier run is not listened to any more (domain.md 4.5.5, 4.5.7).
 */
export async function markDaysReported(
  tx: Transaction,
  o: {
    workspaceId: string
    integrationId: string
    runSeq: number
    startedMs: number
    isComplete: boolean
    runId: string
    /** Those of the staged rows, where only the answer says which. */
    days: { from: string; to: string } | 'staged days'
  },
): Promise<void> {
  const isStaged = o.days === 'staged days'
  const days = isStaged
    ? '(select distinct day from stats_staging where workspace_id = $1 and run_id = $5) days'
    : "generate_series($5::date, $6::date, interval '1 day') day"
  const which = o.days === 'staged days' ? [o.runId] : [o.days.from, o.days.to]
  await tx.query(
    `insert into stats_days_seen (workspace_id, integration_id, day, run_seq, reported)
     select $1, $2, day::date, $3, to_timestamp($4::float8 / 1000) from ${days}
     on conflict (workspace_id, integration_id, day) do update
       set run_seq = greatest(stats_days_seen.run_seq, excluded.run_seq),
         reported = greatest(stats_days_seen.reported, excluded.reported)`,
    [o.workspaceId, o.integrationId, o.isComplete ? o.runSeq : 0, o.startedMs, ...which],
  )
}

/** Whether the integration has rows, deleted ones included: they come back under their key. The primary key serves it. */
export async function hasStats(tx: Transaction, o: { workspaceId: string; integrationId: string }): Promise<boolean> {
  const { rows } = await tx.query('select 1 from stats_rows where workspace_id = $1 and integration_id = $2 limit 1', [
    o.workspaceId,
    o.integrationId,
  ])
  return rows.length > 0
}

/** Whether the integration has rows in the window. The unique index on the key's parts serves it. */
export async function hasRows(
  tx: Transaction,
  o: { workspaceId: string; integrationId: string; window: CoveredDays },
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from stats_rows where workspace_id = $1 and integration_id = $2 and ${isWithin(3)} and not deleted limit 1`,
    [o.workspaceId, o.integrationId, ...boundsOf(o.window)],
  )
  return rows.length > 0
}
