// What a list promises while others write: everything that was there is seen once, and one's own writes at once.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { type Fixture, startFixture } from './test-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
}, 60_000)
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
}, 120_000)

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
