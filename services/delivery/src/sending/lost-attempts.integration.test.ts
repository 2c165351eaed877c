// Attempts that were made and whose results are not written: the worker ended, its lease ran out, the database refuses them. What another
// worker makes of them, on the real tables.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { holdSessionLock } from '@wds/postgres/session-lock'
import { endedAttempt } from './ended-attempt.fixture.ts'
import type { ClaimedAttempt, ClaimStore, SettledAttempt } from './ports.ts'
import {
  attemptsOf,
  createSenderRig,
  delivered,
  endTest,
  logOf,
  openWide,
  projectionDifferences,
  publish,
  receiver,
  type SenderRig,
  send,
  storedDelivery,
  subscribe,
  until,
} from './sender.fixture.ts'
import { createClaimStore } from './store.ts'

let rig: SenderRig
beforeAll(async () => {
  rig = await createSenderRig()
})
afterEach(() => endTest(rig))
afterAll(() => rig?.engine.stop())

const claimAll = (store: ClaimStore, leaseMs: number) =>
  store.claim({ claimId: randomUUID(), slots: 8, lanes: 8, leaseMs, busy: [], share: 8, slowLanes: [], slowRoom: 8 })

describe('F03: a worker whose session has ended', () => {
  /** A worker of its own, with what it claimed. */
  async function worker() {
    const session = await holdSessionLock({
      connectionString: rig.engine.database.urls.services.delivery.worker,
      applicationName: 'test-worker-session',
    })
    rig.closers.push(() => session.release())
    const store = createClaimStore({ pool: rig.engine.worker, disableGone: async () => undefined, worker: session })
    return { session, store }
  }

  test('its attempt is unknown and the next one due at once, long before its lease ends; its late answer changes nothing', async () => {
    const target = await receiver(rig)
    const { id, workspaceId } = await subscribe(rig, { url: target.url })
    await publish(rig, { workspaceId, count: 1 })
    const [lost, living] = [await worker(), await worker()]
    const [row] = await claimAll(lost.store, 600_000)
    if (row === undefined) throw new Error('nothing was claimed')
    expect(await living.store.lostLeases(10)).toEqual([])
    await lost.session.release()
    send(rig, { store: living.store })
    await until(delivered(rig, id, 1))
    expect(await lost.store.settle([endedAttempt(row)])).toEqual(new Set())
    const attempts = await attemptsOf(rig, id)
    expect(attempts.map((one) => [one.kind, one.attempt, one.delay_ms])).toEqual([
      ['attempt_unknown', 1, 0],
      ['attempt_succeeded', 2, null],
    ])
    expect(await projectionDifferences(rig)).toEqual([])
  })

  test('claims nothing until it has another one', async () => {
    const { workspaceId } = await subscribe(rig, { url: 'http://127.0.0.1:9/' })
    await publish(rig, { workspaceId, count: 1 })
    const { session, store } = await worker()
    await session.release()
    expect(await claimAll(store, 600_000)).toEqual([])
    expect(await claimAll((await worker()).store, -1)).toHaveLength(1)
  })

  test('a second lost attempt in a row is told as such', async () => {
    const { workspaceId } = await subscribe(rig, { url: 'http://127.0.0.1:9/' })
    await publish(rig, { workspaceId, count: 1 })
    const living = await worker()
    for (const wasUnknown of [false, true]) {
      const { session, store } = await worker()
      const [row] = await claimAll(store, 600_000)
      await session.release()
      expect(await living.store.lostLeases(10)).toEqual([
        expect.objectContaining({ claimId: row?.claimId, wasUnknown }),
      ])
      const unknown = { kind: 'attempt_unknown', status: null, delayMs: 0 } as const
      await living.store.settle([{ ...endedAttempt(row as ClaimedAttempt), ...unknown }])
    }
  })

  test('is not judged by one whose own session has just come back: the database may have cut off both', async () => {
    const { workspaceId } = await subscribe(rig, { url: 'http://127.0.0.1:9/' })
    await publish(rig, { workspaceId, count: 1 })
    const { session, store } = await worker()
    expect(await claimAll(store, 600_000)).toHaveLength(1)
    await session.release()
    const { key } = (await worker()).session
    const judge = (heldMs: number) =>
      createClaimStore({
        pool: rig.engine.worker,
        disableGone: async () => undefined,
        worker: { key, heldMs: () => heldMs },
      }).lostLeases(10)
    expect(await judge(1_000)).toEqual([])
    expect(await judge(3_000)).toHaveLength(1)
  })
})

describe('leases', () => {
  test('a lease that is not longer than the deadline and the margin is refused at start', () => {
    expect(() => send(rig, { settings: { deadlineMs: 10_000, leaseMs: 11_000 } })).toThrow('lease')
  })

  test('an expired lease is taken over as unknown, counts, and its late worker settles nothing', async () => {
    const target = await receiver(rig)
    const { id, workspaceId } = await subscribe(rig, { url: `${target.url}/hooks/a` })
    await publish(rig, { workspaceId, count: 1 })
    // A worker that was lost: it claimed and never came back.
    const [lost, ...others] = await claimAll(rig.store, 1)
    expect(others).toEqual([])
    const settled: SettledAttempt[] = []
    send(rig, {
      schedule: { delaysMs: [60_000, 60_000, 1, 1, 1] },
      store: {
        ...rig.store,
        settle(rows) {
          settled.push(...rows)
          return rig.store.settle(rows)
        },
      },
    })
    await until(delivered(rig, id, 1))
    const log = await logOf(rig, id)
    expect(log.slice(1)).toMatchObject([
      { kind: 'attempt_unknown', attempt: 1, duration_ms: null, status: null, delay_ms: 0 },
      { kind: 'attempt_succeeded', attempt: 2 },
    ])
    expect(await storedDelivery(rig, id)).toMatchObject({ attempt: 2, attempts_total: 2 })
    const [first] = settled
    if (first === undefined) throw new Error('no row')
    expect(first.claimId).toBe(lost?.claimId)
    expect(await rig.store.settle([{ ...first, kind: 'attempt_succeeded' }])).toEqual(new Set())
    expect(await logOf(rig, id)).toEqual(log)
    expect(target.received).toHaveLength(1)
    expect(await projectionDifferences(rig)).toEqual([])
  })

  test('results that cannot be written are written later, once each', async () => {
    const target = await receiver(rig)
    const { id, workspaceId } = await subscribe(rig, { url: `${target.url}/hooks/a` })
    await openWide(rig)
    await publish(rig, { workspaceId, count: 8 })
    let failures = 0
    const { sender, errors } = send(rig, {
      store: {
        ...rig.store,
        async settle(rows) {
          if (failures === 2) return rig.store.settle(rows)
          failures += 1
          throw new Error('the database is away')
        },
      },
    })
    await until(delivered(rig, id, 8))
    expect(target.received).toHaveLength(8)
    expect(await attemptsOf(rig, id)).toMatchObject(
      Array.from({ length: 8 }, () => ({ kind: 'attempt_succeeded', attempt: 1 })),
    )
    expect(failures).toBe(2)
    // One line for each change, however often it fails.
    expect(errors.filter(({ message }) => message.includes('retrying'))).toHaveLength(1)
    await until(() => sender.underWay() === 0)
    expect(await projectionDifferences(rig)).toEqual([])
  })
})

test('regression: a result that can never be written holds up no other; it is told, taken over in vain, and settled once its row is mended', async () => {
  const target = await receiver(rig)
  const { id, workspaceId } = await subscribe(rig, { url: `${target.url}/hooks/a` })
  await publish(rig, { workspaceId, count: 40 })
  // Its next row of the log would take the place of the first one.
  const setSeq = (seq: number, delivery: string) =>
    rig.engine.admin.query('update delivery.deliveries set seq = $2 where delivery_id = $1', [delivery, seq])
  const { rows } = await rig.engine.worker.query<{ id: string }>(
    'select delivery_id as id from deliveries where subscription_id = $1 order by 1 offset 7 limit 1',
    [id],
  )
  const broken = rows[0]?.id ?? ''
  await setSeq(0, broken)
  const { sender, errors } = send(rig, { settings: { collectMs: 200, deadlineMs: 500, leaseMs: 2_600 } })
  await until(delivered(rig, id, 39))
  await until(async () => sender.counts().stuckAttempts === 1 && sender.underWay() === 0)
  const isTold = (part: string) =>
    errors.filter(
      ({ message, fields }) => message.includes(part) && (fields as { delivery_id?: string }).delivery_id === broken,
    )
  await until(async () => isTold('a lost attempt cannot be settled').length >= 2)
  expect(isTold('can never be settled as it is')).toHaveLength(1)
  expect(errors.filter(({ message }) => message.includes('retrying'))).toEqual([])
  await setSeq(1, broken)
  await until(async () => (await logOf(rig, id)).some((row) => row.kind === 'attempt_unknown'))
  expect((await logOf(rig, id)).filter((row) => row.kind === 'attempt_unknown')).toEqual([
    expect.objectContaining({ attempt: 1 }),
  ])
  expect(await projectionDifferences(rig)).toEqual([])
})
