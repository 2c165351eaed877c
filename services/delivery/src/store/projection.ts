// Compares the stored state of deliveries, and the list of the dead ones, with the fold of their log, and writes both anew from it (delivery.md, The log).
import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { DeadReason, DeliveryLogKind } from '@wds/contracts/states'
import type { Pool, Queryable } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type DeliveryState, fold } from '../domain/delivery.ts'
import type { Schedule } from '../domain/schedule.ts'
import { existingDays } from './partitions.ts'

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

/** Goes over all days in short pages; reports each difference. `rebuild` writes the fold. Returns how many deliveries were read. */
export async function checkProjection(
  pool: Pool,
  o: { schedule: Schedule; rebuild: boolean; report(difference: Difference): void },
): Promise<number> {
  let count = 0
  for (const day of await existingDays(pool)) {
    let after = ''
    for (;;) {
      const rows = await readPage(pool, day, after)
      for (const row of rows) await checkRow(pool, day, row, o)
      count += rows.length
      after = rows.at(-1)?.delivery_id ?? ''
      if (rows.length < pageSize) break
    }
  }
  return count
}

async function checkRow(
  pool: Pool,
  day: string,
  row: StoredRow,
  o: { schedule: Schedule; rebuild: boolean; report(difference: Difference): void },
): Promise<void> {
  const folded = toColumns(foldOf(row, o.schedule))
  const different = Object.keys(folded).filter((column) => row.stored[column] !== folded[column])
  if (different.length === 0) return
  for (const column of different) {
    o.report({
      deliveryId: row.delivery_id,
      day,
      column,
      stored: row.stored[column] ?? null,
      folded: folded[column] ?? null,
    })
  }
  if (o.rebuild) await rewrite(pool, day, row.delivery_id, folded)
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
    dead_letter: state.status === 'dead',
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
                    'dead_letter', exists (select 1 from dead_deliveries x where x.event_day = d.event_day and x.delivery_id = d.delivery_id and x.workspace_id = d.workspace_id)) as stored,
                  (select jsonb_agg(jsonb_build_object('kind', l.kind, 'epoch', l.epoch, 'attempt', l.attempt, 'at', ${micros('l.at')},
                            'due', ${micros('l.next_attempt')}, 'status', l.response_status, 'error', l.error_code, 'reason', l.dead_reason) order by l.seq)
                     from delivery_log l where l.event_day = d.event_day and l.delivery_id = d.delivery_id and l.workspace_id = d.workspace_id) as log
             from deliveries d where d.event_day = $1 and d.delivery_id > $2 order by d.delivery_id limit ${pageSize}`,
    values: [day, after],
  })
  return rows
}

async function rewrite(pool: Pool, day: string, id: string, folded: Folded): Promise<void> {
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    const { rows } = await tx.query<{ workspace_id: string }>(
      `update deliveries d set status = f.status, epoch = f.epoch, attempt = f.attempt, attempts_total = f.attempts_total, seq = f.seq,
              next_attempt = to_timestamp(f.next_attempt / 1000000.0), delivered = to_timestamp(f.delivered / 1000000.0),
              dead = to_timestamp(f.dead / 1000000.0), dead_reason = f.dead_reason, last_outcome = f.last_outcome,
              last_status = f.last_status, last_error_code = f.last_error_code
         from jsonb_to_record($3) as f(status text, epoch int, attempt int, attempts_total int, seq int, next_attempt numeric, delivered numeric, dead numeric,
              dead_reason text, last_outcome text, last_status int, last_error_code text)
        where d.event_day = $1 and d.delivery_id = $2
          and f.seq = (select max(l.seq) from delivery_log l where l.event_day = d.event_day and l.delivery_id = d.delivery_id) returning d.workspace_id`,
      [day, id, JSON.stringify(folded)],
    )
    const [row] = rows
    if (row === undefined) return
    await tx.query(
      folded.dead_letter
        ? 'insert into dead_deliveries (event_day, delivery_id, workspace_id) values ($1, $2, $3) on conflict do nothing'
        : 'delete from dead_deliveries where event_day = $1 and delivery_id = $2 and workspace_id = $3',
      [day, id, row.workspace_id],
    )
  })
}
