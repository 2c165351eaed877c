// Rows of an attempt before they become visible, with the checkpoint of how far the attempt came (domain.md 4.5).
// Staged rows and checkpoint move in one transaction, so a batch counts once.
import { hash } from 'node:crypto'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { type MeasureValues, measures } from './domain/measures.ts'
import { rowHashText, type StatsRow } from './domain/stats-row.ts'

export interface Checkpoint {
  /** Records read, rejected ones included. */
  lines: number
  accepted: number
  rejected: number
  skipped: number
  warnings: Record<string, number>
  /** By which the rows staged so far are cut into days. */
  timeZone: string
}

export interface StagedRow extends StatsRow {
  /** What its campaign is named, where the source says so. */
  campaignName: string | null
  rowKey: string
  workspaceDay: string
  approximate: boolean
}

/** Where the run stands; zeros before its first batch. */
export async function readCheckpoint(tx: Transaction, workspaceId: string, runId: string): Promise<Checkpoint> {
  const { rows } = await tx.query<Checkpoint & { [column: string]: unknown }>(
    `select lines, accepted, rejected, skipped, warnings, time_zone as "timeZone"
     from run_checkpoints where workspace_id = $1 and run_id = $2`,
    [workspaceId, runId],
  )
  if (rows[0]) return rows[0]
  const calendar = await readCalendar(tx, workspaceId)
  if (calendar === null) throw new Error('rows of a workspace without a calendar')
  return { lines: 0, accepted: 0, rejected: 0, skipped: 0, warnings: {}, timeZone: calendar.timeZone }
}

export async function writeCheckpoint(
  tx: Transaction,
  workspaceId: string,
  runId: string,
  at: Checkpoint,
): Promise<void> {
  await tx.query(
    `insert into run_checkpoints (workspace_id, run_id, lines, accepted, rejected, skipped, warnings, time_zone)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id, run_id) do update set lines = excluded.lines, accepted = excluded.accepted,
       rejected = excluded.rejected, skipped = excluded.skipped, warnings = excluded.warnings`,
    [workspaceId, runId, at.lines, at.accepted, at.rejected, at.skipped, JSON.stringify(at.warnings), at.timeZone],
  )
}

/** Measures already staged for some keys. The primary key serves it. */
export async function readStaged(
  tx: Transaction,
  o: { workspaceId: string; runId: string; rowKeys: string[] },
): Promise<Map<string, MeasureValues>> {
  const { rows } = await tx.query<{ row_key: string } & Record<string, string | null>>(
    `select row_key, ${measures.join(', ')} from stats_staging
     where workspace_id = $1 and run_id = $2 and row_key = any($3::text[])`,
    [o.workspaceId, o.runId, o.rowKeys],
  )
  return new Map(rows.map((row) => [row.row_key ?? '', toValues(row)]))
}

/** Measures of a row as bigint or null. */
export function toValues(row: Record<string, unknown>): MeasureValues {
  return Object.fromEntries(
    measures.map((measure) => [measure, row[measure] === null ? null : BigInt(String(row[measure]))]),
  ) as MeasureValues
}

const arrays = measures.map((_, index) => `$${index + 14}::bigint[]`).join(', ')
const stageSql = `
  insert into stats_staging (workspace_id, run_id, row_key, day, hour, workspace_day, approximate, campaign_external_id,
    country, sub_affiliate_id, currency, row_hash, campaign_name, ${measures.join(', ')})
  select $1, $2, u.row_key, u.day, to_timestamp(u.hour_ms / 1000), u.workspace_day, u.approximate, u.campaign, u.country, u.sub,
    u.currency, u.row_hash, u.campaign_name, ${measures.map((measure) => `u.${measure}`).join(', ')}
  from unnest($3::text[], $4::date[], $5::float8[], $6::date[], $7::boolean[], $8::text[], $9::text[], $10::text[],
    $11::text[], $12::bytea[], $13::text[], ${arrays})
    as u(row_key, day, hour_ms, workspace_day, approximate, campaign, country, sub, currency, row_hash, campaign_name, ${measures.join(', ')})
  on conflict (workspace_id, run_id, row_key) do update set row_hash = excluded.row_hash,
    campaign_name = coalesce(excluded.campaign_name, stats_staging.campaign_name),
    ${measures.map((measure) => `${measure} = excluded.${measure}`).join(', ')}`

/** Stages rows, each key at most once; values replace those staged before. */
export async function stageRows(tx: Transaction, workspaceId: string, runId: string, rows: StagedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query({
    name: 'stage-rows',
    text: stageSql,
    values: [
      workspaceId,
      runId,
      rows.map((row) => row.rowKey),
      rows.map((row) => row.day),
      rows.map((row) => row.hourMs),
      rows.map((row) => row.workspaceDay),
      rows.map((row) => row.approximate),
      rows.map((row) => row.campaignExternalId),
      rows.map((row) => row.country),
      rows.map((row) => row.subAffiliateId),
      rows.map((row) => row.currency),
      rows.map((row) => rowHash(row.values)),
      rows.map((row) => row.campaignName),
      ...measures.map((measure) => rows.map((row) => row.values[measure]?.toString() ?? null)),
    ],
  })
}

/** First 16 bytes of SHA-256 over the measures (domain.md 4.5). */
export function rowHash(values: MeasureValues): Buffer {
  return hash('sha256', rowHashText(values), 'buffer').subarray(0, 16)
}

/** Forgets what a run staged and how far it came. */
export async function clearStaging(tx: Transaction, workspaceId: string, runId: string): Promise<void> {
  await tx.query('delete from stats_staging where workspace_id = $1 and run_id = $2', [workspaceId, runId])
  await tx.query('delete from run_checkpoints where workspace_id = $1 and run_id = $2', [workspaceId, runId])
}

/** Forgets what ended runs of all workspaces staged whose worker did not live to do it; `pool` is the worker role's. It reads the checkpoints whole. */
export async function sweepStaging(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ workspace_id: string; run_id: string }>(
    `select workspace_id, run_id from run_checkpoints c where not exists (
       select 1 from due_work w where w.workspace_id = c.workspace_id and w.run_id = c.run_id)`,
  )
  for (const { workspace_id: workspaceId, run_id: runId } of rows) {
    await withTransaction(pool, { workspaceId, statementTimeoutMs: 120_000 }, (tx) =>
      clearStaging(tx, workspaceId, runId),
    )
  }
}
