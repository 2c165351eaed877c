// Compares the stored state of deliveries, and the list of the dead ones, with the fold of their log, and writes both anew from it (delivery.md 3).
import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { DeadReason, DeliveryLogKind } from '@wds/contracts/states'
import type { Pool, Queryable } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { existingDays } from '../days/store.ts'
import { type DeliveryState, fold } from './domain/delivery.ts'
import type { Schedule } from './domain/schedule.ts'

/** What of a delivery is the fold of its log. */
type Folded = Record<string, string | number | boolean | null>

/** A stored row that differs from the fold of its log. */
export interface Difference {
  deliveryId: string
  day: string
  column: string
  stored: string | number | boolean | null
  folded: string | number | boolean | null
}

interface StoredRow {
  delivery_id: string
  stored: Folded
  log: {
    kind: string
    epoch: number
    attempt: number
    at: number
    due: number | null
    status: number | null
    error: string | null
    reason: string | null
  }[]
}

const pageSize = 500

export interface CheckOptions {
  schedule: Schedule
  /** Writes the fold where it differs. */
  rebuild: boolean
  report(difference: Difference): void
  /** After each page: the day it is of, and how many deliveries were read so far. */
  progress?(day: string, count: number): void
}

/** Goes over all days in short pages; reports each difference. Returns how many deliveries were read. */
export async function checkProjection(pool: Pool, o: CheckOptions): Promise<number> {
  let count = 0
  for (const day of await existingDays(pool)) {
    let after = ''
    for (;;) {
      const rows = await readPage(pool, day, after)
      const different = rows.flatMap((row) => {
        const folded = toColumns(foldOf(row, o.schedule))
        return reportRow(day, row, folded, o) ? [{ delivery_id: row.delivery_id, ...folded }] : []
      })
      if (o.rebuild && different.length > 0) await rewrite(pool, day, different)
      count += rows.length
      o.progress?.(day, count)
      after = rows.at(-1)?.delivery_id ?? ''
      if (rows.length < pageSize) break
    }
  }
  return count
}

/** Reports each column that differs; true when one does. */
function reportRow(day: string, row: StoredRow, folded: Folded, o: CheckOptions): boolean {
  const different = Object.keys(folded).filter((column) => row.stored[column] !== folded[column])
  for (const column of different) {
    const [stored, expected] = [row.stored[column] ?? null, folded[column] ?? null]
    o.report({ deliveryId: row.delivery_id, day, column, stored, folded: expected })
  }
  return different.length > 0
}

function foldOf(row: StoredRow, schedule: Schedule): DeliveryState {
  return fold(
    row.log.map((entry) => ({
      kind: entry.kind as DeliveryLogKind,
      epoch: entry.epoch,
      attempt: entry.attempt,
      atMs: entry.at,
      dueMs: entry.due,
      status: entry.status,
      errorCode: entry.error as AttemptErrorCode | null,
      deadReason: entry.reason as DeadReason | null,
    })),
    schedule,
  )
}

function toColumns(state: DeliveryState): Folded {
  return {
    status: state.status,
    epoch: state.epoch,
    attempt: state.attempt,
    attempts_total: state.attemptsTotal,
    seq: state.seq,
    next_attempt: state.dueMs,
    delivered: state.deliveredMs,
    dead: state.deadMs,
    dead_reason: state.deadReason,
    last_outcome: state.lastOutcome,
    last_status: state.lastStatus,
    last_error_code: state.lastError,
    dead_letter:
      state.status === 'dead'
        ? [state.deadReason, state.lastStatus, state.lastError].filter((part) => part !== null).join(' ')
        : null,
  }
}

// Microseconds since 1970 are whole numbers below 2^53: compared exactly.
const micros = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint`

/** Row and log in one statement, so one snapshot. Primary keys of one partition each. */
async function readPage(db: Queryable, day: string, after: string): Promise<StoredRow[]> {
  const { rows } = await db.query<StoredRow>({
    name: 'projection-page',
    text: `select d.delivery_id,
                  jsonb_build_object('status', d.status, 'epoch', d.epoch, 'attempt', d.attempt, 'attempts_total', d.attempts_total, 'seq', d.seq,
                    'next_attempt', ${micros('d.next_attempt')}, 'delivered', ${micros('d.delivered')}, 'dead', ${micros('d.dead')},
                    'dead_reason', d.dead_reason, 'last_outcome', d.last_outcome, 'last_status', d.last_status, 'last_error_code', d.last_error_code,
                    'dead_letter', (select concat_ws(' ', x.dead_reason, x.last_status, x.last_error_code)
                                      from dead_deliveries x where x.event_day = d.event_day and x.delivery_id = d.delivery_id and x.workspace_id = d.workspace_id)) as stored,
                  (select jsonb_agg(jsonb_build_object('kind', l.kind, 'epoch', l.epoch, 'attempt', l.attempt, 'at', ${micros('l.at')},
                            'due', ${micros('l.next_attempt')}, 'status', l.response_status, 'error', l.error_code, 'reason', l.dead_reason) order by l.seq)
                     from delivery_log l where l.event_day = d.event_day and l.delivery_id = d.delivery_id and l.workspace_id = d.workspace_id) as log
             from deliveries d where d.event_day = $1 and d.delivery_id > $2 order by d.delivery_id limit ${pageSize}`,
    values: [day, after],
  })
  return rows
}

/** A page's rows in one transaction; one that changed since it was read is left alone. Primary keys of one partition each. */
async function rewrite(pool: Pool, day: string, folded: (Folded & { delivery_id: string })[]): Promise<void> {
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `update deliveries d set status = f.status, epoch = f.epoch, attempt = f.attempt, attempts_total = f.attempts_total, seq = f.seq,
              next_attempt = to_timestamp(f.next_attempt / 1000000.0), delivered = to_timestamp(f.delivered / 1000000.0),
              dead = to_timestamp(f.dead / 1000000.0), dead_reason = f.dead_reason, last_outcome = f.last_outcome,
              last_status = f.last_status, last_error_code = f.last_error_code
         from jsonb_to_recordset($2) as f(delivery_id text, status text, epoch int, attempt int, attempts_total int, seq int,
              next_attempt numeric, delivered numeric, dead numeric, dead_reason text, last_outcome text, last_status int, last_error_code text)
        where d.event_day = $1 and d.delivery_id = f.delivery_id
          and f.seq = (select max(l.seq) from delivery_log l where l.event_day = d.event_day and l.delivery_id = d.delivery_id)
       returning d.delivery_id as id`,
      [day, JSON.stringify(folded)],
    )
    const ids = rows.map(({ id }) => id)
    await tx.query('delete from dead_deliveries where event_day = $1 and delivery_id = any($2)', [day, ids])
    await tx.query(
      `insert into dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code)
       select event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code
         from deliveries where event_day = $1 and delivery_id = any($2) and status = 'dead'`,
      [day, ids],
    )
  })
}
