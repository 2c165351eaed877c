/** One stack with its receiver and tenants: what every measurement starts from and leaves nothing of. */

import { randomBytes } from 'node:crypto'
import { serializeEnvelope } from '@wds/contracts/envelope'
import { exampleOf } from '@wds/contracts/event-schemas'
import { type Id, makeId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import type { EventLog, NewLogRecord } from '@wds/event-log/port'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { createPool, type Pool } from '@wds/postgres/pool'
import pg from 'pg'
import { type ReceiverProcess, startReceiver } from '../../harness/receiver.ts'
import type { ProcessOptions, ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo, type Undo } from '../../harness/undo.ts'
import { cpuSecondsOf, parentOf } from './cpu.ts'

export type Broker = 'postgres' | 'kafka'

export interface Tenant {
  workspaceId: string
  apiKey: string
}

export interface RigOptions {
  broker: Broker
  /** Length of a window that is measured. */
  seconds: number
  /** Workspaces, each with `subscriptions` endpoints of its own. */
  tenants: number
  subscriptions: number
  /** Origins that are never subscribed to, after those of the tenants. */
  spareOrigins?: number
  /** Event types subscribed to. */
  events: string[]
  delivery?: ProcessOptions
  api?: ProcessOptions
  /** True: published events ask to be recorded. */
  sampled?: boolean
  env?: Record<string, string>
}

export interface Rig {
  stack: Stack
  services: Record<'auth' | 'api' | 'catalog' | 'delivery', ServiceProcess>
  receiver: ReceiverProcess
  tenants: Tenant[]
  /** Superuser of delivery's database. */
  admin: pg.Pool
  /** Publishes at the log port, as the relay of a producer would: `each` events of about 1 KB for each workspace. Gives their ids. */
  publish(workspaceIds: string[], each: number): Promise<string[]>
  /** Makes one more workspace, with an endpoint at each origin. */
  addTenant(origins: string[]): Promise<Tenant>
  /** An endpoint of a workspace that was made; the services know its key when it resolves. */
  subscribe(tenant: Tenant, o: { origin: string; events: string[] }): Promise<void>
  /** From now on `whenAllAreRecorded` counts from zero. */
  mark(): Promise<void>
  /** Successes recorded before the mark. */
  recordedBefore(): number
  /** Rows of the delivery log that tell of a success, of all or within [from, to) in wall clock milliseconds. */
  delivered(fromMs?: number, toMs?: number): Promise<number>
  /** Seconds of CPU so far, by process; `kafka` where the log is on Kafka. */
  cpu(): Record<string, number>
  stop(): Promise<void>
}

/** Production-like: every commit is synced; statements are counted. */
const postgresSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  min_wal_size: '2GB',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
}

/** Segments of 16 MB that stand ready: as many as `min_wal_size` keeps, and no more than windows of that length write. */
const walSegments = (windowSeconds: number) => Math.min(128, 16 * windowSeconds)

/**
 * A server that has run for a while writes its WAL into segments that it used before. A new one makes each segment while
 * commits wait, 40 to 150 ms for everybody, and the p99 of whatever writes much would be those pauses.
 */
async function recycleWal(admin: pg.Pool, segments: number): Promise<void> {
  for (let nth = 0; nth < segments; nth += 1) {
    await admin.query(`select pg_logical_emit_message(false, 'bench', 'x')`)
    await admin.query('select pg_switch_wal()')
  }
  await admin.query('checkpoint')
}

/** A `sync.failed` whose JSON has about 1,000 bytes. */
function kilobyteEvent(id: Id<'evt'>): Uint8Array {
  const example = exampleOf('sync.failed')
  const data = { ...example.data, error_message: 'x'.repeat(640) }
  return serializeEnvelope({ ...example, data, id, created: new Date().toISOString() })
}

export function recordFor(workspaceId: string, sampled: boolean): NewLogRecord {
  const id = makeId('evt', Date.now(), randomBytes(10))
  const headers = {
    event_id: id,
    event_type: 'sync.failed',
    schema_version: '1',
    workspace_id: workspaceId,
    actor: 'system:bench',
    correlation: id,
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${sampled ? '01' : '00'}`,
  }
  return { topic: topics.workspaceEvents, key: workspaceId, eventId: id, headers, payload: kilobyteEvent(id) }
}

async function subscribeAt(
  delivery: ServiceProcess,
  apiKey: string,
  o: { origin: string; events: string[] },
): Promise<void> {
  const response = await fetch(`${delivery.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${o.origin}/hook`, events: o.events }),
  })
  const body = await response.text()
  if (response.status !== 201) throw new Error(`a subscription was refused: ${body}`)
}

export async function startRig(o: RigOptions): Promise<Rig> {
  const { undo, stop } = createUndo()
  try {
    const kafka = o.broker === 'kafka'
    const stack = await startStack(withoutUndefined({ postgresSettings, env: o.env, kafka }))
    undo.push(() => stack.stop())
    const receiver = await startReceiver(o.tenants * o.subscriptions + (o.spareOrigins ?? 0))
    undo.push(() => receiver.stop())
    const [auth, api, catalog, delivery] = await Promise.all([
      stack.start('auth'),
      stack.start('api', o.api),
      stack.start('catalog'),
      stack.start('delivery', o.delivery),
    ])
    const services = { auth, api, catalog, delivery }
    const admin = new pg.Pool({ connectionString: stack.adminUrls.delivery, max: 2 })
    undo.push(() => admin.end())
    await admin.query('create extension if not exists pg_stat_statements')
    await recycleWal(admin, walSegments(o.seconds))
    const publish = openPublisher(stack, { sampled: o.sampled ?? false, undo })
    const { tenants, addTenant, subscribe } = createTenants(stack, services, o.events)
    for (let nth = 0; nth < o.tenants; nth += 1)
      tenants.push(await addTenant(receiver.origins.slice(nth * o.subscriptions, (nth + 1) * o.subscriptions)))
    return {
      stack,
      services,
      receiver,
      tenants,
      admin,
      addTenant,
      subscribe,
      publish,
      ...createCounts(admin, receiver),
      cpu: await cpuMeter({ stack, services, receiver, admin }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** At the log port, with a client of its own. */
function openPublisher(stack: Stack, o: { sampled: boolean; undo: Undo }): Rig['publish'] {
  const pool: Pool = createPool({ connectionString: stack.urls.api.worker, applicationName: 'bench', max: 8 })
  o.undo.push(() => pool.end())
  const log: EventLog =
    stack.kafka === null
      ? createPostgresLog({ pool, partitions: 12 })
      : createKafkaLog({ brokers: [stack.kafka.brokers], clientId: 'bench', partitions: 12 })
  o.undo.push(() => log.close())
  return async (workspaceIds, each) => {
    const records: NewLogRecord[] = []
    for (let nth = 0; nth < each; nth += 1) for (const id of workspaceIds) records.push(recordFor(id, o.sampled))
    for (let from = 0; from < records.length; from += 500) await log.publish(records.slice(from, from + 500))
    return records.map(({ eventId }) => eventId)
  }
}

/** `events`: what the endpoints of `addTenant` subscribe to. */
function createTenants(
  stack: Stack,
  { api, delivery }: Rig['services'],
  events: string[],
): Pick<Rig, 'tenants' | 'addTenant' | 'subscribe'> {
  const tenants: Tenant[] = []
  const whenKnown = async ({ apiKey }: Tenant) => {
    await whenKeyIsKnown(`${delivery.url}/v1/webhooks`, apiKey)
    await whenKeyIsKnown(`${api.url}/v1/integrations`, apiKey)
  }
  return {
    tenants,
    async addTenant(origins) {
      const tenant = await stack.makeWorkspace(`tenant ${tenants.length}`)
      await whenKnown(tenant)
      for (const origin of origins) await subscribeAt(delivery, tenant.apiKey, { origin, events })
      return tenant
    },
    async subscribe(tenant, to) {
      await whenKnown(tenant)
      await subscribeAt(delivery, tenant.apiKey, to)
    },
  }
}

function createCounts(admin: pg.Pool, receiver: ReceiverProcess): Pick<Rig, 'delivered' | 'mark' | 'recordedBefore'> {
  // Not over the days of a history that was made.
  const firstDay = new Date().toISOString().slice(0, 10)
  const delivered = async (fromMs = 0, toMs = Date.now() + 86_400_000) => {
    const { rows } = await admin.query<{ n: number }>(
      `select count(*)::int as n from delivery.delivery_log
        where event_day >= $3::date and kind = 'attempt_succeeded'
          and at >= to_timestamp($1::float8 / 1000) and at < to_timestamp($2::float8 / 1000)`,
      [fromMs, toMs, firstDay],
    )
    return rows[0]?.n ?? 0
  }
  let before = 0
  return {
    delivered,
    mark: async () => {
      await receiver.clear()
      before = await delivered()
    },
    recordedBefore: () => before,
  }
}

async function cpuMeter(rig: Pick<Rig, 'stack' | 'services' | 'receiver' | 'admin'>): Promise<Rig['cpu']> {
  const { stack, services, receiver, admin } = rig
  const { rows } = await admin.query('select pg_backend_pid() as pid')
  const postmasterPid = parentOf(Number(rows[0].pid))
  return () =>
    withoutUndefined({
      delivery: cpuSecondsOf(services.delivery.pid),
      api: cpuSecondsOf(services.api.pid),
      postgres: cpuSecondsOf(postmasterPid),
      kafka: stack.kafka === null ? undefined : cpuSecondsOf(stack.kafka.pid()),
      receiver: cpuSecondsOf(receiver.pid),
      bench: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    })
}

/** Waits until `count` hooks since the mark were received and recorded; @throws Error with both numbers when they differ. */
export async function whenAllAreRecorded(rig: Rig, count: number, withinMs: number): Promise<void> {
  const recorded = async () => (await rig.delivered()) - rig.recordedBefore()
  await eventually(
    `${count} deliveries`,
    async () => (await rig.receiver.count()) >= count && (await recorded()) >= count,
    withinMs,
  )
  const [inTheDatabase, received] = [await recorded(), await rig.receiver.count()]
  if (received !== count || inTheDatabase !== count)
    throw new Error(`${count} were due, ${received} received, ${inTheDatabase} recorded as delivered`)
}
