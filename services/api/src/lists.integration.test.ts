// What a list promises while others write: everything that was there is seen once, and one's own writes at once.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { type Fixture, startFixture } from './api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
// Copies are more than a workspace may have, and the next test makes some of its own.
afterEach(() => fixture.adminPool.query("delete from api.integrations where tags = '{walk}'"))
afterAll(() => fixture?.stop())

async function create(name: string): Promise<string> {
  const json = { name, brand_slug: 'acme', provider: 'csv_upload', tags: [name] }
  const { body } = await fixture.call('POST', '/v1/integrations', { json })
  return String(body.id)
}

const startMs = Date.UTC(2026, 0, 1)
const spanMs = 2_000

/** Copies of an integration, tagged `walk`, spread over 2 s: several rows share each millisecond. */
async function copy(template: string, rows: { id: string; ms: number }[]): Promise<void> {
  await fixture.adminPool.query(
    `insert into api.integrations (workspace_id, id, version, status, provider, brand_slug, tags, state, created, updated)
     select i.workspace_id, n.id, i.version, i.status, i.provider, i.brand_slug, '{walk}', i.state,
            to_timestamp(n.ms / 1000), to_timestamp(n.ms / 1000)
       from api.integrations i, unnest($2::text[], $3::float8[]) n (id, ms) where i.id = $1`,
    [template, rows.map(({ id }) => id), rows.map(({ ms }) => ms)],
  )
}

const row = () => ({
  id: makeId('int', startMs, randomBytes(10)),
  ms: startMs + Math.floor(Math.random() * spanMs),
})

test('C52: a walk of 10,000 rows while 1,000 are inserted and 1,000 deleted shows what existed throughout once each', async () => {
  const template = await create('template')
  const rows = Array.from({ length: 10_000 }, row)
  await copy(template, rows)
  const doomed = rows.filter((_, index) => index % 10 === 3).map(({ id }) => id)
  expect(doomed).toHaveLength(1_000)
  const seen: string[] = []
  let changes = 0
  let path: string | null = '/v1/integrations?tag=walk&limit=100'
  while (path !== null) {
    const page = fixture.call('GET', path)
    // Beside each page 10 rows come, all over the list, and 10 go, until 1,000 of each did.
    if (changes < 100) {
      await copy(template, Array.from({ length: 10 }, row))
      const gone = doomed.slice(changes * 10, changes * 10 + 10)
      await fixture.adminPool.query('delete from api.integrations where id = any($1)', [gone])
      changes += 1
    }
    const { status, body } = await page
    expect(status).toBe(200)
    seen.push(...(body.data as { id: string }[]).map(({ id }) => id))
    expect(body.has_more).toBe(body.next_cursor !== null)
    const cursor = encodeURIComponent(String(body.next_cursor))
    path = body.has_more ? `/v1/integrations?tag=walk&limit=100&cursor=${cursor}` : null
  }
  expect(changes).toBe(100)
  expect(seen).toHaveLength(new Set(seen).size)
  const shown = new Set(seen)
  const gone = new Set<string>(doomed)
  const throughout = rows.filter(({ id }) => !gone.has(id))
  expect(throughout.filter(({ id }) => !shown.has(id))).toEqual([])
  // Order is total: (created desc, id desc), also between rows of one millisecond (C53).
  const sorted = throughout.toSorted((a, b) => b.ms - a.ms || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
  const kept = new Set<string>(sorted)
  expect(seen.filter((id) => kept.has(id))).toEqual(sorted)
})

test('C24: a list and a GET right after a write show it, and its event is stored', async () => {
  const listed = async (name: string) => {
    const { body } = await fixture.call('GET', `/v1/integrations?tag=${name}`)
    return (body.data as { id: string; version: number; status: string }[]).map(({ id, version, status }) => [
      id,
      version,
      status,
    ])
  }
  const eventsOf = async (id: string) => {
    const { rows } = await fixture.adminPool.query<{ event_type: string }>(
      'select event_type from api.stream_events where stream_id = $1 order by version',
      [id],
    )
    return rows.map(({ event_type }) => event_type)
  }
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const name = `own-${index}`
      const id = await create(name)
      expect(await listed(name)).toEqual([[id, 1, expect.any(String)]])
      expect((await fixture.call('GET', `/v1/integrations/${id}`)).body).toMatchObject({ id, name, version: 1 })
      const changed = await fixture.call('POST', `/v1/integrations/${id}/pause`)
      expect(changed.body.version).toBe(2)
      expect(await listed(name)).toEqual([[id, 2, 'paused']])
      expect((await fixture.call('DELETE', `/v1/integrations/${id}`)).status).toBe(204)
      expect(await listed(name)).toEqual([])
      expect((await fixture.call('GET', `/v1/integrations/${id}`)).status).toBe(404)
      expect(await eventsOf(id)).toHaveLength(3)
    }),
  )
})

test('C24: of a write whose commit fails neither the row nor the event is there', async () => {
  const name = 'undone'
  // Checked at the commit: everything was written by then.
  await fixture.adminPool.query(
    `create function api.refuse_commit() returns trigger language plpgsql as $$ begin
       if new.state::text like '%undone%' then raise exception 'refused at the commit'; end if; return null; end $$;
     create constraint trigger refuse_commit after insert on api.integrations deferrable initially deferred
       for each row execute function api.refuse_commit()`,
  )
  const json = { name, brand_slug: 'acme', provider: 'csv_upload', tags: [name] }
  expect((await fixture.call('POST', '/v1/integrations', { json })).status).toBe(500)
  await fixture.adminPool.query('drop trigger refuse_commit on api.integrations; drop function api.refuse_commit()')
  const left = await fixture.adminPool.query(
    `select 1 from api.integrations where state::text like '%undone%'
     union all select 1 from api.stream_events where data::text like '%undone%'
     union all select 1 from api.outbox where convert_from(payload, 'UTF8') like '%undone%'`,
  )
  expect(left.rows).toEqual([])
})

test('C55: regression: a filter that matches nothing reads 10,000 rows at most for a page, and the cursor goes on behind them', async () => {
  const template = await create('filtered')
  // Of a workspace of its own kind of tag, older than all others, so that the walk passes everything else first.
  const rows = Array.from({ length: 11_000 }, () => ({ ...row(), ms: startMs - 1_000_000 }))
  await copy(template, rows)
  const pages: { data: object[]; has_more: boolean; next_cursor: string | null }[] = []
  let path: string | null = '/v1/integrations?tag=nowhere'
  while (path !== null) {
    const { status, body }: Awaited<ReturnType<typeof fixture.call>> = await fixture.call('GET', path)
    expect([status, body.has_more]).toEqual([200, body.next_cursor !== null])
    pages.push(body as unknown as (typeof pages)[number])
    path = body.has_more ? `/v1/integrations?tag=nowhere&cursor=${encodeURIComponent(String(body.next_cursor))}` : null
  }
  const { rows: all } = await fixture.adminPool.query<{ n: number }>(
    'select count(*)::int as n from api.integrations where workspace_id = $1',
    [fixture.workspaces.a],
  )
  expect(pages).toHaveLength(Math.floor((all[0]?.n ?? 0) / 10_000) + 1)
  expect(pages.every(({ data }) => data.length === 0)).toBe(true)
  // One value has an index: nothing is read that does not match, so the first page is the last.
  for (const filter of ['provider=demo', 'brand=nobody', 'status=broken', 'provider=demo&tag=nowhere']) {
    const { body } = await fixture.call('GET', `/v1/integrations?${filter}`)
    expect([filter, body.data, body.has_more]).toEqual([filter, [], false])
  }
})

test('C55: regression: an instant that does not exist is 400 in the query', async () => {
  for (const instant of ['2026-04-31T00:00:00.000Z', '0000-01-01T00:00:00.000Z']) {
    const { status, body } = await fixture.call('GET', `/v1/integrations?created[gte]=${instant}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameter'])
  }
})

test('C55: regression: a tag with a comma is found', async () => {
  const id = await create('spring,summer')
  await create('spring')
  const { body } = await fixture.call('GET', `/v1/integrations?tag=${encodeURIComponent('spring\\,summer')}`)
  expect((body.data as { id: string }[]).map((found) => found.id)).toEqual([id])
})
