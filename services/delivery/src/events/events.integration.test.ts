// The event log over a real listener and the real Postgres: order, filters, and a cursor that misses no event, whoever commits late.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { matchesEventPattern } from '@wds/contracts/event-types'
import { type Id, idDay } from '@wds/contracts/ids'
import { withTransaction } from '@wds/postgres/transaction'
import { newId, seedEvents, withRowsRead } from '../engine.fixture.ts'
import { type IncomingEvent, ingest } from '../fan-out/store-ingest.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { listEvents } from './store.ts'
import { typeIsOneOf } from './store-patterns.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

let workspaceId: Id<'wsp'>
beforeEach(() => {
  workspaceId = newId('wsp')
})

const dayMs = 86_400_000
const get = (path: string) => routes.call(workspaceId, 'GET', path)
const idsOf = ({ body }: Awaited<ReturnType<typeof get>>) => body.data.map(({ id }) => id)

const envelope = (type: string) => (id: string) =>
  JSON.stringify({ id, type, created: new Date().toISOString(), data: {} })

const incoming = (eventId: string): IncomingEvent => ({
  eventId,
  eventDay: idDay(eventId),
  workspaceId,
  type: 'sync.completed',
  about: null,
  payload: Buffer.from(envelope('sync.completed')(eventId)),
  traceparent: null,
  createdMs: Date.now(),
})

const seed = (count: number, o: { type?: string; atMs?: number } = {}) =>
  seedEvents(routes.engine, { workspaceId, count, payloadOf: envelope(o.type ?? 'sync.completed'), ...o })

test('a pattern means the same types in SQL as elsewhere', async () => {
  const patterns = ['*', 'sync.*', 'sync.completed', 'sync', 'sync.', '.*', 'sub_affiliate.*', 'sub%.*', '']
  const types = [
    'sync.completed',
    'sync.failed',
    'sync',
    'syncs.made',
    'sub_affiliate.paid',
    'subXaffiliate.paid',
    'a.b',
  ]
  const pairs = patterns.flatMap((pattern) => types.map((type) => ({ pattern, type })))
  const { rows } = await routes.engine.admin.query<{ met: boolean }>(
    `select ${typeIsOneOf('type', 'array[pattern]')} as met from unnest($1::text[], $2::text[]) with ordinality u(pattern, type, n) order by n`,
    [pairs.map(({ pattern }) => pattern), pairs.map(({ type }) => type)],
  )
  expect(rows.map(({ met }) => met)).toEqual(pairs.map(({ pattern, type }) => matchesEventPattern(pattern, type)))
})

/** Asks on until the end; the last cursor is the one to go on with. */
async function walk(query: string, cursor?: string): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = []
  for (let next = cursor; ; ) {
    const page = await get(`/v1/events?${query}${next === undefined ? '' : `&cursor=${next}`}`)
    expect([page.status, typeof page.body.next_cursor]).toEqual([200, 'string'])
    ids.push(...idsOf(page))
    next = page.body.next_cursor ?? ''
    if (!page.body.has_more) return { ids, cursor: next }
  }
}

describe('GET /v1/events', () => {
  test('lists the events of the workspace in the order in which they came, page by page, each once, and goes on from the last cursor', async () => {
    const older = await seed(1, { atMs: Date.now() - 5_000 })
    const events = await seed(5)
    const late = await seed(1, { atMs: Date.now() - 60_000 })
    await ingest(routes.engine.worker, [...older, ...events].map(incoming))
    await seedEvents(routes.engine, { workspaceId: newId('wsp'), count: 1 })
    const first = await walk('limit=3')
    expect(first.ids).toEqual([...older, ...events, ...late])
    expect(await walk('limit=3', first.cursor)).toEqual({ ids: [], cursor: first.cursor })
    const more = await seed(4)
    expect((await walk('limit=3', first.cursor)).ids).toEqual(more)
  })

  test('shows the envelope as subscribers get it, in the list and alone', async () => {
    const [id = ''] = await seed(1, { type: 'invoice.paid' })
    const expected = { id, type: 'invoice.paid', created: expect.any(String), data: {} }
    expect((await get('/v1/events')).body.data).toEqual([expected])
    const alone = await get(`/v1/events/${id}`)
    expect([alone.status, alone.body, alone.etag]).toEqual([200, expected, `"${id}"`])
    expect((await routes.call(newId('wsp'), 'GET', `/v1/events/${id}`)).status).toBe(404)
    expect((await get(`/v1/events/${newId('evt')}`)).status).toBe(404)
    expect((await get('/v1/events/no-id')).status).toBe(404)
  })

  test('filters by types, patterns and period', async () => {
    const [paid, synced, started] = [
      await seed(2, { type: 'invoice.paid' }),
      await seed(2, { type: 'sync.completed' }),
      await seed(1, { type: 'sync.started' }),
    ]
    const before = await seed(1, { type: 'sync.completed', atMs: Date.now() - 3_600_000 })
    expect((await walk('type=sync.completed,invoice.*')).ids).toEqual([...paid, ...synced, ...before])
    expect((await walk('type=sync.*&limit=2')).ids).toEqual([...synced, ...started, ...before])
    expect((await walk('type=*')).ids).toHaveLength(6)
    const since = new Date(Date.now() - 60_000).toISOString()
    expect((await walk(`type=sync.*&since=${since}`)).ids).toEqual([...synced, ...started])
    expect((await walk(`until=${since}`)).ids).toEqual(before)
  })

  test('C51, C55: refuses a pattern that means nothing, a cursor of another list, of other filters, of another workspace', async () => {
    await seed(2)
    for (const type of ['nothing.such', 'sync', 'sy*', '*.*']) {
      const { status, body } = await get(`/v1/events?type=${type}`)
      expect([type, status, body.code]).toEqual([type, 400, 'invalid_parameter'])
    }
    const { cursor } = await walk('limit=1')
    for (const path of [`/v1/dead-letters?cursor=${cursor}`, `/v1/events?type=sync.*&cursor=${cursor}`]) {
      const { status, body } = await get(path)
      expect([path, status, body.code]).toEqual([path, 400, 'invalid_cursor'])
    }
    expect((await routes.call(newId('wsp'), 'GET', `/v1/events?cursor=${cursor}`)).body.code).toBe('invalid_cursor')
  })

  test('a filter that matches nothing reads 10,000 events at most for a page, and the cursor goes on behind them', async () => {
    await seedEvents(routes.engine, { workspaceId, count: 10_500, type: 'sync.started' })
    const wanted = await seed(1, { type: 'invoice.paid' })
    const first = await get('/v1/events?type=invoice.*')
    expect([first.status, first.body.data, first.body.has_more]).toEqual([200, [], true])
    const second = await get(`/v1/events?type=invoice.*&cursor=${first.body.next_cursor}`)
    expect([idsOf(second), second.body.has_more]).toEqual([wanted, false])
  })
})

test('regression: a page reads the rows that it walks, not the whole log of the workspace, however dear the planner takes an index to be', async () => {
  const [id = ''] = await seed(1)
  await routes.engine.admin.query(
    `insert into delivery.events (event_day, workspace_id, event_id, type, payload, created, log_position)
     select event_day, workspace_id, left(event_id, 14) || lpad(n::text, 16, '0'), type, payload, created, 1 + n
       from delivery.events cross join generate_series(1, 40000) n where event_id = $1 order by md5(n::text)`,
    [id],
  )
  await routes.engine.admin.query(`vacuum analyze delivery.events_${idDay(id).replaceAll('-', '')}`)
  const place = { workspaceId, after: '0', newest: '50000', readable: null, from: null, to: null, limit: 51 }
  const readOf = (types: string[] | null) =>
    withTransaction(routes.engine.http, { workspaceId, readOnly: true }, async (tx) => {
      await tx.query('set local random_page_cost = 1000')
      const { result, read } = await withRowsRead(tx, 'events', () => listEvents(tx, { ...place, types }))
      return [result.rows.length, read]
    })
  expect(await readOf(['invoice.%'])).toEqual([0, 2 * 10_000])
  expect(await readOf(null)).toEqual([51, 51 + 51])
})

describe('a cursor', () => {
  test('whose next event is older than 30 days is refused; one behind which everything is shown is not', async () => {
    const { cursor: beforeAll } = await walk('')
    const { cursor: ofNobody } = await walk('type=sync.*')
    const atMs = Date.now() - 30 * dayMs
    await routes.engine.worker.query('select make_partitions($1)', [new Date(atMs).toISOString().slice(0, 10)])
    const [old = ''] = await seed(1, { atMs })
    const expired = await get(`/v1/events?cursor=${beforeAll}`)
    expect([expired.status, expired.body.code]).toEqual([409, 'event_expired'])
    expect((await get(`/v1/events/${old}`)).status).toBe(404)
    // Nothing is shown; the cursor of the end is as good as ever.
    const { ids, cursor } = await walk('')
    expect(ids).toEqual([])
    const events = await seed(2)
    expect((await walk('', cursor)).ids).toEqual(events)
    expect((await get(`/v1/events?type=sync.*&cursor=${ofNobody}`)).body.code).toBe('event_expired')
    expect((await walk('')).ids).toEqual(events)
  })

  test('misses nothing of writers that hold their transactions open while later ones end', async () => {
    // Its first event makes the workspace, for which others would wait anyway.
    await seed(1)
    const seen: string[] = []
    let cursor: string | undefined
    const poll = async () => {
      const page = await walk('limit=2', cursor)
      cursor = page.cursor
      seen.push(...page.ids)
    }
    await poll()
    const before = seen.splice(0)
    const writers = Array.from({ length: 4 }, () => openWriter())
    for (const writer of writers) await untilEndedOrWaiting(writer.stored)
    await poll()
    // The one that came last ends first, if it can.
    for (const writer of writers.toReversed()) {
      writer.commit()
      await untilEndedOrWaiting(writer.done)
      await poll()
    }
    await Promise.all(writers.map(({ done }) => done))
    await poll()
    const ids = writers.flatMap((writer) => writer.ids)
    expect([before.length, seen.toSorted()]).toEqual([1, ids.toSorted()])
  })
})

/** Stores two events and commits when told. */
function openWriter() {
  const ids = [newId('evt'), newId('evt', Date.now() - 1_000)]
  const rows = ids.map(incoming)
  const { promise: told, resolve: commit } = Promise.withResolvers<void>()
  const { promise: stored, resolve: onStored } = Promise.withResolvers<void>()
  const done = withTransaction(routes.engine.worker, { workspaceId: null }, async (tx) => {
    await ingest(tx, rows)
    onStored()
    await told
  })
  return { ids, commit, stored, done }
}

/** Until it has ended, or some writer waits for another one. */
async function untilEndedOrWaiting(what: Promise<void>): Promise<void> {
  let hasEnded = false
  const ended = what.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + 60_000
  while (!hasEnded) {
    const { rows } = await routes.engine.admin.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ingest%'",
    )
    if (rows.length > 0) return
    if (Date.now() > deadline) throw new Error('it neither ends nor waits')
    await Promise.race([ended, routes.engine.admin.query('select 1')])
  }
}
