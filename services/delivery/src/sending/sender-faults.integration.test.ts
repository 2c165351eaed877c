// The attempt loop on the real tables when an attempt cannot be made, or not as usual: a secret that no key opens, a fault of this machine,
// a receiver that resets. What it leaves in the log and in the lanes.
import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { command, newId } from '../engine.fixture.ts'
import { endOpenDeliveries } from '../lanes/loop.ts'
import { readHeldLanes } from '../lanes/store.ts'
import type { ClaimStore } from './ports.ts'
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
  type Sending,
  send,
  subscribe,
  until,
} from './sender.fixture.ts'

let rig: SenderRig
beforeAll(async () => {
  rig = await createSenderRig()
})
afterEach(() => endTest(rig))
afterAll(() => rig?.engine.stop())

const claimAll = (store: ClaimStore, leaseMs: number) =>
  store.claim({ claimId: randomUUID(), slots: 8, lanes: 8, leaseMs, busy: [], share: 8, slowLanes: [], slowRoom: 8 })

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

test.each([
  ['deliveries', 'what was sent is written once they are free'],
  ['due', 'nothing is sent'],
])('F23: while the table of %s is locked its waits time out, %s, and nothing is marked failed', async (table) => {
  const target = await receiver(rig)
  const { id, workspaceId } = await subscribe(rig, { url: `${target.url}/hooks/a` })
  await openWide(rig)
  await publish(rig, { workspaceId, count: 8 })
  const holder = await rig.engine.admin.connect()
  const hasTimedOut = ({ fields }: Sending['errors'][number]) =>
    'err' in fields && (fields.err as { code?: string }).code === '55P03'
  try {
    await holder.query(`begin; lock table delivery.${table} in access exclusive mode`)
    const { errors } = send(rig, { settings: { leaseMs: 60_000 } })
    await until(() => errors.some(hasTimedOut))
    expect(target.received).toHaveLength(table === 'due' ? 0 : 8)
  } finally {
    await holder.query('commit')
    holder.release()
  }
  await until(delivered(rig, id, 8))
  expect(target.received).toHaveLength(8)
  const once = { kind: 'attempt_succeeded', attempt: 1 }
  expect(await attemptsOf(rig, id)).toMatchObject(Array.from({ length: 8 }, () => once))
  expect(await projectionDifferences(rig)).toEqual([])
})

test('regression: while Postgres is away one line tells of the claims, one of the leases, however often both are tried', async () => {
  const target = await receiver(rig)
  const { id, workspaceId } = await subscribe(rig, { url: `${target.url}/hooks/a` })
  await publish(rig, { workspaceId, count: 1 })
  const looks = { leases: 0, isAway: true }
  const unlessAway = async <T>(work: () => Promise<T>): Promise<T> => {
    if (looks.isAway) throw new Error('Postgres is away')
    return await work()
  }
  const store: ClaimStore = {
    ...rig.store,
    claim: (input) => unlessAway(() => rig.store.claim(input)),
    lostLeases(most) {
      looks.leases += 1
      return unlessAway(() => rig.store.lostLeases(most))
    },
  }
  const { claims, errors, recoveries } = send(rig, { store })
  await until(() => claims.length > 3 && looks.leases > 3)
  const messages = () => errors.map(({ message }) => message).sort()
  const once = ['due deliveries could not be claimed, retrying', 'lost leases could not be taken over, retrying']
  expect(messages()).toEqual(once)
  looks.isAway = false
  await until(delivered(rig, id, 1))
  await until(() => recoveries.length === 2)
  expect(recoveries.sort()).toEqual(['due deliveries are claimed again', 'lost leases are taken over again'])
  expect(messages()).toEqual(once)
})

describe('a secret that no key opens', () => {
  const park = (workspaceId: string, id: string) =>
    command(
      rig.engine.worker,
      { workspaceId, id },
      { type: 'disable', reason: 'user', failing: { failing_since: null, failed_deliveries: 0 } },
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
  })

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
  })

  test('an attempt that was claimed before its subscription was disabled is ended, not put back', async () => {
    const { id, workspaceId } = await subscribe(rig, { url: 'https://receiver.test/' })
    await publish(rig, { workspaceId, count: 1 })
    const claimed = await claimAll(rig.store, 30_000)
    expect(claimed.map((row) => row.subscriptionId)).toEqual([id])
    await park(workspaceId, id)
    expect(await rig.store.hold(claimed, { restMs: 100, mostMs: null })).toEqual({
      held: new Set(),
      begun: [],
      over: new Set(),
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

  test('XB10: many subscriptions at one host: no more requests than it may get; the rest waits and uses up no attempt', async () => {
    const target = await receiver(rig)
    const workspaceId = newId('wsp')
    const ids: string[] = []
    for (let nth = 0; nth < 20; nth += 1)
      ids.push((await subscribe(rig, { url: `${target.url}/hooks/${nth}`, workspaceId })).id)
    await publish(rig, { workspaceId, count: 2 })
    const hosts = { requestsPerSecond: 20, sockets: 2, isExempt: () => false }
    const { sender, errors } = send(rig, { settings: { hosts, hostRestMs: 50 } })
    const beganMs = performance.now()
    for (const id of ids) await until(delivered(rig, id, 2))
    expect(target.received).toHaveLength(40)
    // 40 requests at 20 a second, of which a tenth of a second may come at once.
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(1_800)
    expect(sender.counts().heldAttempts).toBeGreaterThan(0)
    for (const id of ids) {
      for (const row of await attemptsOf(rig, id)) expect(row).toMatchObject({ kind: 'attempt_succeeded', attempt: 1 })
      expect(await laneOf(rig, id)).toMatchObject({ held: false, due: 0 })
    }
    expect(errors).toEqual([])
    expect(await projectionDifferences(rig)).toEqual([])
  })

  test('regression: a fault that does not pass fails the attempt once its lane was held for so long; without an end it repeats never', async () => {
    // No attempt gets a connection: nothing is ever sent.
    const settings = { heldMaxMs: 3_600_000, pollMs: 5, restMs: 5 }
    const o = { client: { maxPools: 0 }, settings, schedule: { attempts: 2, delaysMs: [1] } }
    const { id, errors, sender } = await givenBack(o, 'http://127.0.0.1:9/')
    await until(() => sender.counts().heldAttempts >= 3)
    expect((await logOf(rig, id)).map((row) => row.kind)).toEqual(Array.from({ length: 20 }, () => 'scheduled'))
    await rig.engine.admin.query(
      "update delivery.lanes set held_since = held_since - interval '2 hours' where subscription_id = $1",
      [id],
    )
    const heldBefore = sender.counts().heldAttempts
    const dead = async () => (await logOf(rig, id)).filter((row) => row.kind === 'exhausted').length
    await until(async () => (await dead()) === 20)
    // The lane was held once, not anew for each of the 40 attempts.
    expect(sender.counts().heldAttempts - heldBefore).toBeLessThan(3)
    const failed = { kind: 'attempt_failed', error_code: 'connection_failed' }
    const [first, second] = await attemptsOf(rig, id)
    expect([first, second]).toMatchObject([failed, failed])
    expect((await attemptsOf(rig, id)).every((row) => row.kind === 'attempt_failed')).toBe(true)
    expect(errors.every(({ message }) => message === 'this machine could not begin attempts: deliveries wait')).toBe(
      true,
    )
    await sender.stop(0)
    expect(await projectionDifferences(rig)).toEqual([])
  })
})
