import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type AppendContext, appendEvents, migrationsDirectory } from './event-store.ts'
import { fromStreams, rangeOf, republish, type StoredStream } from './republish.ts'
import { readRepublishArguments, runRepublishCommand } from './republish-command.ts'

type Counted = { type: 'Counted'; data: { by: number } }

let database: TestDatabase
let http: Pool
let worker: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const { api } = database.urls.services
  await migrate({
    connectionString: api.owner,
    schema: 'api',
    directories: [migrationsDirectory],
  })
  http = createPool({ connectionString: api.http, applicationName: 'test' })
  worker = createPool({ connectionString: api.worker, applicationName: 'test' })
})
afterAll(async () => {
  await Promise.all([http, worker].map((pool) => pool?.end()))
  await database?.drop()
})

const contextOf = (workspaceId: string, correlation: string): AppendContext => ({
  workspaceId,
  actor: { type: 'api_key', id: 'key:1' },
  correlation,
  causation: 'evt_cause',
  trace: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`, tracestate: 'x=1' },
})

/** Two announcements of each event; the first one tells the sum after the whole append, as services tell a state. */
const announcementsOf = (
  event: { type: string; data: unknown },
  sum: number,
  meta: { eventId: string; created: string },
) =>
  ['workspace.events', 'delivery.events'].map((topic) => ({
    topic,
    key: 'k',
    type: 'counter.counted',
    payload: Buffer.from(JSON.stringify({ ...meta, data: event.data, sum })),
  }))

async function append(workspaceId: string, streamId: string, o: { version: number; before: number; by: number[] }) {
  const events: Counted[] = o.by.map((by) => ({ type: 'Counted', data: { by } }))
  const sum = o.before + o.by.reduce((a, b) => a + b, 0)
  await withTransaction(http, { workspaceId }, (tx) =>
    appendEvents<Counted>(tx, {
      context: contextOf(workspaceId, `req_${streamId}_${o.version}`),
      streamType: 'counter',
      streamId,
      expectedVersion: o.version,
      nowMs: Date.now(),
      lastCreatedMs: o.version === 0 ? null : Date.now(),
      events,
      announce: (event, { eventId, created }) => announcementsOf(event, sum, { eventId, created }),
    }),
  )
}

const announce = (event: StoredStream['events'][number], stream: StoredStream) => {
  const sum = stream.events.reduce((all, one) => all + (one.data as { by: number }).by, 0)
  return announcementsOf(event, sum, { eventId: event.eventId, created: event.created })
}

async function takeOutbox() {
  const { rows } = await worker.query(
    'delete from outbox returning id, workspace_id, topic, key, event_id, headers, payload',
  )
  return rows.sort((a, b) => Number(a.id) - Number(b.id)).map(({ id: _, ...row }) => row)
}

const everything = { from: '2020-01-01T00:00:00Z', to: '2199-01-01T00:00:00Z' }
const all = rangeOf(everything.from, everything.to)
const byPlace = (rows: Awaited<ReturnType<typeof takeOutbox>>) =>
  [...rows].sort((a, b) => (`${a.workspace_id} ${a.event_id}` < `${b.workspace_id} ${b.event_id}` ? -1 : 1))

describe('republish', () => {
  test('puts the same records into the outbox, byte for byte, with the ids and headers of the first announcement', async () => {
    for (const workspaceId of ['wsp_a', 'wsp_b', 'wsp_c']) {
      await append(workspaceId, 'one', { version: 0, before: 0, by: [1, 2, 3] })
      await append(workspaceId, 'two', { version: 0, before: 0, by: [5] })
      await append(workspaceId, 'one', { version: 3, before: 6, by: [4, 4] })
    }
    const first = await takeOutbox()
    expect(first).toHaveLength(36)
    for (const topic of ['workspace.events', 'delivery.events']) {
      const wanted = first.filter((row) => row.topic === topic)
      const done = await republish({ pool: worker, topic, ...all, announce })
      expect(done).toEqual({ workspaces: 3, events: 18, records: 18 })
      const again = await takeOutbox()
      expect(again).toEqual(byPlace(wanted))
    }
  })

  test('takes only the range, ends included, and leaves alone what still waits', async () => {
    await append('wsp_range', 'one', { version: 0, before: 0, by: [1, 2, 3, 4] })
    const waiting = (await worker.query(`select event_id from outbox where topic = 'workspace.events' order by id`))
      .rows
    const ids = waiting.map((row) => row.event_id)
    const range = { from: ids[1], to: ids[2] }
    const o = { pool: worker, topic: 'workspace.events', ...range, announce }
    expect((await republish(o)).records).toBe(0)
    await takeOutbox()
    expect((await republish(o)).records).toBe(2)
    expect((await takeOutbox()).map((row) => row.event_id)).toEqual([ids[1], ids[2]])
  })

  test('goes page by page through more events than one holds', async () => {
    await append('wsp_pages', 'long', { version: 0, before: 0, by: Array.from({ length: 450 }, () => 1) })
    await takeOutbox()
    const pages: number[] = []
    const o = { pool: worker, topic: 'workspace.events', ...all, announce }
    const done = await republish({ ...o, onProgress: ({ records }) => pages.push(records) })
    const rows = (await takeOutbox()).filter((row) => row.workspace_id === 'wsp_pages')
    expect(rows).toHaveLength(450)
    expect(rows.map((row) => row.event_id)).toEqual(rows.map((row) => row.event_id).sort())
    expect(pages.length).toBeGreaterThan(done.workspaces)
  })

  test('the command says what it did, and what is wrong with its arguments', async () => {
    const lines: string[] = []
    const asked = readRepublishArguments([
      '--topic',
      'catalog.event-types',
      '--from',
      everything.from,
      '--to',
      everything.to,
    ])
    if (typeof asked === 'string') throw new Error(asked)
    const o = { pool: worker, republish: fromStreams(announce), print: (line: string) => void lines.push(line) }
    expect(await runRepublishCommand(asked, o)).toBe(0)
    expect(lines.pop()).toMatch(/^republished 0 records of catalog\.event-types from \d+ events of \d+ workspaces$/)
    const wrong = readRepublishArguments(['--topic', 'auth.events', '--from', 'yesterday', '--to', everything.to])
    expect(wrong).toMatch(/^an edge of the range is an event id or an instant/)
    expect(readRepublishArguments(['--topic', 't'])).toBe('topic, from and to are needed')
    expect(readRepublishArguments(['--nonsense'])).toMatch(/nonsense/)
  })

  test('regression: the command refuses a topic that there is not, and a range that ends before it begins: it told of 0 records', () => {
    const range = ['--from', everything.from, '--to', everything.to]
    expect(readRepublishArguments(['--topic', 'auth.event', ...range])).toMatch(
      /^there is no topic of this name, only auth\.events, /,
    )
    const turned = ['--from', everything.to, '--to', everything.from]
    expect(readRepublishArguments(['--topic', 'auth.events', ...turned])).toBe('the range ends before it begins')
  })

  test('only a transaction that says so reads over workspaces', async () => {
    expect((await worker.query('select from stream_events')).rowCount).toBe(0)
    await withTransaction(http, { workspaceId: null }, async (tx) => {
      await tx.query(`select set_config('app.republish', 'on', true)`)
      expect((await tx.query('select from stream_events')).rowCount).toBe(0)
    })
  })
})
