// Rows that are compared with the fold of their streams, page by page (I12, F53): where a page ends in a stream, what is passed over, what
// cannot be written, and from where it goes on.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { accept, type Decider } from '@wds/decider/decider'
import { migrationsDirectory } from '@wds/event-store/event-store'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { isFullRun } from '@wds/local-infra/test-size'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import type { Aggregate, AnyAggregate } from './aggregate.ts'
import { checkRows, type RowCheckOptions, type RowCount, type RowDifference, type RowPlace } from './row-check.ts'

interface Counter {
  status: 'none' | 'counting' | 'ended'
  sum: number
}
type CounterEvent = { type: 'Counted'; data: { by: number } } | { type: 'Ended'; data: Record<never, never> }

const decider: Decider<Counter, never, CounterEvent, never> = {
  initialState: { status: 'none', sum: 0 },
  evolve: ({ sum }, { type, data }) =>
    type === 'Ended' ? { status: 'ended', sum } : { status: 'counting', sum: sum + data.by },
  decide: () => accept(),
}
const dayMs = 86_400_000
const counters: Aggregate<Counter, never, CounterEvent, never> = {
  streamType: 'counter',
  idPrefix: 'whk',
  table: 'counters',
  idColumn: 'counter_id',
  decider,
  columns: ({ status, sum }) => ({ status, sum }),
  keptMs: ({ status }) => (status === 'ended' ? dayMs : null),
}
const aggregates = [counters as AnyAggregate]

let database: TestDatabase
let pool: Pool
let owner: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const urls = database.urls.services.api
  await migrate({ connectionString: urls.owner, schema: 'api', directories: [migrationsDirectory] })
  pool = createPool({ connectionString: urls.worker, applicationName: 'test', max: 2 })
  const connectionString = `${database.adminUrl}?options=-c%20search_path%3Dapi`
  owner = createPool({ connectionString, applicationName: 'owner', max: 2, statementTimeoutMs: 0 })
  await owner.query(`create table counters (workspace_id text collate "C" not null, counter_id text collate "C" not null,
    version integer not null, status text not null, sum integer not null check (sum <> 13), seen integer, state jsonb not null,
    created timestamptz(3) not null, updated timestamptz(3) not null, primary key (counter_id, workspace_id))`)
  await owner.query('grant select, insert, update on counters to wds_api_worker')
})
afterAll(async () => {
  await owner?.end()
  await pool?.end()
  await database?.drop()
})
beforeEach(async () => {
  await owner.query('delete from counters')
  await onStreams('delete from stream_events')
})

/** What nobody may do. */
async function onStreams(statement: string): Promise<void> {
  await owner.query('alter table stream_events disable trigger user')
  await owner.query(statement)
  await owner.query('alter table stream_events enable trigger user')
}

/** Streams `id 1`, … of the workspace, each counting to its number of events by one; `created` a second apart. */
async function seed(workspaceId: string, o: { streams: number; events: number; end?: boolean }): Promise<void> {
  const at = `timestamptz '2026-01-01T00:00:00Z' + v * interval '1 s'`
  await owner.query(
    `insert into stream_events (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created, actor, correlation, traceparent)
     select $1, 'counter', 'id ' || s, v, 'evt ' || s || ' ' || v, case when $4 and v = $3 then 'Ended' else 'Counted' end, '{"by": 1}',
       ${at}, 'system:test', 'req', '' from generate_series(1, $2::int) s, generate_series(1, $3::int) v`,
    [workspaceId, o.streams, o.events, o.end ?? false],
  )
}

interface Stored {
  counter_id: string
  version: number
  sum: number
  seen: number | null
}

async function rowsOf(workspaceId: string): Promise<Stored[]> {
  const { rows } = await owner.query<Stored>(
    'select counter_id, version, sum, seen from counters where workspace_id = $1 order by counter_id',
    [workspaceId],
  )
  return rows
}

async function run(o: Partial<RowCheckOptions> = {}): Promise<{ count: RowCount; found: RowDifference[] }> {
  const found: RowDifference[] = []
  const count = await checkRows({ pool, aggregates, rebuild: false, report: (one) => found.push(one), ...o })
  return { count, found }
}

test.each([1, 2, 3, 5, 7, 15, 16, 100])('F53: five streams of three events in pages of %i', async (pageEvents) => {
  await seed('wsp_1', { streams: 5, events: 3 })
  const { count } = await run({ rebuild: true, pageEvents })
  expect(count).toEqual({ workspaces: 1, events: 15, rows: 5, differences: 5, mended: 5 })
  expect(await rowsOf('wsp_1')).toEqual(
    [1, 2, 3, 4, 5].map((nth) => ({ counter_id: `id ${nth}`, version: 3, sum: 3, seen: null })),
  )
  await owner.query(`insert into counters select workspace_id, 'id 31', 1, status, 1, null, state, created, updated
    from counters where counter_id = 'id 1'`)
  await owner.query(`update counters set sum = 4, seen = 9 where counter_id = 'id 3'`)
  const spoilt = await run({ rebuild: true, pageEvents })
  expect(spoilt.found.map(({ id, kind, columns, unmended }) => [id, kind, columns, unmended === null])).toEqual(
    expect.arrayContaining([
      ['id 3', 'differs', ['sum'], true],
      ['id 31', 'no_stream', [], false],
    ]),
  )
  expect(spoilt.found).toHaveLength(2)
  // What the fold does not give stays.
  expect(await rowsOf('wsp_1')).toContainEqual({ counter_id: 'id 3', version: 3, sum: 3, seen: 9 })
})

test('each workspace alone, and from any place on that was told: nothing is passed over, nothing is read twice', async () => {
  await seed('wsp_1', { streams: 4, events: 2 })
  await seed('wsp_2', { streams: 4, events: 2 })
  const places: RowPlace[] = []
  const whole = await run({ pageEvents: 3, progress: (_, place) => places.push(place) })
  const told = whole.found.map(({ workspaceId, id }) => `${workspaceId} ${id}`)
  expect(told).toEqual(['wsp_1', 'wsp_2'].flatMap((wsp) => [1, 2, 3, 4].map((nth) => `${wsp} id ${nth}`)))
  for (const from of places) {
    const rest = (await run({ from })).found.map(({ workspaceId, id }) => `${workspaceId} ${id}`)
    expect(rest).toEqual(told.filter((one) => one > `${from.workspaceId} ${from.streamId}`))
  }
  expect((await run({ workspaceId: 'wsp_2' })).count.rows).toBe(4)
})

test('a row that cannot be written is told with its reason, and holds up no other', async () => {
  await seed('wsp_1', { streams: 3, events: 13 })
  await onStreams(`update stream_events set data = '{"by": 2}' where stream_id <> 'id 2'`)
  const { count, found } = await run({ rebuild: true })
  expect([count.differences, count.mended]).toEqual([3, 2])
  expect(found.filter(({ unmended }) => unmended !== null)).toMatchObject([
    { id: 'id 2', unmended: expect.stringContaining('counters_sum_check') },
  ])
  expect((await rowsOf('wsp_1')).map(({ sum }) => sum)).toEqual([26, 26])
})

test('a row that was removed with age is none that is missing; one that is still kept is', async () => {
  await seed('wsp_1', { streams: 1, events: 2, end: true })
  expect((await run()).found).toEqual([])
  await onStreams(`update stream_events set created = now() - interval '23 h'`)
  expect((await run()).found).toMatchObject([{ kind: 'missing', id: 'id 1' }])
})

test.each([false, true])(
  'regression: what cannot be folded, or makes no row, is named and holds up no other (rebuild: %s)',
  async (rebuild) => {
    await seed('wsp_1', { streams: 4, events: 3 })
    await onStreams(`update stream_events set data = '{"by": -7}' where stream_id = 'id 2' and version = 2`)
    await onStreams(`update stream_events set data = '{"by": -99}' where stream_id = 'id 3' and version = 3`)
    const broken = {
      ...counters,
      decider: {
        ...decider,
        evolve: (state: Counter, event: CounterEvent) => {
          if (event.type === 'Counted' && event.data.by === -7) throw new Error('no such event')
          return decider.evolve(state, event)
        },
      },
      columns: (state: Counter) => {
        if (state.sum < -50) throw new Error('no such sum')
        return counters.columns(state)
      },
    }
    const { count, found } = await run({ aggregates: [broken as unknown as AnyAggregate], rebuild, pageEvents: 5 })
    const shown = found.map(({ id, kind, unmended }) => [id, kind, unmended])
    const left = rebuild ? null : 'not asked for'
    expect(shown.toSorted()).toEqual([
      ['id 1', 'missing', left],
      ['id 2', 'not_folded', 'cannot be folded at version 2 (Counted): no such event'],
      ['id 3', 'not_folded', 'makes no row: no such sum'],
      ['id 4', 'missing', left],
    ])
    expect([count.rows, count.differences, count.mended]).toEqual([4, 4, rebuild ? 2 : 0])
  },
)

test('regression: a gap that a change from above its stream’s version has left is told, beside what its row is', async () => {
  await seed('wsp_1', { streams: 2, events: 3 })
  await run({ rebuild: true })
  await owner.query(`update counters set version = 4 where counter_id = 'id 1'`)
  expect((await run()).found).toMatchObject([{ id: 'id 1', kind: 'differs', storedVersion: 4, foldedVersion: 3 }])
  // A change takes the row's version for the stream's.
  await onStreams(`update stream_events set version = 5 where stream_id = 'id 1' and version = 3`)
  await owner.query(`update counters set version = 5 where counter_id = 'id 1'`)
  const { count, found } = await run({ rebuild: true })
  expect(found).toMatchObject([
    { id: 'id 1', kind: 'gap', foldedVersion: 5, unmended: 'the stream has no event of version 3' },
  ])
  expect([count.differences, count.mended]).toEqual([1, 0])
})

test('regression: of two rebuilds at once the later one does not set back a row that changed behind the first', async () => {
  await seed('wsp_1', { streams: 1, events: 1 })
  const client = await owner.connect()
  try {
    // The first one, and the change: what it holds, the row that it writes, and what a command makes of it.
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtextextended('rebuild:counter:wsp_1', 0))`)
    await client.query(`insert into counters select workspace_id, stream_id, 2, 'counting', 2, null, '{"status": "counting", "sum": 2}',
      created, created + interval '1 s' from stream_events`)
    await client.query(`insert into stream_events (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created, actor, correlation, traceparent)
      select workspace_id, stream_type, stream_id, 2, 'evt 1 2', event_type, data, created + interval '1 s', actor, correlation, traceparent from stream_events`)
    const later = run({ rebuild: true })
    await untilOneWaits()
    await client.query('commit')
    expect((await later).found).toEqual([])
  } finally {
    client.release(true)
  }
  expect(await rowsOf('wsp_1')).toMatchObject([{ version: 2, sum: 2 }])
})

/** Until a statement of the worker waits for a lock. */
async function untilOneWaits(): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { rows } = await owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'test' and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return
    if (Date.now() > deadline) throw new Error('nobody waits')
  }
}

const isFull = isFullRun()
const streams = isFull ? 100_000 : 1_000

test(`F53: rows of ${streams * 10} events that are lost are there again; spoilt ones serve until they are right, each at once`, async () => {
  await seed('wsp_1', { streams, events: 10 })
  await owner.query('analyze stream_events')
  const timed = async (rebuild: boolean) => {
    const startedMs = performance.now()
    const { count, found } = await run({ rebuild })
    expect(found.filter(({ unmended }) => rebuild && unmended !== null)).toEqual([])
    return { count, perSecond: (streams * 10_000) / (performance.now() - startedMs) }
  }
  const lost = await timed(true)
  expect([lost.count.events, lost.count.mended]).toEqual([streams * 10, streams])
  await owner.query(`update counters set state = '{}', sum = 0`)
  let ended = false
  const rebuilding = timed(true).finally(() => {
    ended = true
  })
  const seen = new Set<string>()
  while (!ended) {
    const { rows } = await owner.query(`select state, sum from counters where counter_id = 'id ${streams / 2}'`)
    seen.add(JSON.stringify(rows))
  }
  const spoilt = await rebuilding
  const right = [{ state: { sum: 10, status: 'counting' }, sum: 10 }]
  expect([...seen]).toEqual([JSON.stringify([{ state: {}, sum: 0 }]), JSON.stringify(right)])
  expect(spoilt.count.mended).toBe(streams)
  const sound = await timed(false)
  expect(sound.count.differences).toBe(0)
  if (!isFull) return
  const rates = [lost, spoilt, sound].map(({ perSecond }) => Math.round(perSecond))
  process.stdout.write(`rows of 1 million events, events/s: lost, spoilt, sound: ${rates.join(', ')}\n`)
  for (const rate of rates) expect(rate).toBeGreaterThan(10_000)
})
