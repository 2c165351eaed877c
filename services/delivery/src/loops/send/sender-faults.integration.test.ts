// The attempt loop on the real tables when something is wrong: a secret that no key opens, a receiver that resets, a worker that was
// lost, results that cannot be written. What it leaves in the log and in the lanes.
import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { readHeldLanes } from '../../store/lanes.ts'
import { parkSubscription } from '../../store/parked-lanes.ts'
import { endOpenDeliveries } from '../end-open.ts'
import type { ClaimStore, SettledAttempt } from './send-ports.ts'
import {
  attempted,
  attemptsOf,
  createSenderRig,
  delivered,
  endTest,
  laneOf,
  listen,
  logOf,
  newSecret,
  openWide,
  projectionDifferences,
  publish,
  receiver,
  type SenderRig,
  send,
  storedDelivery,
  subscribe,
  until,
} from './sender-fixture.ts'

let rig: SenderRig
beforeAll(async () => {
  rig = await createSenderRig()
}, 60_000)
afterEach(() => endTest(rig))
afterAll(() => rig?.engine.stop())

const claimAll = (store: ClaimStore, leaseMs: number) =>
  store.claim({
    ...{ claimId: randomUUID(), slots: 8, lanes: 8, leaseMs, busy: [], share: 8, slowLanes: [], slowRoom: 8 },
  })

/** A receiver that answers each connection once and resets it at reuse. */
async function receiverThatResetsKept(): Promise<string> {
  const seen = new WeakSet<Socket>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      if (!data.includes('POST ')) return
      if (seen.has(socket)) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      seen.add(socket)
    })
  })
  const url = await listen(rig, server)
  rig.closers.push(async () => {
    for (const socket of sockets) socket.destroy()
  })
  return url
}

test('F33: an attempt whose request was sent a second time carries the mark in the log, the others do not', async () => {
  const { id, workspaceId } = await subscribe(rig, { url: await receiverThatResetsKept() })
  send(rig)
  await publish(rig, { workspaceId, count: 1 })
  await until(delivered(rig, id, 1))
  await publish(rig, { workspaceId, count: 1 })
  await until(delivered(rig, id, 2))
  const attempts = await attemptsOf(rig, id)
  expect(attempts.map((row) => [row.kind, row.repeated])).toEqual([
    ['attempt_succeeded', false],
    ['attempt_succeeded', true],
  ])
})

describe('a secret that no key opens', () => {
  const park = (workspaceId: string, id: string) =>
    withTransaction(rig.engine.worker, { workspaceId }, (tx) =>
      parkSubscription(tx, { id, status: 'disabled', reason: 'user', version: 2, at: new Date().toISOString() }),
    )

  /** A sender without the key of one of two subscriptions, after it looked at that one several times. */
  async function withoutKey() {
    const target = await receiver(rig)
    const locked = await subscribe(rig, { url: `${target.url}/locked`, ciphertext: `locked:${newSecret()}` })
    const healthy = await subscribe(rig, { url: `${target.url}/healthy` })
    const keys = { there: false }
    const sending = send(rig, {
      open(ciphertext) {
        if (ciphertext.startsWith('locked:') && !keys.there) throw new Error('no key with that kid')
        return ciphertext.replace('locked:', '')
      },
    })
    await publish(rig, { workspaceId: locked.workspaceId, count: 20 })
    await publish(rig, { workspaceId: healthy.workspaceId, count: 20 })
    await until(delivered(rig, healthy.id, 20))
    await until(() => sending.sender.counts().heldAttempts >= 6)
    return { ...sending, target, keys, workspaceId: locked.workspaceId, locked: locked.id }
  }

  test('an attempt whose secret cannot be opened is given back: nothing is sent, logged or left under way', async () => {
    const target = await receiver(rig)
    const { id, workspaceId } = await subscribe(rig, { url: `${target.url}/hooks/a`, ciphertext: 'broken' })
    const open = () => {
      throw new Error('unknown kid')
    }
    const { sender, errors } = send(rig, { open, settings: { holdMs: 30_000 } })
    await publish(rig, { workspaceId, count: 1 })
    await until(() => sender.counts().heldAttempts === 1 && sender.underWay() === 0)
    expect((await logOf(rig, id)).map((row) => row.kind)).toEqual(['scheduled'])
    expect(await laneOf(rig, id)).toEqual({ held: true, cap: 1, in_flight: 0, leases: 0, due: 1 })
    expect(target.received).toEqual([])
    expect(errors.map(({ message }) => message)).toEqual([
      'no key opens the signing secret of a subscription: its deliveries wait for the key',
    ])
  })

  test('regression: costs no attempt and no row of the log however often it is looked at, is told once, and goes on with the key', async () => {
    const { locked, target, errors, keys } = await withoutKey()
    expect((await logOf(rig, locked)).map((row) => row.kind)).toEqual(Array.from({ length: 20 }, () => 'scheduled'))
    expect(target.received.filter((request) => request.path === '/locked')).toEqual([])
    expect(await laneOf(rig, locked)).toMatchObject({ held: true, cap: 1 })
    expect(await readHeldLanes(rig.engine.worker)).toMatchObject({ lanes: 1 })
    expect(
      errors.map(({ message, fields }) => [message, (fields as { subscription_id: string }).subscription_id]),
    ).toEqual([['no key opens the signing secret of a subscription: its deliveries wait for the key', locked]])
    keys.there = true
    await until(delivered(rig, locked, 20))
    expect(await laneOf(rig, locked)).toEqual({ held: false, cap: 8, in_flight: 0, leases: 0, due: 0 })
    expect(await readHeldLanes(rig.engine.worker)).toEqual({ lanes: 0, since: null })
    const attempts = (await logOf(rig, locked)).filter((row) => row.kind !== 'scheduled')
    expect(attempts.map(({ kind, attempt }) => [kind, attempt])).toEqual(
      Array.from({ length: 20 }, () => ['attempt_succeeded', 1]),
    )
    expect(await projectionDifferences(rig)).toEqual([])
  }, 30_000)

  test('regression: what waits for it ends when its subscription is disabled, and it is told no more', async () => {
    const { workspaceId, locked } = await withoutKey()
    await park(workspaceId, locked)
    await until(async () => {
      await endOpenDeliveries(rig.engine.worker)
      const { rows } = await rig.engine.worker.query(
        "select count(*)::int as n from deliveries where subscription_id = $1 and dead_reason = 'subscription_disabled'",
        [locked],
      )
      return rows[0]?.n === 20
    })
    expect(await laneOf(rig, locked)).toMatchObject({ in_flight: 0, due: 0 })
    expect(await readHeldLanes(rig.engine.worker)).toEqual({ lanes: 0, since: null })
    expect(await projectionDifferences(rig)).toEqual([])
  }, 30_000)

  test('an attempt that was claimed before its subscription was disabled is ended, not put back', async () => {
    const { id, workspaceId } = await subscribe(rig, { url: 'https://receiver.test/' })
    await publish(rig, { workspaceId, count: 1 })
    const claimed = await claimAll(rig.store, 30_000)
    expect(claimed.map((row) => row.subscriptionId)).toEqual([id])
    await park(workspaceId, id)
    expect(await rig.store.hold(claimed, { restMs: 100, mostMs: null })).toEqual({
      ...{ held: new Set(), begun: [], over: new Set() },
    })
    expect(await laneOf(rig, id)).toMatchObject({ in_flight: 1, due: 0, held: false })
  })
})

describe('a fault of this machine', () => {
  /** A subscription with 20 deliveries, of which one attempt after another is given back. */
  async function givenBack(o: Parameters<typeof send>[1] & object, url: string) {
    const { id, workspaceId } = await subscribe(rig, { url })
    await publish(rig, { workspaceId, count: 20 })
    return { ...send(rig, o), id }
  }

  test('regression: F36: while our own name servers are out of reach, nothing is logged or used up, one look at a time, told once', async () => {
    let fault: 'ours' | 'not_found' = 'ours'
    const resolver = { resolve: () => ({ ok: false as const, fault }) }
    const o = { client: { resolver }, settings: { heldMaxMs: 1 } }
    const { id, errors, sender } = await givenBack(o, 'https://hooks.acme.io/')
    await until(() => sender.counts().heldAttempts >= 6)
    expect((await logOf(rig, id)).map((row) => row.kind)).toEqual(Array.from({ length: 20 }, () => 'scheduled'))
    expect(await laneOf(rig, id)).toMatchObject({ held: true, cap: 1 })
    expect(errors).toEqual([
      { fields: { lanes: 1 }, message: 'the name servers of this machine are out of reach: deliveries wait for them' },
    ])
    fault = 'not_found'
    await until(attempted(rig, id, 20))
    for (const row of await attemptsOf(rig, id))
      expect(row).toMatchObject({ kind: 'attempt_failed', attempt: 1, error_code: 'dns_not_found' })
    await until(() => sender.underWay() === 0)
    expect(await laneOf(rig, id)).toMatchObject({ held: false })
    expect(await projectionDifferences(rig)).toEqual([])
  })

  test('regression: a fault that does not pass fails the attempt once its lane was held for so long; without an end it repeats never', async () => {
    // No attempt gets a connection: nothing is ever sent.
    const o = { client: { maxPools: 0 }, settings: { heldMaxMs: 400 }, schedule: { attempts: 2, delaysMs: [1] } }
    const { id, errors, sender } = await givenBack(o, 'http://127.0.0.1:9/')
    const dead = async () => (await logOf(rig, id)).filter((row) => row.kind === 'exhausted').length
    await until(async () => (await dead()) === 20, 25_000)
    // The lane was held once, not anew for each of the 40 attempts.
    expect(sender.counts().heldAttempts).toBeLessThan(40)
    const failed = { kind: 'attempt_failed', error_code: 'connection_failed' }
    const [first, second] = await attemptsOf(rig, id)
    expect([first, second]).toMatchObject([failed, failed])
    expect((await attemptsOf(rig, id)).every((row) => row.kind === 'attempt_failed')).toBe(true)
    expect(errors.every(({ message }) => message === 'this machine could not begin attempts: deliveries wait')).toBe(
      true,
    )
    await sender.stop(0)
    expect(await projectionDifferences(rig)).toEqual([])
  }, 30_000)
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
      schedule: { delaysMs: [60_000, 1, 1, 1, 1] },
      store: {
        ...rig.store,
        settle(rows) {
          settled.push(...rows)
          return rig.store.settle(rows)
        },
      },
    })
    await until(attempted(rig, id, 1))
    const log = await logOf(rig, id)
    expect(log.slice(1)).toMatchObject([{ kind: 'attempt_unknown', attempt: 1, duration_ms: null, status: null }])
    expect(await storedDelivery(rig, id)).toMatchObject({
      status: 'retry',
      attempt: 1,
      last_outcome: 'attempt_unknown',
    })
    const [first] = settled
    if (first === undefined) throw new Error('no row')
    expect(first.claimId).toBe(lost?.claimId)
    expect(await rig.store.settle([{ ...first, kind: 'attempt_succeeded' }])).toEqual(new Set())
    expect(await logOf(rig, id)).toEqual(log)
    expect(target.received).toHaveLength(0)
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
    expect(errors.filter(({ message }) => message.includes('trying again'))).toHaveLength(2)
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
  expect(errors.filter(({ message }) => message.includes('trying again'))).toEqual([])
  await setSeq(1, broken)
  await until(async () => (await logOf(rig, id)).some((row) => row.kind === 'attempt_unknown'))
  expect((await logOf(rig, id)).filter((row) => row.kind === 'attempt_unknown')).toEqual([
    expect.objectContaining({ attempt: 1 }),
  ])
  expect(await projectionDifferences(rig)).toEqual([])
}, 30_000)
