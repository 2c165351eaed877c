// Exports of invoices: what their files hold, who may have them, and which filters they take.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { type Invoicing, invoicing } from '../invoices/invoices.fixture.ts'
import { copiesOf, type Exports, exportsOf, recordsOf } from './exports.fixture.ts'

let fixture: Fixture
let exports: Exports
let invoices: Invoicing
beforeAll(async () => {
  fixture = await startFixture()
  exports = exportsOf(fixture)
  invoices = invoicing(fixture)
  for (const slug of ['acme', 'other']) await fixture.createIntegration({ name: slug, brand_slug: slug })
  const fee = (amount: number) => [{ kind: 'flat', description: 'Fee', amount }]
  const first = await invoices.draftOf('acme', undefined, { memo: '=HYPERLINK("http://x")', line_items: fee(-5) })
  const billed = await invoices.draftOf('other', undefined, { line_items: fee(500), due: '2027-01-31' })
  await invoices.act(billed, 'generate')
  await invoices.act(billed, 'record-payment', { amount: 100, received: '2026-11-02', method: 'bank', reference: 'A' })
  await invoices.act(billed, 'dispute', { reason: 'amount', note: 'two\r\nlines' })
  await copiesOf(fixture, { id: first, count: 1_200 })
})
afterAll(async () => {
  await invoices?.stop()
  await fixture?.stop()
})

type Row = Record<string, unknown>

/** All pages of the list. */
async function listed(query: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: unknown = null; cursor !== undefined; ) {
    const { body } = await fixture.call(
      'GET',
      `/v1/invoices?limit=100&${query}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    rows.push(...(body.data as Row[]))
    cursor = body.next_cursor ?? undefined
  }
  return rows
}

const form = { type: 'invoices', format: 'ndjson' }

test('the file has all rows of the list, as its pages show them, in the same order', async () => {
  const shown = await listed('')
  expect(shown).toHaveLength(1_202)
  const lines = (await exports.textOf({}, form)).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line))).toEqual(shown)
  const [header, ...records] = recordsOf(await exports.textOf({}, { type: 'invoices' }))
  const flat = shown.map(({ period, dispute, ...row }) => ({
    ...row,
    ...{ period_from: (period as Row).from, period_to: (period as Row).to },
    dispute_reason: (dispute as Row | null)?.reason ?? null,
  }))
  const cellOf = (value: unknown) => (value === null ? '' : String(value).replace(/^=/, "'="))
  expect(records).toEqual(flat.map((row: Row) => header?.map((column) => cellOf(row[column]))))
  expect(header?.slice(0, 3)).toEqual(['id', 'number', 'kind'])
})

test('C73, XT11: no text in it is a formula, and amounts below zero stay numbers', async () => {
  const [header, record] = recordsOf(await exports.textOf({ status: ['draft'] }, { type: 'invoices' }))
  const at = (column: string) => record?.[header?.indexOf(column) ?? -1]
  expect([at('memo'), at('total')]).toEqual([`'=HYPERLINK("http://x")`, '-5'])
})

test.each([
  [{ status: ['generated', 'paid'] }, 'status=generated,paid', 1],
  [{ brand: ['acme'], status: ['draft'] }, 'brand=acme&status=draft', 1_201],
  [{ disputed: true }, 'disputed=true', 1],
  [{ disputed: false, currency: ['EUR', 'USD'] }, 'disputed=false&currency=EUR,USD', 1_201],
  [{ 'due[lt]': '2027-02-01' }, 'due[lt]=2027-02-01', 1],
  [{ 'due[lt]': '2027-01-31' }, 'due[lt]=2027-01-31', 0],
  [{ 'created[lt]': '2026-01-01T00:00:00Z' }, 'created[lt]=2026-01-01T00:00:00Z', 0],
])('filters are those of the list: %j', async (query, asked, count) => {
  const shown = await listed(asked)
  expect(shown).toHaveLength(count)
  const text = await exports.textOf(query, form)
  expect(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual(shown)
})

test('packed it is the same text, with a name that says the day; it has no meta', async () => {
  const id = await exports.create({}, { ...form, compression: 'gzip' })
  await fixture.makeExports()
  expect(await exports.unpackedOf(id)).toBe(await exports.textOf({}, form))
  const { created, meta, type, rows } = await exports.read(id)
  expect([type, meta, rows]).toEqual(['invoices', null, 1_202])
  const { headers } = await exports.file(id)
  const name = `attachment; filename="invoices-${String(created).slice(0, 10)}.ndjson.gz"`
  expect(headers.get('content-disposition')).toBe(name)
})

test('of more rows than it may have it fails, and keeps nothing', async () => {
  const id = await exports.create({}, form)
  await fixture.makeExports({ limits: { rows: 1_201, bytes: 1_000_000 } })
  expect(await exports.read(id)).toMatchObject({ status: 'failed', error: { code: 'result_too_large' } })
  const { rows } = await fixture.adminPool.query('select from api.export_rows where export_id = $1', [id])
  expect(rows).toEqual([])
})

test.each([
  ['invoices', { state: ['draft'] }, '/query/state', 'unknown_field'],
  ['invoices', { from: '2026-01-01', to: '2026-01-02' }, '/query/from', 'unknown_field'],
  ['invoices', { status: ['gone'] }, '/query/status/0', 'invalid_value'],
  ['invoices', { 'due[lt]': '2026-02-30' }, '/query/due[lt]', 'invalid_format'],
  ['invoices', { 'created[lt]': '2026-02-31T00:00:00Z' }, '/query/created[lt]', 'invalid_format'],
  ['stats', { to: '2026-01-02' }, '/query/from', 'required'],
])('an export of %s is not asked for by %j', async (type, query, pointer, code) => {
  const { status, body } = await fixture.call('POST', '/v1/exports', { json: { type, format: 'csv', query } })
  expect([status, (body.errors as Row[])[0]]).toEqual([422, expect.objectContaining({ pointer, code })])
})

test('B3: the scope of its type opens an export; a list shows those of types that may be read', async () => {
  const day = { from: '2026-01-05', to: '2026-01-05' }
  const ids = { stats: await exports.create(day), invoices: await exports.create({}, form) }
  await fixture.makeExports()
  const asked = async (as: 'stats:read' | 'invoices:read' | 'invoices:write', type: 'stats' | 'invoices') => {
    const json = { type, format: 'csv', query: type === 'stats' ? day : {} }
    const path = `/v1/exports/${ids[type]}`
    const answers = [
      await fixture.call('POST', '/v1/exports', { as, json }),
      await fixture.call('GET', path, { as }),
      await fixture.call('GET', `${path}/file`, { as }),
      await fixture.call('POST', `${path}/cancel`, { as }),
    ]
    return answers.map(({ status }) => status)
  }
  const [open, shut] = [
    [202, 200, 200, 409],
    [403, 403, 403, 403],
  ]
  expect(await asked('stats:read', 'stats')).toEqual(open)
  expect(await asked('stats:read', 'invoices')).toEqual(shut)
  expect(await asked('invoices:read', 'invoices')).toEqual(open)
  expect(await asked('invoices:read', 'stats')).toEqual(shut)
  expect(await asked('invoices:write', 'invoices')).toEqual(shut)
  const typesOf = async (as: 'stats:read' | 'invoices:read' | 'invoices:write', query = '') => {
    const { status, body } = await fixture.call('GET', `/v1/exports?limit=100${query}`, { as })
    return status === 200 ? [...new Set((body.data as Row[]).map(({ type }) => type))] : status
  }
  expect(await typesOf('stats:read')).toEqual(['stats'])
  expect(await typesOf('invoices:read')).toEqual(['invoices'])
  expect(await typesOf('invoices:read', '&type=stats')).toEqual([])
  expect(await typesOf('invoices:write')).toBe(403)
  const path = `/v1/exports/${ids.invoices}`
  expect((await fixture.call('DELETE', path, { as: 'stats:read' })).status).toBe(403)
  expect((await fixture.call('DELETE', path, { as: 'invoices:read' })).status).toBe(204)
})
