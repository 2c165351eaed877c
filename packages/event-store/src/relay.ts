// Carries the rows of a service's outbox to the log: one relay per outbox, oldest rows first, fair between keys
// (stack.md 6). It must never send anything unless its leadership is fresh, and never skip a row that commits late.
import type { EventLog, LogLogger, MovableRow, NewLogRecord } from '@wds/event-log/port'
import { holdLeaderLock, type Leadership } from '@wds/postgres/advisory-lock'
import { ownConnection, type Pool, type Queryable } from '@wds/postgres/pool'
import { allInOrder, withTransaction } from '@wds/postgres/transaction'
import { startSend, type TracedRecord } from '@wds/telemetry/messaging-spans'
import { isMetering, observe, timed } from '@wds/telemetry/metrics'
import { outboxMetrics } from '@wds/telemetry/platform-metrics'
import { createProgress, type Loop, type Progress, waitingFor } from '@wds/telemetry/progress'
import { errorTypeOf, isTracing, type SpanBatch } from '@wds/telemetry/spans'
import { createHoldBack, type HoldBack, heldRows } from './hold-back.ts'
import { outboxAge } from './outbox.ts'
import { OutboxSignal, outboxSignal } from './outbox-signal.ts'

// biome-ignore lint/performance/noBarrelFile: whoever starts a relay takes the signal from the same place.
export { OutboxSignal } from './outbox-signal.ts'

export interface RelayOptions {
  /** Of the worker role; the leader lock has a connection of its own. */
  connectionString: string
  /** Of the worker role. */
  pool: Pool
  log: EventLog
  /** `WDS_LOG_PARTITIONS`. */
  partitions: number
  signal: AbortSignal
  logger: LogLogger
  /** Rows at a time, default 500. */
  batchSize?: number
  /** Knows of the relay as `relay`. */
  progress?: Progress
  /** Wakes the relay beside the signal of this process, which every append raises. */
  wake?: OutboxSignal
  /** Keeps bursts in the outbox while their partition lags. Default: for the topics of which `contracts` says so. */
  holdBack?: HoldBack
}

/** Shortest and longest wait of the poll, ms. */
const pollMs = { min: 5, max: 250 }
/**
 * After a batch of several rows that was not full: at least `least` between the beginnings of two, and from `many` rows on as long as
 * the batch took, at most `most` or `mostPerRow` for each row, in all `mostOfAll`; ms. A row that comes alone goes at once; under load
 * the rows of this time share what a batch costs, here and in everybody who reads it, which is far more than what a row does, most of
 * all on Kafka. `held`: the longest wait for rows of other keys while some are held back, after `least`.
 */
const pace = { least: 10, many: 5, most: 20, mostPerRow: 0.5, mostOfAll: 50, held: 25 }
const backOffMs = { min: 50, max: 2000 }
const batchRows = 500

/** Runs until the signal is aborted. Only the leader works; the others wait to take over (within 15 s). */
export async function runRelay(o: RelayOptions): Promise<void> {
  const loop = (o.progress ?? createProgress()).loop('relay')
  const name = `relay:${await schemaName(o, loop)}`
  const lock = {
    loop,
    connectionString: o.connectionString,
    name,
    signal: o.signal,
    onError: (error: unknown) => o.logger.warn({ err: error, relay: name }, 'relay lost its lock or its connection'),
  }
  let leads = 0
  const endObserving = observe([outboxMetrics.leads, outboxMetrics.age], {
    onError: (error) => o.logger.warn({ err: error }, 'the age of the outbox could not be read'),
    async read(report) {
      report(outboxMetrics.leads, leads)
      report(outboxMetrics.age, (await outboxAge(o.pool)) / 1_000)
    },
  })
  const batching = { ...o, pool: ownConnection(o.pool, 'relay') }
  await holdLeaderLock(lock, async (leadership) => {
    o.logger.info({ relay: name, partitions: o.partitions }, 'relay leads')
    leads = 1
    await relayAsLeader(batching, leadership, loop)
    leads = 0
    o.logger.info({ relay: name }, 'relay leads no more')
  }).finally(() => {
    endObserving()
    loop.end()
  })
}

/** Empties the outbox while the leadership lasts. */
export async function relayAsLeader(
  o: RelayOptions,
  leadership: Leadership,
  loop: Loop = createProgress().loop('relay'),
): Promise<void> {
  const ended = AbortSignal.any([o.signal, leadership.signal])
  const wait = (ms: number): Promise<boolean> => waitForAny([outboxSignal, ...(o.wake ? [o.wake] : [])], ms, ended)
  const batching = { ...o, holdBack: o.holdBack ?? createHoldBack(o) }
  // Nobody raises it: a pause that only the end cuts short.
  const unheard = new OutboxSignal()
  let waitMs: number = pollMs.min
  let failures = 0
  // Somebody said so after his commit: no look is needed.
  let hasRows = false
  while (!ended.aborted) {
    try {
      const startedMs = performance.now()
      const sent = leadership.isFresh() ? await loop.turn(() => relayBatch(batching, leadership, { hasRows })) : 0
      if (failures > 0) o.logger.info({}, 'relay publishes again')
      failures = 0
      hasRows = batching.holdBack.holds
      if (sent > 0) {
        waitMs = pollMs.min
        const tookMs = performance.now() - startedMs
        const restMs = restAfter(sent, { tookMs, size: o.batchSize ?? batchRows, isHolding: hasRows })
        if (restMs > 0) await unheard.wait(restMs, ended)
        // Rows held back can wait; a new row of another key ends the pause. After a full pass there are more of those already.
        if (hasRows && sent < heldRows) await wait(pace.held)
        continue
      }
      hasRows = await wait(waitMs)
      waitMs = Math.min(waitMs * 2, pollMs.max)
    } catch (error) {
      failures += 1
      if (failures === 1) o.logger.warn({ err: error }, 'relay cannot publish, rows stay in the outbox')
      await wait(Math.min(backOffMs.min * 2 ** Math.min(failures, 6), backOffMs.max))
    }
  }
}

/**
 * How long to rest after a batch, ms, by {@link pace}; 0 or less: not at all. `size`: of a full one, behind which more rows wait. While
 * rows are held back one that goes alone is likely the first of theirs: rows that keep coming must not hurry them.
 */
function restAfter(sent: number, o: { tookMs: number; size: number; isHolding: boolean }): number {
  const { tookMs } = o
  if ((sent === 1 && !o.isHolding) || sent >= o.size) return 0
  const mostMs = Math.min(Math.max(pace.most, sent * pace.mostPerRow), pace.mostOfAll)
  return Math.max(pace.least - tookMs, sent < pace.many ? 0 : Math.min(tookMs, mostMs))
}

/** The schema is the name of the outbox; a database that does not answer yet is asked again. */
async function schemaName(o: RelayOptions, loop: Loop): Promise<string> {
  for (let failures = 0; ; failures += 1) {
    try {
      const { rows } = await loop.turn(() => o.pool.query<{ schema: string }>('select current_schema() as schema'))
      return rows[0]?.schema ?? ''
    } catch (error) {
      if (o.signal.aborted) return ''
      if (failures === 0) o.logger.warn({ err: error }, 'relay waits for the database')
      await waitForAny([outboxSignal], backOffMs.max, o.signal)
    }
  }
}

/** True when one of them was raised. */
async function waitForAny(signals: OutboxSignal[], ms: number, ended: AbortSignal): Promise<boolean> {
  const woken = new AbortController()
  const stop = AbortSignal.any([ended, woken.signal])
  const isRaised = await Promise.race(signals.map((signal) => signal.wait(ms, stop)))
  woken.abort()
  return isRaised
}

type Batching = Pick<RelayOptions, 'pool' | 'log' | 'batchSize' | 'holdBack'>
/** Takes what a batch publishes, once that is known. */
type Begin = (records: readonly TracedRecord[]) => void

/** Publishes one batch and removes its rows; returns how many. `hasRows`: there are some. Exported for the tests. */
export async function relayBatch(
  o: Batching,
  leadership: Pick<Leadership, 'isFresh'>,
  known = { hasRows: false },
): Promise<number> {
  if (!known.hasRows && !(await findsRows(o.pool))) return 0
  void o.holdBack?.look()
  return timed(outboxMetrics.sendDuration, { 'messaging.operation.name': 'send' }, () => sendTraced(o, leadership))
}

async function sendTraced(o: Batching, leadership: Pick<Leadership, 'isFresh'>): Promise<number> {
  let records: readonly TracedRecord[] = []
  let spans: SpanBatch | undefined
  const begin: Begin = (found) => {
    records = found
    spans = startSend(records)
  }
  try {
    await (o.log.moveWithin ? moveInTransaction(o, leadership, begin) : publishAndRemove(o, leadership, begin))
    spans?.end()
  } catch (error) {
    spans?.end({ errorType: errorTypeOf(error) })
    throw error
  }
  if (isMetering()) {
    for (const [topic, own] of Map.groupBy(records, (record) => record.topic)) {
      outboxMetrics.sent.add(own.length, { 'messaging.destination.name': topic })
    }
  }
  return records.length
}

async function moveInTransaction(o: Batching, leadership: Pick<Leadership, 'isFresh'>, begin: Begin): Promise<void> {
  await withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    const [, found] = await allInOrder([planByKeys(tx), findRows(tx, sizeOf(o))])
    const rows = admitted(o, found)
    if (rows.length === 0) return
    begin(rows)
    if (!leadership.isFresh()) throw new LeadershipLost('leadership is not fresh: nothing is sent')
    // What is removed is what is sent: whoever leads next waits for this transaction and finds the rows gone.
    const { moveWithin } = o.log
    if (moveWithin) tx.withCommit(() => moveWithin(tx, rows, removal))
  })
}

async function publishAndRemove(o: Batching, leadership: Pick<Leadership, 'isFresh'>, begin: Begin): Promise<void> {
  const found = await withTransaction(o.pool, { workspaceId: null, readOnly: true }, async (tx) => {
    const [, read] = await allInOrder([planByKeys(tx), readRows(tx, sizeOf(o))] as const)
    return read
  })
  const rows = admitted(o, found)
  if (rows.length === 0) return
  if (!leadership.isFresh()) throw new LeadershipLost('leadership is not fresh: nothing is sent')
  const records = rows.map(toRecord)
  begin(records)
  await waitingFor(() => o.log.publish(records))
  const remove = { name: 'outbox-remove', text: removeSql, values: [rows.map((row) => row.id)] }
  await withTransaction(o.pool, { workspaceId: null }, (tx) => allInOrder([planByKeys(tx), tx.query(remove)]))
}

function sizeOf(o: Batching): number {
  const size = o.batchSize ?? batchRows
  return o.holdBack?.holds ? Math.min(size, heldRows) : size
}

function admitted<R extends { topic: string; key: string }>(o: Batching, found: R[]): R[] {
  return o.holdBack?.admit(found) ?? found
}

/** The batch is rolled back or was not sent: somebody else leads, or will. */
export class LeadershipLost extends Error {
  override name = 'LeadershipLost'
}

interface OutboxRow {
  id: string
  topic: string
  key: string
  event_id: string
  headers: Record<string, string>
  payload: Buffer | null
}

// The oldest rows, and the first ones of up to 500 keys however far behind they stand: an import of 100,000 events of one
// workspace does not stand before everybody else's. Both parts are beginnings of their keys' queues, so within a key the
// order stays that of the ids. Only a backlog pays for the second part. Served by the primary key and by outbox_key.
// The size stands in the text: with a parameter the statement is planned at every call, which costs five times what it does.
const windowSql = (size: number): string => `
  with recursive backlog(yes) as (
    select count(*) > ${size} from (select from outbox order by id limit ${size} + 1) f
  ), keys(key, n) as (
    (select key, 1 from outbox where (select yes from backlog) order by key limit 1)
    union all
    select (select o.key from outbox o where o.key > k.key order by o.key limit 1), k.n + 1
    from keys k where k.key is not null and k.n < 500
  ), candidates as (
    (select id, key from outbox order by id limit ${size} * 4)
    union
    (select f.id, f.key from keys k cross join lateral
      (select id, key from outbox o where o.key = k.key order by key, id limit 4) f where k.key is not null)
  ), picked as materialized (
    select id from candidates order by row_number() over (partition by key order by id), id limit ${size}
  )`

/** One round trip for the look that finds nothing, which is what an idle relay does. The primary key serves it. */
async function findsRows(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'outbox-look', text: 'select from outbox order by id limit 1' })
  return rowCount === 1
}

const removeSql = 'delete from outbox where id = any($1::bigint[])'
const removal = `${removeSql} returning id, topic, key, event_id, headers, payload`

/**
 * Plans use the indexes, whatever the table held when they were made. A plan made while the outbox was nearly empty reads and sorts a
 * whole burst in each pass, half a second for 60,000 rows, until the table is vacuumed.
 */
async function planByKeys(tx: Queryable): Promise<void> {
  await tx.query({
    name: 'outbox-plan-by-keys',
    text: `select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
  })
}

/** What a move is told of its rows, and their spans where somebody records. */
async function findRows(tx: Queryable, size: number): Promise<(MovableRow & TracedRecord)[]> {
  const traced = isTracing()
  const { rows } = await tx.query<Omit<OutboxRow, 'payload'> & { size: number | null }>({
    name: `outbox-find-${size}${traced ? '-traced' : ''}`,
    text: `${windowSql(size)} select o.id, o.topic, o.key, o.event_id,
        ${traced ? 'o.headers, octet_length(o.payload) as size' : `'{}'::json as headers, null::integer as size`}
      from picked p cross join lateral (select * from outbox where id = p.id limit 1) o`,
  })
  return inOrder(rows).map(({ id, topic, key, event_id: eventId, headers, size: byteLength }) => {
    return { id, topic, key, eventId, headers, payload: byteLength === null ? null : { byteLength } }
  })
}

async function readRows(tx: Queryable, size: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>({
    name: `outbox-read-${size}`,
    text: `${windowSql(size)} select o.id, o.topic, o.key, o.event_id, o.headers, o.payload
      from picked p cross join lateral (select * from outbox where id = p.id limit 1) o`,
  })
  return inOrder(rows)
}

/** Identity values stay below 2^53 for longer than any database lives. */
function inOrder<R extends { id: string }>(rows: R[]): R[] {
  return rows.sort((a, b) => Number(a.id) - Number(b.id))
}

function toRecord(row: OutboxRow): NewLogRecord {
  const { topic, key, headers, payload } = row
  return { topic, key, eventId: row.event_id, headers, payload }
}
