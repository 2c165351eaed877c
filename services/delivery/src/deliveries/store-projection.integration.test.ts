// The stored state of deliveries can be written anew from their log, and is then what it was (delivery.md 3).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool } from '@wds/postgres/pool'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { endedAttempt } from '../sending/ended-attempt.fixture.ts'
import type { ClaimedAttempt, ClaimStore } from '../sending/ports.ts'
import { createClaimStore } from '../sending/store.ts'
import { defaultSchedule } from './domain/schedule.ts'
import { checkProjection, type Difference } from './store-projection.ts'

let engine: Engine
let store: ClaimStore
beforeAll(async () => {
  engine = await createEngine()
  store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
})
afterAll(() => engine?.stop())

const claim = (slots: number) =>
  store.claim({
    claimId: randomUUID(),
    slots,
    lanes: 32,
    leaseMs: 30_000,
    busy: [],
    share: slots,
    slowLanes: [],
    slowRoom: slots,
  })

const failed = { kind: 'attempt_failed', status: 500, errorCode: 'http_status' } as const

/** Deliveries in every state: delivered, retry, dead, replayed and delivered, replayed and waiting, under way, released, pending. */
async function makeEveryState(): Promise<void> {
  const workspaceId = newId('wsp')
  await seedSubscription(engine, { workspaceId, maxInFlight: 32 })
  await engine.admin.query('update delivery.lanes set cap = 32')
  await seedEvents(engine, { workspaceId, count: 9 })
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  const [a, b, c, d, e, f, g] = await claim(8)
  if (!a || !b || !c || !d || !e || !f || !g) throw new Error('too little was claimed')
  await store.settle([
    endedAttempt(a, {}),
    endedAttempt(b, { ...failed, delayMs: 31_234 }),
    endedAttempt(c, failed),
    endedAttempt(d, failed),
    endedAttempt(e, failed),
    endedAttempt(f, { kind: 'attempt_unknown', status: null, delayMs: 60_000 }),
    endedAttempt(g, { kind: 'attempt_released', status: null, delayMs: 3_600_000 }),
  ])
  const replay = (row: ClaimedAttempt) =>
    engine.worker.query('select replay($1, $2, $3, 0::smallint, $4)', [
      workspaceId,
      [row.eventDay],
      [row.deliveryId],
      'api_key:key_test',
    ])
  await replay(d)
  const again = (await claim(8)).find((row) => row.deliveryId === d.deliveryId)
  if (!again) throw new Error('the replayed one was not claimed')
  await store.settle([endedAttempt(again, {})])
  await replay(e)
}

const rowsOf = async () => (await engine.admin.query('select * from delivery.deliveries order by delivery_id')).rows

async function check(rebuild: boolean): Promise<Difference[]> {
  const found: Difference[] = []
  await checkProjection(engine.worker, { schedule: defaultSchedule, rebuild, report: (d) => found.push(d) })
  return found
}

test('rows that the owner damaged are each reported by column, left alone by a check, and equal again after a rebuild', async () => {
  await makeEveryState()
  const before = await rowsOf()
  expect(new Set(before.map((row) => row.status))).toEqual(new Set(['delivered', 'retry', 'dead', 'replay', 'pending']))
  expect(await check(false)).toEqual([])
  const owner = createPool({
    connectionString: engine.database.urls.services.delivery.owner,
    applicationName: 'test-owner',
    max: 1,
  })
  try {
    // Not even the owner changes a row while its tables are protected.
    const damage = `update deliveries set status = case status when 'dead' then 'delivered' else 'dead' end, epoch = epoch + 1, attempt = attempt + 3,
        attempts_total = attempts_total + 1, seq = seq + 2, next_attempt = now(), delivered = now(), dead = now(), dead_reason = 'damaged',
        last_outcome = 'damaged', last_status = 299, last_error_code = 'damaged'`
    expect((await owner.query(damage)).rowCount).toBe(0)
    await owner.query('alter table deliveries no force row level security')
    expect((await owner.query(damage)).rowCount).toBe(before.length)
    await owner.query('alter table deliveries force row level security')
  } finally {
    await owner.end()
  }
  const damaged = await rowsOf()
  const found = await check(false)
  expect(new Set(found.map((d) => d.deliveryId)).size).toBe(before.length)
  expect(found.length).toBe(before.length * 12)
  expect(await rowsOf()).toEqual(damaged)
  await check(true)
  expect(await rowsOf()).toEqual(before)
  expect(await check(true)).toEqual([])
})

test('regression: the list of dead letters is compared and written anew, too', async () => {
  const listed = async () =>
    (await engine.admin.query('select * from delivery.dead_deliveries order by delivery_id')).rows
  const before = await listed()
  expect(before.length).toBeGreaterThan(0)
  await engine.admin.query('delete from delivery.dead_deliveries')
  await engine.admin.query(
    `insert into delivery.dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason)
     select event_day, workspace_id, delivery_id, subscription_id, event_type, 'damaged' from delivery.deliveries where status = 'delivered'`,
  )
  const found = await check(false)
  expect(new Set(found.map((d) => [d.column, d.stored, d.folded].join()))).toEqual(
    new Set(['dead_letter,damaged,', 'dead_letter,,attempts_exhausted 500 http_status']),
  )
  await check(true)
  expect(await listed()).toEqual(before)
  expect(await check(false)).toEqual([])
})
