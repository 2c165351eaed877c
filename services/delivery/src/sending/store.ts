// The sender's port on the tables: claim, settle, take over. One round trip each; a settle that may exhaust a delivery also puts
// its announcement into the outbox, in the same transaction. It never decides a delay or an outcome.
import type { EventData } from '@wds/contracts/event-data'
import { topics } from '@wds/contracts/topics'
import { dbNow } from '@wds/event-store/event-store'
import { putInOutboxAndKeep } from '@wds/event-store/kept-announcements'
import type { OutboxRecord } from '@wds/event-store/outbox'
import { unstreamedRecords } from '@wds/event-store/unstreamed'
import { ownConnection, type Pool, type Queryable } from '@wds/postgres/pool'
import { retryDeadlocks, sqlStateOf, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { breakerFailures } from '../lanes/domain/lane.ts'
import { deliveryMetrics } from '../metrics.ts'
import type { ClaimedAttempt, ClaimStore, HeldAttempt, SettledAttempt } from './ports.ts'
import { lostLeases, postponeLease, type WorkerSession } from './store-leases.ts'

/**
 * Builds the port. `disableGone` carries out the command of settled-points.md 7. Without a `worker` what is claimed is lost at the end of
 * its lease only.
 */
export function createClaimStore(o: {
  pool: Pool
  disableGone: ClaimStore['disableGone']
  breaker?: number
  worker?: WorkerSession
}): ClaimStore {
  const worker = o.worker ?? null
  const breaker = o.breaker ?? breakerFailures
  const [claiming, settling] = [ownConnection(o.pool, 'claim'), ownConnection(o.pool, 'settle')]
  return {
    claim: async (input) => (worker?.heldMs() === 0 ? [] : claim(claiming, input, worker)),
    settle: (rows) => settleAll(settling, rows, breaker),
    isFaultOfRows,
    postpone: (lease, ms) => postponeLease(o.pool, lease, ms),
    hold: (rows, how) => hold(o.pool, rows, how),
    lostLeases: (limit) => lostLeases(o.pool, worker, limit),
    nextDueInMs: () => nextDueInMs(claiming),
    disableGone: o.disableGone,
  }
}

interface ClaimedRow {
  delivery_id: string
  subscription_id: string
  workspace_id: string
  event_day: string
  event_id: string
  epoch: number
  attempt: number
  slow: boolean
  payload: Buffer
  traceparent: string | null
  url: string
  headers: Record<string, string>
  secrets: { id: string; ciphertext: string; version: number }[] | null
}

async function claim(
  pool: Pool,
  i: Parameters<ClaimStore['claim']>[0],
  worker: WorkerSession | null,
): Promise<ClaimedAttempt[]> {
  const { rows } = await retryDeadlocks(() =>
    pool.query<ClaimedRow>({
      name: 'claim',
      text: `select delivery_id, subscription_id, workspace_id, event_day::text, event_id, epoch, attempt, slow,
                    payload, traceparent, url, headers, secrets
               from claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      values: [
        i.claimId,
        i.slots,
        i.lanes,
        i.leaseMs,
        i.busy.map((b) => b.workspaceId),
        i.busy.map((b) => b.used),
        i.share,
        i.slowLanes,
        i.slowRoom,
        worker?.key ?? null,
      ],
    }),
  )
  return rows.map((row) => ({
    deliveryId: row.delivery_id,
    subscriptionId: row.subscription_id,
    workspaceId: row.workspace_id,
    eventDay: row.event_day,
    eventId: row.event_id,
    epoch: row.epoch,
    attempt: row.attempt,
    slow: row.slow,
    payload: row.payload,
    traceparent: row.traceparent,
    url: row.url,
    headers: row.headers,
    secrets: row.secrets ?? [],
    claimId: i.claimId,
  }))
}

/** Of a delivery that still lives or was delivered only the id is told. */
type SettledRow = { delivery_id: string; dead_reason: null } | DeadRow

interface DeadRow {
  delivery_id: string
  workspace_id: string
  subscription_id: string
  event_id: string
  event_type: string
  epoch: number
  attempt: number
  last_status: number | null
  dead_reason: string
}

async function settleAll(pool: Pool, rows: SettledAttempt[], breaker: number): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const mayExhaust = rows.some((row) => row.delayMs === null && row.kind !== 'attempt_succeeded')
  const settled = mayExhaust
    ? await withTransaction(pool, { workspaceId: null }, (tx) => settleAndAnnounce(tx, rows, breaker))
    : await retryDeadlocks(() => settle(pool, rows, breaker))
  for (const { dead_reason: reason } of settled) if (reason !== null) deliveryMetrics.dead.add(1, { reason })
  return new Set(settled.map((row) => row.delivery_id))
}

async function settle(db: Queryable, rows: SettledAttempt[], breaker: number): Promise<SettledRow[]> {
  const result = await db.query<SettledRow>({
    name: 'settle',
    text: 'select * from settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)',
    values: [
      rows.map((r) => r.workspaceId),
      rows.map((r) => r.subscriptionId),
      rows.map((r) => r.deliveryId),
      rows.map((r) => r.claimId),
      rows.map((r) => r.attemptId),
      rows.map((r) => r.kind),
      rows.map((r) => r.status),
      rows.map((r) => r.errorCode),
      rows.map((r) => (r.durationMs === null ? null : Math.round(r.durationMs))),
      rows.map((r) => r.traceId),
      rows.map((r) => r.url),
      rows.map((r) => r.signedAt),
      rows.map((r) => r.excerpt?.replaceAll('\0', '') ?? null),
      rows.map((r) => (r.delayMs === null ? null : Math.ceil(r.delayMs))),
      rows.map((r) => r.startedMs),
      breaker,
      rows.map((r) => r.isRepeated),
    ],
  })
  return result.rows
}

async function hold(
  pool: Pool,
  rows: HeldAttempt[],
  o: Parameters<ClaimStore['hold']>[1],
): ReturnType<ClaimStore['hold']> {
  const result = await retryDeadlocks(() =>
    pool.query<{ delivery_id: string; subscription_id: string; begins: boolean; is_over: boolean }>({
      name: 'hold',
      text: 'select delivery_id, subscription_id, begins, is_over from hold($1, $2, $3, $4, $5, $6, $7)',
      values: [
        rows.map((r) => r.workspaceId),
        rows.map((r) => r.subscriptionId),
        rows.map((r) => r.deliveryId),
        rows.map((r) => r.claimId),
        o.restMs,
        o.mostMs,
        o.isFault ?? true,
      ],
    }),
  )
  const idsWhere = (isOver: boolean) =>
    new Set(result.rows.filter((row) => row.is_over === isOver).map((row) => row.delivery_id))
  const begun = new Set(result.rows.filter((row) => row.begins).map((row) => row.subscription_id))
  return { held: idsWhere(false), begun: [...begun], over: idsWhere(true) }
}

/** SQLSTATE classes of data and constraints, of `raise`, and of damaged storage: trying again changes nothing. */
function isFaultOfRows(error: unknown): boolean {
  return /^(?:22|23|P0|XX)/.test(sqlStateOf(error) ?? '')
}

/** Of a delivery of this type it is not told that it died: two subscriptions that fail would tell each other for ever (domain.md 5). */
const exhaustedType = 'webhook.delivery_exhausted'

async function settleAndAnnounce(tx: Transaction, rows: SettledAttempt[], breaker: number): Promise<SettledRow[]> {
  const settled = await settle(tx, rows, breaker)
  const exhausted = settled.filter(
    (row): row is DeadRow => row.dead_reason === 'attempts_exhausted' && row.event_type !== exhaustedType,
  )
  if (exhausted.length > 0) {
    const nowMs = await dbNow(tx)
    await putInOutboxAndKeep(
      tx,
      exhausted.flatMap((row) => exhaustedRecords(tx, row, nowMs)),
    )
  }
  return settled
}

/** `webhook.delivery_exhausted`: once per delivery and epoch, since a settle takes effect once (domain.md 5.56). */
function exhaustedRecords(tx: Transaction, row: DeadRow, nowMs: number): OutboxRecord[] {
  const { workspace_id: workspaceId, delivery_id: correlation, event_id: causation } = row
  const data: EventData[typeof exhaustedType] = {
    webhook_id: row.subscription_id,
    delivery_id: row.delivery_id,
    event_id: row.event_id,
    event_type: row.event_type,
    attempts: row.attempt,
    last_status: row.last_status,
  }
  const context = { workspaceId, actor: { type: 'system', id: 'delivery' }, correlation, causation } as const
  const announcement = { topic: topics.workspaceEvents, key: workspaceId, type: exhaustedType, data }
  return unstreamedRecords(tx, context, { nowMs, announcements: [announcement] })
}

/**
 * Milliseconds until the earliest row falls due, 0 when it is due, null when nothing waits in an open lane with room: a full one is
 * looked at when its next attempt has ended. Index lanes_due.
 */
async function nextDueInMs(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>({
    name: 'next-due',
    // Not `greatest(0, …)`, which is 0 where no lane waits: it leaves nulls out.
    text: `select (extract(epoch from min(greatest(next_due, ready_at)) - app_now()) * 1000)::float8 as ms
             from lanes where next_due < 'infinity' and ready_at < 'infinity' and in_flight < least(cap, max_in_flight)`,
  })
  const ms = rows[0]?.ms ?? null
  return ms === null ? null : Math.max(0, ms)
}
