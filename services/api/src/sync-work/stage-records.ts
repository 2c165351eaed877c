// Stages the records of a source, 1,000 at a time with a checkpoint (domain.md 3.12, 4.5). A batch counts once:
// its rows, its rejects and the checkpoint are one transaction under the lease.
import { Turn } from '@wds/pacing/turn'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { progressed } from '@wds/telemetry/progress'
import { workspaceDayOf } from '../calendar/domain/workspace-day.ts'
import { addRejects, type Reject, rejectOf } from '../imports/store-rejects.ts'
import { type AcceptedRow, rejected } from '../sources/domain/check-row.ts'
import { isDoomed, recordsMax as recordsOfRunMax, rejectsKeptMax } from '../sources/domain/ingest-limits.ts'
import { SourceFailure, type SourceRecord } from '../sources/source.ts'
import { type CombineMode, combineRow } from '../stats/domain/combine-rows.ts'
import { rowKeyText } from '../stats/domain/stats-row.ts'
import {
  type Checkpoint,
  clearStaging,
  readCheckpoint,
  readStaged,
  type StagedRow,
  stageRows,
  writeCheckpoint,
} from '../stats/store-staging.ts'
import { addRunRejects, clearRunRejects } from '../sync-runs/store-rejects.ts'
import { keepLease } from '../work-queue/store.ts'
import { type Attempt, LeaseLost } from './attempt.ts'

/** Records per checkpoint (domain.md 3.12). */
export const batchRecords = 1000

interface Staging {
  pool: Pool
  leaseMs: number
  attempt: Attempt
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>
  signal: AbortSignal
  recordsMax?: number
}

/** As `stageRecords`, of a source that may say something else at each attempt: what an earlier one staged is forgotten first. */
export async function stageAnew(o: Staging): Promise<void> {
  const { workspaceId } = o.attempt.work
  await withTransaction(o.pool, { workspaceId, statementTimeoutMs: 30_000 }, async (tx) => {
    if (!(await keepLease(tx, o.attempt.work, o.leaseMs))) throw new LeaseLost()
    await clearStaging(tx, workspaceId, o.attempt.run.id)
    await clearRunRejects(tx, workspaceId, o.attempt.run.id)
  })
  await stageRecords(o)
}

/**
 * Reads the source to its end, from the run's checkpoint on. Throws SourceFailure as soon as it is certain that the run fails:
 * more records than `recordsMax`, or more of an upload's rejected than its remaining lines can make up for.
 */
export async function stageRecords(o: Staging): Promise<void> {
  const { workspaceId } = o.attempt.work
  const runId = o.attempt.run.id
  const read = { workspaceId, readOnly: true }
  let checkpoint = await withTransaction(o.pool, read, (tx) => readCheckpoint(tx, workspaceId, runId))
  const done = checkpoint.lines
  const { found } = o.attempt
  const recordsMax = o.recordsMax ?? recordsOfRunMax
  const linesMax = Math.min(recordsMax, found?.state.order?.lines_max ?? recordsMax)
  const turn = new Turn()
  let seen = 0
  let batch: SourceRecord[] = []
  const flush = async () => {
    o.signal.throwIfAborted()
    const records = batch
    batch = []
    checkpoint = await withTransaction(o.pool, { workspaceId, statementTimeoutMs: 30_000 }, async (tx) => {
      if (!(await keepLease(tx, o.attempt.work, o.leaseMs))) throw new LeaseLost()
      return stageBatch(tx, o.attempt, records, checkpoint)
    })
    progressed()
    if (found && isDoomed({ ...checkpoint, linesMax })) throw new SourceFailure('too_many_rejects')
  }
  for await (const record of o.records) {
    if (turn.isOver()) await turn.pass()
    seen += 1
    if (seen > recordsMax) throw new SourceFailure('feed_too_large', record.line)
    if (seen <= done) continue
    batch.push(record)
    if (batch.length >= batchRecords) await flush()
  }
  if (batch.length > 0) await flush()
}

async function stageBatch(
  tx: Transaction,
  attempt: Attempt,
  records: SourceRecord[],
  from: Checkpoint,
): Promise<Checkpoint> {
  const { workspaceId } = attempt.work
  const at: Checkpoint = { ...from, warnings: { ...from.warnings }, lines: from.lines + records.length }
  const rejects: Reject[] = []
  const rows = new Map<string, StagedRow>()
  const mode: CombineMode = attempt.order.basis.settings.combine ?? 'sum'
  const staged = await readStaged(tx, { workspaceId, runId: attempt.run.id, rowKeys: keysOf(records, attempt) })
  for (const { line, checked } of records) {
    if (checked === null || (checked.ok && isOutside(checked.row.day, attempt.order.window))) {
      at.skipped += 1
      continue
    }
    if (!checked.ok) {
      rejects.push(rejectOf(line, checked))
      continue
    }
    const row = toStaged(checked, attempt, at.timeZone)
    const combined = combineRow(rows.get(row.rowKey)?.values ?? staged.get(row.rowKey), row.values, mode)
    if (!combined.ok) {
      rejects.push(rejectOf(line, rejected(combined.error, combined.field)))
      continue
    }
    rows.set(row.rowKey, { ...row, values: combined.value })
    at.accepted += 1
    for (const code of [...checked.warnings, ...(row.approximate ? ['approximate_day'] : [])]) {
      at.warnings[code] = (at.warnings[code] ?? 0) + 1
    }
  }
  const before = at.rejected
  at.rejected += rejects.length
  await stageRows(tx, workspaceId, attempt.run.id, [...rows.values()])
  if (attempt.found) {
    const kept = rejects.slice(0, Math.max(0, rejectsKeptMax - before))
    await addRejects(tx, workspaceId, attempt.found.id, kept)
  } else await addRunRejects(tx, { workspaceId, runId: attempt.run.id, before, rejects })
  await writeCheckpoint(tx, workspaceId, attempt.run.id, at)
  return at
}

function keysOf(records: SourceRecord[], attempt: Attempt): string[] {
  return records.flatMap(({ checked }) => (checked?.ok ? [rowKeyText(checked.row, attempt.order.brand_slug)] : []))
}

/** The source was asked for other days; uploads have no window. */
function isOutside(day: string, window: { from: string; to: string } | null): boolean {
  return window !== null && (day < window.from || day > window.to)
}

function toStaged({ row, campaignName = null }: AcceptedRow, attempt: Attempt, workspaceZone: string): StagedRow {
  const zones = { sourceZone: attempt.order.basis.source_time_zone, workspaceZone }
  return { ...row, campaignName, rowKey: rowKeyText(row, attempt.order.brand_slug), ...workspaceDayOf(row, zones) }
}
