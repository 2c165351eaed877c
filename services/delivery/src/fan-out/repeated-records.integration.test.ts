// Records that the log gives more than once, as a producer that was not answered or a member that lost its partition makes it (reliability.md F14).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { consumeBatch } from '@wds/event-log/consume-batch'
import type { Batch, EventLog, LogRecord } from '@wds/event-log/port'
import { createEngine, type Engine, eventRecord, newId, seedSubscription } from '../engine.fixture.ts'
import { generator } from '../sending/claim-run-state.fixture.ts'
import { createIngestHandler } from './consumer.ts'
import { createFanOut } from './fan-out.ts'

const topic = 'workspace.events'
const partitions = 4
const events = 300
const patterns = [['*'], ['sync.*'], ['invoice.*']]
const types = ['sync.completed', 'invoice.paid', 'campaign.created']

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

/** Numbers from 0, below `below`. */
type Random = (below: number) => number

/** 30 in 100 of them come 2 to 5 times, in any order. */
function repeated(records: LogRecord[], random: Random): LogRecord[] {
  const all = records.flatMap((record) =>
    Array.from({ length: random(100) < 30 ? 2 + random(4) : 1 }, () => ({ record, at: random(1_000_000) })),
  )
  return all.toSorted((a, b) => a.at - b.at).map(({ record }) => record)
}

/** Each gets another partition and offset, and batches hold up to 20. */
function batchesOf(records: LogRecord[], random: Random): Batch[] {
  const offsets = new Array<bigint>(partitions).fill(0n)
  const batches: Batch[] = []
  for (let from = 0; from < records.length; ) {
    const partition = random(partitions)
    const slice = records.slice(from, from + 1 + random(20))
    from += slice.length
    const placed = slice.map((record) => {
      const offset = offsets[partition] ?? 0n
      offsets[partition] = offset + 1n
      return { ...record, partition, offset }
    })
    batches.push({ topic, partition, records: placed, signal: new AbortController().signal } as unknown as Batch)
  }
  return batches
}

/** What the tables hold of a workspace, by the place of an event and of a subscription. */
async function dumpOf(workspaceId: string, o: { eventIds: string[]; subscriptions: string[] }): Promise<string[]> {
  const { rows } = await engine.admin.query<{ event: string; subscription: string; what: string }>(
    `select d.event_id as event, d.subscription_id as subscription, concat_ws(' ', d.status, l.kinds, w.due, e.type) as what
       from delivery.deliveries d
       join delivery.events e on e.event_day = d.event_day and e.event_id = d.event_id
       cross join lateral (select string_agg(kind::text, ',' order by seq) as kinds from delivery.delivery_log where delivery_id = d.delivery_id) l
       cross join lateral (select count(*) as due from delivery.due where delivery_id = d.delivery_id) w
      where d.workspace_id = $1`,
    [workspaceId],
  )
  const { rows: counts } = await engine.admin.query<{ line: string }>(
    `select concat_ws(' ', (select count(*) from delivery.events where workspace_id = $1), 'events,',
       (select count(*) from delivery.fan_out_queue where workspace_id = $1), 'queued,',
       (select count(*) from delivery.dead_letters), 'put aside') as line`,
    [workspaceId],
  )
  const lines = rows.map(
    ({ event, subscription, what }) =>
      `event ${o.eventIds.indexOf(event)}, subscription ${o.subscriptions.indexOf(subscription)}: ${what}`,
  )
  return [...lines.toSorted(), counts[0]?.line ?? '']
}

/** A workspace whose events were consumed in these batches. */
async function consumed(batchesOfRecords: (records: LogRecord[]) => Batch[]): Promise<string[]> {
  const workspaceId = newId('wsp')
  const subscriptions: string[] = []
  for (const wanted of patterns) subscriptions.push(await seedSubscription(engine, { workspaceId, events: wanted }))
  const records = Array.from({ length: events }, (_, nth) => {
    const record = eventRecord(workspaceId)
    return { ...record, headers: { ...record.headers, event_type: types[nth % types.length] as string } }
  })
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const options = { log: {} as EventLog, pool: engine.worker, name: workspaceId, topics: [topic] }
  const held = new Map(Array.from({ length: partitions }, (_, nth) => [`${topic}/${nth}`, null]))
  const handleBatch = createIngestHandler(fanOut.ingest)
  for (const batch of batchesOfRecords(records)) {
    await consumeBatch({ ...options, dedupe: 'natural', logger, held, handleBatch }, batch)
    await fanOut.turn()
  }
  while (await fanOut.turn());
  return dumpOf(workspaceId, { eventIds: records.map(({ eventId }) => eventId), subscriptions })
}

test('F14, I11: 30 % of the records again, at other offsets, on other partitions, shuffled: the tables are those of the run without', async () => {
  const seed = Date.now() % 1_000_000
  const next = generator(seed)
  const random: Random = (below) => Math.floor(next() * below)
  const once = await consumed((records) => batchesOf(records, random))
  let given = 0
  const again = await consumed((records) => {
    const all = repeated(records, random)
    given = all.length
    return batchesOf(all, random)
  })
  expect(given).toBeGreaterThan(events * 1.3)
  // Each event to `*`, a third of them to each of the others, and the line of counts.
  expect(once).toHaveLength(events + (2 * events) / 3 + 1)
  expect({ seed, dump: again }).toEqual({ seed, dump: once })
})
