// Campaigns from their file, through the public door and the real database.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { importFileOnce } from '../file-imports/file-loop.ts'
import { batchLines } from '../files/in-batches.ts'
import { readReferenceRates } from '../fx/reference-rates.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

type Row = Record<string, unknown>
const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
const integration = () => fixture.createIntegration({ name: 'Files', brand_slug: 'files' })

async function send(
  integrationId: string,
  text: string,
  o: { headers?: Record<string, string> } = {},
): Promise<string> {
  const path = `/v1/imports?type=campaigns&integration_id=${integrationId}`
  const { status, body, text: answer } = await fixture.call('POST', path, { csv: text, ...o })
  if (status !== 202) throw new Error(answer)
  return String(body.id)
}
const read = async (id: string) => (await fixture.call('GET', `/v1/imports/${id}`)).body
/** The import of a file once it has ended. */
async function take(integrationId: string, text: string, o: Parameters<typeof send>[2] = {}): Promise<Row> {
  const id = await send(integrationId, text, o)
  await fixture.work()
  return read(id)
}
async function rejectsOf(id: unknown): Promise<unknown[]> {
  const { text } = await fixture.call('GET', `/v1/imports/${id}/errors`)
  const lines: Row[] = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return lines.map(({ line, code, pointer }) => [line, code, pointer])
}
/** By external id, all of the integration. */
async function campaignsOf(integrationId: string): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  for (let cursor = ''; ; ) {
    const { body } = await fixture.call(
      'GET',
      `/v1/campaigns?limit=100&integration_id=${integrationId}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    for (const one of body.data as Row[]) found.set(String(one.external_id), one)
    if (body.next_cursor === null) return found
    cursor = String(body.next_cursor)
  }
}
async function toldOf(id: unknown): Promise<unknown[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    `select o.payload from api.outbox o join api.stream_events e on e.event_id = o.event_id where e.stream_id = $1 order by e.version`,
    [id],
  )
  return rows.map(({ payload }) => JSON.parse(payload.toString())).map(({ type, data }) => [type, data.changed ?? null])
}
const once = () => importFileOnce({ ...fixture.worker, referenceRates: readReferenceRates(), turns: { last: '' } })

test('a file makes campaigns and changes those that are there; what it leaves empty stays; each is told as by hand', async () => {
  const id = await integration()
  const known = { name: 'Known', integration_id: id, external_id: 'known', tags: ['kept'], starts: '2026-01-01' }
  const { body: made } = await fixture.call('POST', '/v1/campaigns', { json: known })
  const columns = 'external_id,name,status,tags,tracking_url,landing_url,countries,starts,ends'
  const done = await take(
    id,
    `${columns}
new,New one,active,seo| seo |top,https://go.example/?s={sub_id},https://x.example,DE|AT,2026-02-01,2026-02-28
known,Renamed,active,,,,,,2026-03-01
draft,Draft,,,,,,,
`,
  )
  expect(done).toMatchObject({
    type: 'campaigns',
    status: 'completed',
    integration_id: id,
    sync_run_id: null,
    error: null,
    lines: 3,
    accepted: 3,
    rejected: 0,
    unchanged: 0,
  })
  const found = await campaignsOf(id)
  expect(found.get('new')).toMatchObject({
    name: 'New one',
    status: 'active',
    tags: ['seo', 'top'],
    countries: ['DE', 'AT'],
    brand_slug: 'files',
    tracking_url: 'https://go.example/?s={sub_id}',
    landing_url: 'https://x.example',
    starts: '2026-02-01',
    ends: '2026-02-28',
  })
  expect(found.get('known')).toMatchObject({
    id: made.id,
    name: 'Renamed',
    status: 'draft',
    tags: ['kept'],
    starts: '2026-01-01',
    ends: '2026-03-01',
  })
  expect(found.get('draft')).toMatchObject({ status: 'draft', tags: [] })
  expect(await toldOf(made.id)).toEqual([
    ['campaign.created', null],
    ['campaign.updated', ['name', 'ends']],
  ])
  expect(await toldOf(found.get('new')?.id)).toEqual([['campaign.created', null]])
})

test('C71: a bad line is rejected with line, pointer and code, and the others stand', async () => {
  const id = await integration()
  const { body } = await fixture.call('POST', '/v1/campaigns', {
    json: { name: 'Ended', integration_id: id, external_id: 'ended' },
  })
  await fixture.call('POST', `/v1/campaigns/${body.id}/archive`)
  const long = 'x'.repeat(101)
  const columns = 'external_id,name,status,tags,tracking_url,landing_url,countries,starts,ends'
  const lines: [line: string, code?: string, pointer?: string][] = [
    ['good,Good,,,,,,,'],
    [',Name,,,,,,,', 'missing_required', '/external_id'],
    ['a,,,,,,,,', 'missing_required', '/name'],
    [`${long},Name,,,,,,,`, 'text_too_long', '/external_id'],
    [`a,${long},,,,,,,`, 'text_too_long', '/name'],
    [`a,Name,,${'t'.repeat(41)},,,,,`, 'text_too_long', '/tags'],
    [`a,Name,,${Array.from({ length: 21 }, (_, n) => n).join('|')},,,,,`, 'bad_value', '/tags'],
    ['a,Name,paused,,,,,,', 'bad_value', '/status'],
    ['a,Name,,,https://{sub_id}.example,,,,', 'bad_value', '/tracking_url'],
    ['a,Name,,,,http://x.example,,,', 'bad_value', '/landing_url'],
    ['a,Name,,,,,DE|QQ,,', 'bad_country', '/countries'],
    ['a,Name,,,,,,2026-02-30,', 'bad_date', '/starts'],
    ['a,Name,,,,,,2026-02-02,2026-02-01', 'bad_value', '/ends'],
    ['good,Good,,,,,,2026-02-02,'],
    ['good,Good,,,,,,,2026-02-01', 'bad_value', '/ends'],
    ['ended,Ended,,,,,,,'],
    ['ended,Other,,,,,,,', 'campaign_archived', '/external_id'],
    ['a,Name', 'wrong_column_count'],
  ]
  const done = await take(id, `${[columns, ...lines.map(([line]) => line)].join('\n')}\n`)
  expect(done).toMatchObject({ status: 'completed_with_errors', lines: lines.length, accepted: 3, unchanged: 1 })
  const wanted = lines.flatMap(([, code, pointer = null], at) => (code === undefined ? [] : [[at + 2, code, pointer]]))
  expect(await rejectsOf(done.id)).toEqual(wanted)
  expect([...(await campaignsOf(id)).keys()].sort()).toEqual(['ended', 'good'])
})

test('C71: beyond 10,000 campaigns of the workspace a new one is rejected, a known one is changed', async () => {
  const id = await integration()
  await take(id, 'external_id,name\nfirst,First\n')
  await fixture.adminPool.query(
    `insert into api.campaigns select copied.* from api.campaigns c, generate_series(1, 9999 - (
         select count(*)::integer from api.campaigns where workspace_id = $2)) n,
       jsonb_populate_record(c, jsonb_build_object('id', 'cmp_' || n, 'external_id', 'copy ' || n)) copied
     where c.integration_id = $1 and c.external_id = 'first'`,
    [id, fixture.workspaces.a],
  )
  const done = await take(id, 'external_id,name\nsecond,Second\nthird,Third\nfirst,Changed\n')
  expect(done).toMatchObject({ accepted: 2, rejected: 1 })
  expect(await rejectsOf(done.id)).toEqual([[3, 'limit_reached', null]])
  await fixture.adminPool.query(`delete from api.campaigns where external_id like 'copy %'`)
})

test('C73: it names its integration alone, and has the columns of campaigns', async () => {
  const id = await integration()
  const ask = async (query: string, csv = 'external_id,name\n') => {
    const { status, body } = await fixture.call('POST', `/v1/imports?type=campaigns${query}`, { csv })
    return [status, body.code]
  }
  expect(await ask('')).toEqual([400, 'invalid_parameter'])
  expect(await ask(`&integration_id=${id}&source=x`)).toEqual([400, 'invalid_parameter'])
  expect(await ask('&integration_id=int_nothing')).toEqual([404, 'not_found'])
  for (const header of ['external_id\n', 'external_id,name,deal\n'])
    expect(await ask(`&integration_id=${id}`, header)).toEqual([422, 'unknown_column'])
})

/** Three batches: every third line is bad. */
const large = () =>
  `external_id,name,starts\n${Array.from({ length: 2 * batchLines + 50 }, (_, n) => `c${n},Name ${n},${n % 3 === 0 ? 'never' : ''}`).join('\n')}\n`
const good = Array.from({ length: 2 * batchLines + 50 }, (_, n) => n).filter((n) => n % 3 !== 0).length

/** One that waits for a lock, once there is one. */
async function waitingProcess(): Promise<number> {
  for (;;) {
    const { rows } = await fixture.adminPool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows[0] !== undefined) return rows[0].pid
  }
}

test('C72: of a worker that is lost amid one another goes on; nothing is lost or made twice, and a canceled one ends there', async () => {
  const id = await integration()
  const file = await send(id, large())
  await once()
  await once()
  const soFar = batchLines - Math.ceil(batchLines / 3)
  expect(await read(file)).toMatchObject({ status: 'running', lines: batchLines, accepted: soFar, unchanged: 0 })
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    await client.query('select from api.integrations where id = $1 for update', [id])
    const lost = once()
    await fixture.adminPool.query('select pg_terminate_backend($1)', [await waitingProcess()])
    await lost
  } finally {
    await client.query('rollback')
    client.release()
  }
  await fixture.adminPool.query('update api.import_work set due = now()')
  await fixture.work()
  expect(await read(file)).toMatchObject({ status: 'completed_with_errors', lines: 250, accepted: good, unchanged: 0 })
  const before = await campaignsOf(id)
  expect(before.size).toBe(good)
  const again = await take(id, large())
  expect(again).toMatchObject({ lines: 250, accepted: good, unchanged: good })
  expect(await campaignsOf(id)).toEqual(before)
  const other = await integration()
  const canceled = await send(other, large())
  await once()
  await once()
  expect((await fixture.call('POST', `/v1/imports/${canceled}/cancel`)).body.status).toBe('canceled')
  expect([await once(), (await campaignsOf(other)).size]).toEqual([false, batchLines - Math.ceil(batchLines / 3)])
})

test('regression: a turn that waits for the integration keeps nobody from the import, since who cancels it has the integration first', async () => {
  const id = await integration()
  const file = await send(id, large())
  await once()
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    await client.query('select from api.integrations where id = $1 for update', [id])
    const turn = once()
    await waitingProcess()
    const { rows } = await fixture.adminPool.query('select from api.imports where id = $1 for update skip locked', [
      file,
    ])
    expect(rows).toHaveLength(1)
    await client.query('rollback')
    expect(await turn).toBe(true)
  } finally {
    client.release(true)
  }
  // The end of its runs and files of stats is no end of it.
  expect((await fixture.call('POST', `/v1/integrations/${id}/pause`)).status).toBe(200)
  await fixture.work()
  expect((await read(file)).status).toBe('completed_with_errors')
})

test('with rows of its source, merges and people at once each campaign is made once, and nobody waits for good', async () => {
  const id = await integration()
  const names = Array.from({ length: 60 }, (_, n) => `m${n}`)
  await send(id, `external_id,name\n${names.map((name) => `${name},File ${name}`).join('\n')}\n`)
  const rows = names.map((name) => `2026-01-01,${name},1`).reverse()
  await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, {
    csv: `date,campaign,clicks\n${rows.join('\n')}\n`,
  })
  const byHand = names
    .slice(0, 20)
    .map((external_id) =>
      fixture.call('POST', '/v1/campaigns', { json: { name: 'Hand', integration_id: id, external_id } }),
    )
  await Promise.all([fixture.work(), once(), once(), ...byHand])
  await fixture.work()
  const found = await campaignsOf(id)
  expect(found.size).toBe(60)
  expect([...found.values()].filter(({ name, external_id }) => name !== `File ${external_id}`)).toEqual([])
  await send(id, `external_id,name\n${names.map((name) => `${name},Twice ${name}`).join('\n')}\n`)
  const merges = names.slice(1).map((name, at) =>
    fixture.call('POST', `/v1/campaigns/${found.get(name)?.id}/merge`, {
      json: { into: found.get(names[at] ?? '')?.id },
    }),
  )
  const answers = await Promise.all([...merges, once().then(once)])
  expect(
    answers.flatMap((one) => (typeof one === 'boolean' || [200, 422].includes(one.status) ? [] : [one.text])),
  ).toEqual([])
  await fixture.work()
})

test('C71, C72: files of any lines in any order leave what an oracle of them says, and change nothing when they are sent again', async () => {
  const line = fc.record({
    of: fc.nat(12),
    name: fc.constantFrom('One', 'Two', ''),
    starts: fc.constantFrom('', '2026-01-05', 'x'),
    ends: fc.constantFrom('', '2026-01-01', '2026-01-09'),
    gap: fc.nat(2),
  })
  const lines = fc.array(line, { minLength: 1, maxLength: batchLines + 40, size: 'max' })
  await fc.assert(
    fc.asyncProperty(lines, fc.boolean(), async (given, isJson) => {
      const id = await integration()
      const wanted: [number, string][] = []
      const oracle = new Map<string, { name: string; starts: string | null; ends: string | null }>()
      const text: string[] = isJson ? [] : ['external_id,name,starts,ends']
      for (const { of, name, starts, ends, gap } of given) {
        text.push(...Array.from({ length: gap }, () => ''))
        const cells = { external_id: `c${of}`, name, starts, ends }
        text.push(isJson ? JSON.stringify(cells) : Object.values(cells).join(','))
        const known = oracle.get(`c${of}`) ?? { name: '', starts: null, ends: null }
        const next = { name, starts: starts === '' ? known.starts : starts, ends: ends === '' ? known.ends : ends }
        if (name === '') wanted.push([text.length, 'missing_required'])
        else if (starts === 'x') wanted.push([text.length, 'bad_date'])
        else if (next.starts !== null && next.ends !== null && next.starts > next.ends)
          wanted.push([text.length, 'bad_value'])
        else oracle.set(`c${of}`, next)
      }
      const file = `${text.join('\n')}\n`
      const done = await take(id, file, isJson ? ndjson : {})
      expect(done).toMatchObject({ lines: given.length, rejected: wanted.length })
      expect((await rejectsOf(done.id)).map((one) => (one as unknown[]).slice(0, 2))).toEqual(wanted)
      const shown = async () =>
        [...(await campaignsOf(id))].map(([key, { name, starts, ends }]) => [key, { name, starts, ends }]).sort()
      expect(await shown()).toEqual([...oracle].sort())
      // The last line of each that stood, once more: it says what is there.
      const last = [...oracle].map(([key, { name, starts, ends }]) => [key, name, starts ?? '', ends ?? ''].join(','))
      const again = await take(id, `external_id,name,starts,ends\n${last.join('\n')}\n`)
      expect(again).toMatchObject({ lines: last.length, rejected: 0, unchanged: last.length })
      expect(await shown()).toEqual([...oracle].sort())
    }),
    { numRuns: 5, endOnFailure: true },
  )
})

test('B3: its scopes are those of campaigns', async () => {
  const id = await integration()
  const file = await send(id, 'external_id,name\na,A\n')
  await fixture.work()
  const asked = async (as: 'campaigns:read' | 'campaigns:write' | 'integrations:read' | 'integrations:write') => [
    (await fixture.call('GET', `/v1/imports/${file}`, { as })).status,
    (await fixture.call('POST', `/v1/imports?type=campaigns&integration_id=${id}`, { as, csv: 'external_id,name\n' }))
      .status,
  ]
  expect([await asked('campaigns:read'), await asked('campaigns:write')]).toEqual([
    [200, 403],
    [403, 202],
  ])
  expect([await asked('integrations:read'), await asked('integrations:write')]).toEqual([
    [403, 403],
    [403, 403],
  ])
})
