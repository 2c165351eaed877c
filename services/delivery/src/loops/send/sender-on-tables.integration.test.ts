// The attempt loop on the real tables against real receivers: what it leaves in the log and in the lanes.
import { randomBytes, randomUUID } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { strictPolicy } from '@wds/outbound/address-rule'
import { createGuardedClient } from '@wds/outbound/guarded-client'
import { withTransaction } from '@wds/postgres/transaction'
import { generateSecret } from '@wds/webhook-signature/secret'
import { defaultSchedule } from '../../domain/schedule.ts'
import { createClaimStore } from '../../store/claim-store.ts'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../../store/engine-fixture.ts'
import { readHeldLanes } from '../../store/lanes.ts'
import { parkSubscription } from '../../store/parked-lanes.ts'
import { checkProjection } from '../../store/projection.ts'
import { insertSecret } from '../../store/subscription-secrets.ts'
import { endOpenDeliveries } from '../end-open.ts'
import { createFanOut } from '../fan-out.ts'
import { type Sender, startSender } from './sender.ts'
import { defaultSenderSettings, type SenderSettings } from './sender-settings.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
}, 60_000)
afterAll(() => engine?.stop())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A subscription to `url` whose stored secret is `ciphertext`. */
async function subscribe(workspaceId: string, url: string, ciphertext: string): Promise<string> {
  const subscription = await seedSubscription(engine, { workspaceId })
  await engine.admin.query('update delivery.subscriptions set url = $2 where subscription_id = $1', [subscription, url])
  await withTransaction(engine.http, { workspaceId }, (tx) =>
    insertSecret(tx, {
      subscriptionId: subscription,
      secretId: `${subscription}.1`,
      version: 1,
      ciphertext,
      hint: 'abcd',
      created: new Date().toISOString(),
    }),
  )
  return subscription
}

async function publish(workspaceId: string, count: number): Promise<void> {
  await seedEvents(engine, { workspaceId, count })
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
}

/** A running sender; `open` is its way to decipher. */
function send(o: { open?(ciphertext: string): string; settings?: Partial<SenderSettings> } = {}) {
  const errors: { fields: object; message: string }[] = []
  const client = createGuardedClient({ policy: { ...strictPolicy, allow: 'loopback' } })
  const sender: Sender = startSender({
    store: createClaimStore({ pool: engine.worker, disableGone: async () => undefined }),
    client,
    secrets: { open: ({ secret }) => o.open?.(secret.ciphertext) ?? secret.ciphertext },
    schedule: defaultSchedule,
    settings: {
      ...defaultSenderSettings,
      deadlineMs: 2_000,
      leaseMs: 5_000,
      pollMs: 20,
      takeoverMs: 50,
      holdMs: 100,
      stuckMs: 300,
      ...o.settings,
    },
    logger: { warn: () => undefined, error: (fields, message) => errors.push({ fields, message }) },
  })
  closers.push(async () => {
    await sender.stop(50)
    await client.close()
  })
  return { sender, errors }
}

const newSecret = (): string => generateSecret(randomBytes(24))

/** Kinds in the log of a subscription's deliveries, with their marks. */
async function logOf(subscription: string): Promise<{ kind: string; repeated: boolean; attempt: number }[]> {
  const { rows } = await engine.worker.query(
    `select l.kind, l.repeated, l.attempt from delivery_log l join deliveries d using (event_day, delivery_id, workspace_id)
      where d.subscription_id = $1 order by l.at, l.seq`,
    [subscription],
  )
  return rows
}

async function until(what: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('not in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const delivered = (subscription: string, count: number) => async () => {
  const { rows } = await engine.worker.query(
    "select count(*)::int as n from deliveries where subscription_id = $1 and status = 'delivered'",
    [subscription],
  )
  return rows[0]?.n === count
}

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('F33: an attempt whose request was sent a second time carries the mark in the log, the others do not', async () => {
  const workspaceId = newId('wsp')
  const subscription = await subscribe(workspaceId, await receiverThatResetsKept(), newSecret())
  send()
  await publish(workspaceId, 1)
  await until(delivered(subscription, 1))
  await publish(workspaceId, 1)
  await until(delivered(subscription, 2))
  const attempts = (await logOf(subscription)).filter((row) => row.kind === 'attempt_succeeded')
  expect(attempts.map((row) => row.repeated)).toEqual([false, true])
})

describe('a secret that no key opens', () => {
  const laneOf = async (subscription: string) =>
    (
      await engine.worker.query(
        `select in_flight, cap, held_since is not null as held, (select count(*)::int from due d where d.subscription_id = l.subscription_id) as due
           from lanes l where subscription_id = $1`,
        [subscription],
      )
    ).rows[0]

  const park = (workspaceId: string, id: string) =>
    withTransaction(engine.worker, { workspaceId }, (tx) =>
      parkSubscription(tx, { id, status: 'disabled', reason: 'user', version: 2, at: new Date().toISOString() }),
    )

  /** A sender without the key of one of two subscriptions, after it looked at that one several times. */
  async function withoutKey() {
    const receiver = await startFakeReceiver()
    closers.push(() => receiver.close())
    const [workspaceId, other] = [newId('wsp'), newId('wsp')]
    const locked = await subscribe(workspaceId, `${receiver.url}/locked`, `locked:${newSecret()}`)
    const healthy = await subscribe(other, `${receiver.url}/healthy`, newSecret())
    const keys = { there: false }
    const { sender, errors } = send({
      open(ciphertext) {
        if (ciphertext.startsWith('locked:') && !keys.there) throw new Error('no key with that kid')
        return ciphertext.replace('locked:', '')
      },
    })
    await publish(workspaceId, 20)
    await publish(other, 20)
    await until(delivered(healthy, 20))
    await until(async () => sender.counts().heldAttempts >= 6)
    return { workspaceId, locked, receiver, sender, errors, keys }
  }

  test('regression: costs no attempt and no row of the log however often it is looked at, is told once, and goes on with the key', async () => {
    const { locked, receiver, errors, keys } = await withoutKey()
    expect((await logOf(locked)).map((row) => row.kind)).toEqual(Array.from({ length: 20 }, () => 'scheduled'))
    expect(receiver.received.filter((request) => request.path === '/locked')).toEqual([])
    expect(await laneOf(locked)).toMatchObject({ held: true, cap: 1 })
    expect(await readHeldLanes(engine.worker)).toMatchObject({ lanes: 1 })
    expect(
      errors.map(({ message, fields }) => [message, (fields as { subscription_id: string }).subscription_id]),
    ).toEqual([['no key opens the signing secret of a subscription: its deliveries wait for the key', locked]])
    keys.there = true
    await until(delivered(locked, 20))
    expect(await laneOf(locked)).toEqual({ held: false, cap: 8, in_flight: 0, due: 0 })
    expect(await readHeldLanes(engine.worker)).toEqual({ lanes: 0, since: null })
    const attempts = (await logOf(locked)).filter((row) => row.kind !== 'scheduled')
    expect(attempts.map(({ kind, attempt }) => [kind, attempt])).toEqual(
      Array.from({ length: 20 }, () => ['attempt_succeeded', 1]),
    )
    await expectLogEqualsState()
  }, 30_000)

  test('what waits for it ends when its subscription is disabled', async () => {
    const { workspaceId, locked } = await withoutKey()
    await park(workspaceId, locked)
    await until(async () => {
      await endOpenDeliveries(engine.worker)
      const { rows } = await engine.worker.query(
        "select count(*)::int as n from deliveries where subscription_id = $1 and dead_reason = 'subscription_disabled'",
        [locked],
      )
      return rows[0]?.n === 20
    })
    expect(await laneOf(locked)).toMatchObject({ in_flight: 0, due: 0 })
    await expectLogEqualsState()
  }, 30_000)

  test('an attempt that was claimed before its subscription was disabled is ended, not put back', async () => {
    const workspaceId = newId('wsp')
    const subscription = await subscribe(workspaceId, 'https://receiver.test/', newSecret())
    await publish(workspaceId, 1)
    const store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
    const claims = await store.claim({
      ...{ claimId: randomUUID(), slots: 8, lanes: 8, leaseMs: 30_000, busy: [], share: 8, slowLanes: [], slowRoom: 8 },
    })
    const claimed = claims.filter((row) => row.subscriptionId === subscription)
    expect(claimed).toHaveLength(1)
    await park(workspaceId, subscription)
    expect(await store.hold(claimed, 100)).toEqual({ held: new Set(), begun: [] })
    expect(await laneOf(subscription)).toMatchObject({ in_flight: 1, due: 0, held: false })
  })
})

test('regression: a result that can never be written holds up no other; it is told, taken over in vain, and settled once its row is mended', async () => {
  const receiver = await startFakeReceiver()
  closers.push(() => receiver.close())
  const workspaceId = newId('wsp')
  const subscription = await subscribe(workspaceId, receiver.url, newSecret())
  await publish(workspaceId, 40)
  // Its next row of the log would take the place of the first one.
  const setSeq = (seq: number, id: string) =>
    engine.admin.query('update delivery.deliveries set seq = $2 where delivery_id = $1', [id, seq])
  const { rows } = await engine.worker.query<{ id: string }>(
    'select delivery_id as id from deliveries where subscription_id = $1 order by 1 offset 7 limit 1',
    [subscription],
  )
  const broken = rows[0]?.id ?? ''
  await setSeq(0, broken)
  const { sender, errors } = send({ settings: { collectMs: 200, deadlineMs: 500, leaseMs: 2_600 } })
  await until(delivered(subscription, 39))
  await until(async () => sender.counts().stuckAttempts === 1 && sender.underWay() === 0)
  const isTold = (part: string) =>
    errors.filter(
      ({ message, fields }) => message.includes(part) && (fields as { delivery_id?: string }).delivery_id === broken,
    )
  await until(async () => isTold('a lost attempt cannot be settled').length >= 2)
  expect(isTold('can never be settled as it is')).toHaveLength(1)
  expect(errors.filter(({ message }) => message.includes('trying again'))).toEqual([])
  await setSeq(1, broken)
  await until(async () => (await logOf(subscription)).some((row) => row.kind === 'attempt_unknown'))
  expect((await logOf(subscription)).filter((row) => row.kind === 'attempt_unknown')).toEqual([
    expect.objectContaining({ attempt: 1 }),
  ])
  await expectLogEqualsState()
}, 30_000)

async function expectLogEqualsState(): Promise<void> {
  const found: object[] = []
  await checkProjection(engine.worker, { schedule: defaultSchedule, rebuild: false, report: (d) => found.push(d) })
  expect(found).toEqual([])
}
