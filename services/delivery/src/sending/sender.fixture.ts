// For tests: a sender on the real tables, real subscriptions and receivers for it, and reads of what it left behind. A fault of the database is
// one method of the real store, replaced in the test. It never stands in a running service.
import { randomBytes } from 'node:crypto'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { strictPolicy } from '@wds/outbound/address-rule'
import { createGuardedClient, type GuardedClientOptions } from '@wds/outbound/guarded-client'
import { withTransaction } from '@wds/postgres/transaction'
import { generateSecret } from '@wds/webhook-signature/secret'
import { defaultSchedule, type Schedule } from '../deliveries/domain/schedule.ts'
import { checkProjection } from '../deliveries/store-projection.ts'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { disableSubscription } from '../subscriptions/disable-subscription.ts'
import { insertSecret } from '../subscriptions/store.ts'
import type { ClaimInput, ClaimStore, StoredSecret } from './ports.ts'
import { type Sender, startSender } from './sender.ts'
import { defaultSenderSettings, type SenderSettings } from './sender-settings.ts'
import { createClaimStore } from './store.ts'

/** A database, the real claim store on it, and what the running test has opened. */
export interface SenderRig {
  engine: Engine
  store: ClaimStore
  closers: (() => Promise<unknown>)[]
}

/** Makes one; `engine.stop` drops it. */
export async function createSenderRig(): Promise<SenderRig> {
  const engine = await createEngine()
  const store = createClaimStore({
    pool: engine.worker,
    disableGone: (attempt) => disableSubscription(engine.worker, { ...attempt, reason: 'gone' }),
  })
  return { engine, store, closers: [] }
}

/** Ends what a test has opened, newest first, and leaves nothing that the next test's sender would claim. */
export async function endTest(rig: SenderRig): Promise<void> {
  for (const close of rig.closers.splice(0).reverse()) await close()
  await rig.engine.admin.query(
    `delete from delivery.due; delete from delivery.leases;
     update delivery.lanes set in_flight = 0, next_due = 'infinity', held_since = null`,
  )
}

/** A receiver that ends with the test. */
export async function receiver(rig: SenderRig): Promise<FakeReceiver> {
  const started = await startFakeReceiver()
  rig.closers.push(() => started.close())
  return started
}

/** Lets a server listen on loopback until the test ends; returns its address. */
export async function listen(rig: SenderRig, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  rig.closers.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A signing secret as plain text, which `send` takes for its own ciphertext. */
export const newSecret = (): string => generateSecret(randomBytes(24))

/** A subscription to all events of its workspace, as POST makes it; its stored secret is `ciphertext`. */
export async function subscribe(
  rig: SenderRig,
  o: { url: string; workspaceId?: string; ciphertext?: string; maxInFlight?: number },
): Promise<{ id: string; workspaceId: string }> {
  const { url, workspaceId = newId('wsp'), ciphertext = newSecret(), maxInFlight = 8 } = o
  const id = await seedSubscription(rig.engine, { workspaceId, url, maxInFlight })
  await addSecret(rig, { workspaceId, id, version: 1, ciphertext })
  return { id, workspaceId }
}

/** Stores one more secret of a subscription; returns it as a claim reads it. */
export async function addSecret(
  rig: SenderRig,
  o: { workspaceId: string; id: string; version: number; ciphertext: string },
): Promise<StoredSecret> {
  const { workspaceId, id: subscriptionId, version, ciphertext } = o
  const secretId = `${subscriptionId}.${version}`
  await withTransaction(rig.engine.http, { workspaceId }, (tx) =>
    insertSecret(tx, { subscriptionId, secretId, version, ciphertext, hint: 'abcd', createdMs: Date.now() }),
  )
  return { id: secretId, version, ciphertext }
}

/** Lets lanes have as many attempts under way as they may at most, as after a row of successes. */
export async function openWide(rig: SenderRig): Promise<void> {
  await rig.engine.admin.query('update delivery.lanes set cap = max_in_flight')
}

/** Takes events in and fans them out; returns their ids. */
export async function publish(rig: SenderRig, o: Parameters<typeof seedEvents>[1]): ReturnType<typeof seedEvents> {
  const ids = await seedEvents(rig.engine, o)
  const fanOut = createFanOut({ pool: rig.engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  return ids
}

/** A sender under test, with what it asked for and said. */
export interface Sending {
  sender: Sender
  claims: ClaimInput[]
  opened: StoredSecret[]
  errors: { fields: object; message: string }[]
  /** Messages of what works again. */
  recoveries: string[]
}

/** A running sender that ends with the test; `open` is its way to decipher, `store` what it has instead of the rig's. */
export function send(
  rig: SenderRig,
  o: {
    open?(ciphertext: string): string
    settings?: Partial<SenderSettings>
    schedule?: Partial<Schedule>
    store?: ClaimStore
    client?: Partial<GuardedClientOptions>
  } = {},
): Sending {
  const store = o.store ?? rig.store
  const sending: Omit<Sending, 'sender'> = { claims: [], opened: [], errors: [], recoveries: [] }
  const client = createGuardedClient({ policy: { ...strictPolicy, allow: 'loopback' }, ...o.client })
  rig.closers.push(() => client.close())
  const sender = startSender({
    store: {
      ...store,
      claim(input) {
        sending.claims.push(input)
        return store.claim(input)
      },
    },
    client,
    secrets: {
      open({ secret }) {
        const plain = o.open?.(secret.ciphertext) ?? secret.ciphertext
        sending.opened.push(secret)
        return plain
      },
    },
    schedule: { ...defaultSchedule, ...o.schedule },
    settings: {
      ...defaultSenderSettings,
      deadlineMs: 2_000,
      leaseMs: 5_000,
      pollMs: 20,
      takeoverMs: 50,
      holdMs: 100,
      restMs: 50,
      stuckMs: 300,
      ...o.settings,
    },
    logger: {
      info: (_, message) => sending.recoveries.push(message),
      warn: () => undefined,
      error: (fields, message) => sending.errors.push({ fields, message }),
    },
  })
  rig.closers.push(() => sender.stop(50))
  return { sender, ...sending }
}

/** Looks every few milliseconds; throws when it does not come true. */
export async function until(what: () => boolean | Promise<boolean>, deadlineMs = 60_000): Promise<void> {
  const endMs = Date.now() + deadlineMs
  while (!(await what())) {
    if (Date.now() > endMs) throw new Error('not in time')
    await sleep(5)
  }
}

/** A row of the log; `delay_ms` to the next attempt. */
export interface LoggedRow {
  kind: string
  attempt: number
  status: number | null
  error_code: string | null
  delay_ms: number | null
  repeated: boolean
  attempt_id: string | null
  trace_id: string | null
  signed: string | null
  duration_ms: number | null
  excerpt: string | null
  dead_reason: string | null
}

/** The log of a subscription's deliveries, oldest first. */
export async function logOf(rig: SenderRig, subscription: string): Promise<LoggedRow[]> {
  const { rows } = await rig.engine.worker.query<LoggedRow>(
    `select l.kind, l.attempt, l.response_status as status, l.error_code, l.repeated, l.attempt_id, l.trace_id, l.signature_timestamp as signed,
            l.duration_ms, l.response_excerpt as excerpt, l.dead_reason, (extract(epoch from l.next_attempt - l.at) * 1000)::float8 as delay_ms
       from delivery_log l join deliveries d using (event_day, delivery_id, workspace_id)
      where d.subscription_id = $1 order by l.at, l.seq`,
    [subscription],
  )
  return rows
}

/** The attempts in it. */
export async function attemptsOf(rig: SenderRig, subscription: string): Promise<LoggedRow[]> {
  return (await logOf(rig, subscription)).filter((row) => row.kind.startsWith('attempt_'))
}

/** True when a subscription has `count` ended attempts in the log. */
export const attempted = (rig: SenderRig, subscription: string, count: number) => async (): Promise<boolean> =>
  (await attemptsOf(rig, subscription)).length === count

/** True when `count` deliveries of a subscription arrived. */
export const delivered = (rig: SenderRig, subscription: string, count: number) => async (): Promise<boolean> => {
  const { rows } = await rig.engine.worker.query(
    "select count(*)::int as n from deliveries where subscription_id = $1 and status = 'delivered'",
    [subscription],
  )
  return rows[0]?.n === count
}

/** The stored state of the one delivery of a subscription. */
export async function storedDelivery(rig: SenderRig, subscription: string): Promise<object | undefined> {
  const { rows } = await rig.engine.worker.query<object>('select * from deliveries where subscription_id = $1', [
    subscription,
  ])
  return rows[0]
}

/** A lane: its counts, and the rows that wait and that are leased. */
export async function laneOf(rig: SenderRig, subscription: string): Promise<object> {
  const { rows } = await rig.engine.worker.query(
    `select in_flight, cap, held_since is not null as held,
            (select count(*)::int from due d where d.subscription_id = l.subscription_id) as due,
            (select count(*)::int from leases e where e.subscription_id = l.subscription_id) as leases
       from lanes l where subscription_id = $1`,
    [subscription],
  )
  return rows[0] ?? {}
}

/** What is stored of deliveries is the fold of their log. */
export async function projectionDifferences(rig: SenderRig): Promise<object[]> {
  const found: object[] = []
  const report = (difference: object) => found.push(difference)
  await checkProjection(rig.engine.worker, { schedule: defaultSchedule, rebuild: false, report })
  return found
}
