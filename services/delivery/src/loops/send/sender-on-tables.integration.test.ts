// The attempt loop on the real tables against real receivers: what it leaves in the log and in the lanes.
import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { strictPolicy } from '@wds/outbound/address-rule'
import { createGuardedClient } from '@wds/outbound/guarded-client'
import { withTransaction } from '@wds/postgres/transaction'
import { generateSecret } from '@wds/webhook-signature/secret'
import { defaultSchedule } from '../../domain/schedule.ts'
import { createClaimStore } from '../../store/claim-store.ts'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../../store/engine-fixture.ts'
import { insertSecret } from '../../store/subscription-secrets.ts'
import { createFanOut } from '../fan-out.ts'
import { type Sender, startSender } from './sender.ts'
import { defaultSenderSettings } from './sender-settings.ts'

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
function send(o: { open?(ciphertext: string): string } = {}) {
  const errors: { fields: object; message: string }[] = []
  const client = createGuardedClient({ policy: { ...strictPolicy, allow: 'loopback' } })
  const sender: Sender = startSender({
    store: createClaimStore({ pool: engine.worker, disableGone: async () => undefined }),
    client,
    secrets: { open: ({ secret }) => o.open?.(secret.ciphertext) ?? secret.ciphertext },
    schedule: defaultSchedule,
    settings: { ...defaultSenderSettings, deadlineMs: 2_000, leaseMs: 5_000, pollMs: 20, takeoverMs: 50 },
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
  while (!(await what())) if (Date.now() > deadline) throw new Error('not in time')
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
