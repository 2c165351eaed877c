/**
 * Of the nightly run, F25: a session that sits in a transaction, one of ours, which the server ends, or a foreign one with a snapshot that
 * nobody ends; and the slot of a replica that is gone. What was removed stays in the queues meanwhile; relay, consumers and senders go on,
 * the services tell of it, and once it is over the queues are cleared away. With the log in Postgres: one database has all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { isFullRun } from '@wds/local-infra/test-size'
import { createPool } from '@wds/postgres/pool'
import pg from 'pg'
import { startOwnStandby } from '../../harness/own-postgres.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo } from '../../harness/undo.ts'
import { latencies, report, type Write, writeWhile as writeToWhile } from '../rig/load.ts'
import { requireEndInOrder, requireWhole } from '../rig/require-whole.ts'
import { type Rig, startRig } from '../rig/rig.ts'
import { compared, queues, readQueues, snapshotMetricsOf, type Watched, watchQueuesWhile } from './watch-queues.ts'

const usualMs = isFullRun() ? 60_000 : 10_000
const heldMs = isFullRun() ? 600_000 : 25_000
const slotMs = isFullRun() ? 120_000 : 15_000
/** The steady load of reliability.md 3: 20 events a second, with which a queue is compared. The others write more, so that vacuum has to come. */
const steady = { writers: 4, paceMs: 200 }
/** packages/postgres: `idle_in_transaction_session_timeout` of a pool. */
const idleMs = 10_000
/** The oldest row of an outbox, and all behind the last write: what is told late. A relay that stands has more within seconds. */
const lateMs = 5_000
/** The least age that the metrics show of what was held for so long, s: readings are 15 s apart, and the first one at which it is behind counts. */
const leastAgeOf = (ms: number) => Math.max(0, ms / 1_000 - 32)

const { undo, stop } = createUndo()
let rig: Rig
let primary: PostgresServer
const writes: Write[] = []
let usual: Watched = { bytes: {}, dead: {}, outboxAgeMs: 0 }
beforeAll(async () => {
  rig = await startRig({
    log: 'Postgres',
    ownPostgres: true,
    metrics: true,
    writers: 8,
    paceMs: isFullRun() ? 200 : 100,
  })
  undo.push(() => rig.stop())
  primary = rig.stack.postgres as PostgresServer
})
afterAll(stop)

/** Writes until `during` is over, all of which are answered with 200. */
async function writeWhile(during: () => Promise<unknown>, load?: typeof steady): Promise<Write[]> {
  const integrations = rig.integrations.slice(0, load?.writers)
  const own = await (load === undefined
    ? rig.writeWhile(during)
    : writeToWhile(rig.client, { integrations, paceMs: load.paceMs, during }))
  writes.push(...own)
  expect(own.filter(({ status }) => status !== 200)).toEqual([])
  return own
}

/** Everything that autovacuum has to clear away has been: it does so by itself. */
const cleared = () =>
  eventually('the queues are cleared', async () => {
    const left = (await readQueues(rig)).filter(({ name, dead }) => dead > (queues[name] ?? 0))
    return left.length === 0 || Promise.reject(new Error(JSON.stringify(left)))
  })

const metricsAreZero = () =>
  eventually('the metrics are 0', async () => {
    const both = await Promise.all([snapshotMetricsOf(rig, 'api'), snapshotMetricsOf(rig, 'delivery')])
    return both.every((metrics) => Object.values(metrics).every((value) => value === 0))
  })

test('F25: a session of ours that sits in a transaction is ended after 10 s, its locks and its snapshot with it: what waited for it is delivered, and no outbox is more than three times as large as it is usually', async () => {
  let held: Watched | undefined
  let session = { endedAfterMs: 0, code: '' }
  const own = await writeWhile(async () => {
    usual = await watchQueuesWhile(rig, () => sleep(usualMs))
    held = await watchQueuesWhile(rig, async () => {
      session = await leaveTransactionOpen()
      await sleep(3_000)
    })
  }, steady)
  report(`F25: ended after ${session.endedAfterMs.toFixed(0)} ms; answers to writes: ${latencies(own)}`)
  report(`F25: of ours: ${compared(usual, held as Watched)}`)
  expect(session).toEqual({ endedAfterMs: expect.any(Number), code: '25P03' })
  expect([session.endedAfterMs >= idleMs - 500, session.endedAfterMs < 2 * idleMs]).toEqual([true, true])
  expect(held?.outboxAgeMs).toBeLessThan(lateMs)
  for (const name of ['api.outbox', 'delivery.outbox'])
    expect([name, (held?.bytes[name] ?? Number.NaN) / (usual.bytes[name] ?? 0) <= 3]).toEqual([name, true])
  await requireWhole(rig, writes)
})

/** A worker's session that has locked every lane, and whose process then does nothing more. Resolves once the server has ended it, or nobody does. */
async function leaveTransactionOpen(): Promise<{ endedAfterMs: number; code: string }> {
  const connectionString = rig.stack.urls.delivery.worker
  const pool = createPool({ connectionString, applicationName: 'delivery-worker', max: 1 })
  const client = await pool.connect()
  const session = { endedAfterMs: Number.POSITIVE_INFINITY, code: '' }
  try {
    const ended = new Promise<string>((resolve) => {
      client.once('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message))
    })
    await client.query('begin')
    const { rowCount } = await client.query('select from lanes order by subscription_id for update')
    expect(rowCount).toBeGreaterThan(0)
    const startedMs = performance.now()
    session.code = await Promise.race([ended, sleep(3 * idleMs).then(() => 'nobody ends it')])
    session.endedAfterMs = performance.now() - startedMs
  } finally {
    client.release(true)
    await pool.end()
  }
  return session
}

test('F25: a foreign session keeps a snapshot: relay, consumers and senders go on, the services tell of it, and vacuum clears away once it is gone', async () => {
  const psql = new pg.Client({ connectionString: rig.stack.adminUrls.api, application_name: 'psql' })
  await psql.connect()
  try {
    await psql.query('begin isolation level repeatable read')
    await psql.query('select (select count(*) from api.outbox), (select count(*) from delivery.deliveries)')
    let held: Watched | undefined
    const own = await writeWhile(async () => {
      held = await watchQueuesWhile(rig, () => sleep(heldMs))
    })
    // Still with it.
    const drainedMs = await rig.drained()
    report(`F25: a snapshot for ${heldMs / 1_000} s: ${own.length} writes, ${latencies(own)}`)
    report(`F25: its oldest event waited ${held?.outboxAgeMs.toFixed(0)} ms, drained ${drainedMs.toFixed(0)} ms later`)
    report(`F25: foreign: ${compared(usual, held as Watched)}`)
    expect(held?.outboxAgeMs).toBeLessThan(lateMs)
    expect(drainedMs).toBeLessThan(lateMs)
    // Else nothing was held, and nothing is shown.
    const kept = (await readQueues(rig)).find(({ name }) => name === 'api.outbox')?.dead ?? 0
    expect(kept).toBeGreaterThan(own.length / 2)
    for (const service of ['api', 'delivery'] as const) {
      await eventually(`${service} tells of the transaction`, async () => {
        const { transaction, slot } = await snapshotMetricsOf(rig, service)
        return transaction > leastAgeOf(heldMs) && slot === 0
      })
    }
    await psql.query('commit')
    await cleared()
    let again: Watched | undefined
    await writeWhile(async () => {
      again = await watchQueuesWhile(rig, () => sleep(usualMs))
    })
    report(`F25: afterwards: ${compared(usual, again as Watched)}`)
    await metricsAreZero()
    // Of those that vacuum had to clear; some of that is not below what is written next. The long form leaves it some for certain.
    const toClear = Object.entries(queues).filter(([name, limit]) => (held?.dead[name] ?? 0) > limit)
    if (isFullRun()) expect(toClear.map(([name]) => name)).toContain('api.outbox')
    const grown = toClear.filter(([name]) => (again?.bytes[name] ?? 0) > 1.2 * (held?.bytes[name] ?? 0))
    expect(grown).toEqual([])
    await requireWhole(rig, writes)
  } finally {
    await psql.end()
  }
})

test('F25: the slot of a replica that is gone keeps a snapshot and WAL: all goes on, the services tell of both, and max_slot_wal_keep_size ends it', async () => {
  const slot = await makeStaleSlot()
  const admin = (sql: string) => rig.ask('api', sql)
  let held: Watched | undefined
  const own = await writeWhile(async () => {
    held = await watchQueuesWhile(rig, async () => {
      await sleep(slotMs)
      // As an hour of writes would.
      for (let segment = 0; segment < 5; segment += 1)
        await admin("select pg_switch_wal() from pg_logical_emit_message(false, 'F25', 'a word')")
    })
  })
  const drainedMs = await rig.drained()
  report(`F25: a slot for ${slotMs / 1_000} s: ${latencies(own)}; drained ${drainedMs.toFixed(0)} ms later`)
  report(`F25: a slot: ${compared(usual, held as Watched)}`)
  expect(held?.outboxAgeMs).toBeLessThan(lateMs)
  expect(drainedMs).toBeLessThan(lateMs)
  const kept = (await readQueues(rig)).find(({ name }) => name === 'api.outbox')?.dead ?? 0
  expect(kept).toBeGreaterThan(own.length / 2)
  const keptBytes = 4 * 16 * 2 ** 20
  await eventually('the metrics show the snapshot and the WAL that it keeps', async () => {
    const { slot: seconds, slotWalBytes } = await snapshotMetricsOf(rig, 'api')
    return seconds > leastAgeOf(slotMs) && slotWalBytes > keptBytes
  })
  // An operator's bound, of which the server makes use when it checks for WAL that nobody needs.
  await admin("alter system set max_slot_wal_keep_size = '32MB'")
  await admin('select pg_reload_conf()')
  await writeWhile(() =>
    eventually('the slot is given up', async () => {
      await admin('checkpoint')
      const [row] = await rig.ask<{ lost: boolean }>(
        'api',
        `select wal_status = 'lost' as lost from pg_replication_slots where slot_name = '${slot}'`,
      )
      return row?.lost
    }),
  )
  await Promise.all([cleared(), metricsAreZero()])
  await requireWhole(rig, writes)
})

/** A replica whose readers are told to the primary, and that is gone for good. Gives the name of its slot. */
async function makeStaleSlot(): Promise<string> {
  const settings = { hot_standby_feedback: 'on', wal_receiver_status_interval: '1s' }
  const standby = await startOwnStandby({ ...rig.stack, postgres: primary }, { synchronous: false, settings, undo })
  try {
    return await eventually('its slot says what it reads', async () => {
      const [row] = await rig.ask<{ name: string }>(
        'api',
        'select slot_name as name from pg_replication_slots where xmin is not null',
      )
      return row?.name
    })
  } finally {
    await standby.kill()
  }
}

test('F25: afterwards an event goes from end to end, and no process was ended by a fault', async () => {
  await requireEndInOrder(rig)
})
