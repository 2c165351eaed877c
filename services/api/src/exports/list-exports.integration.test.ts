// Exports of lists: what their files hold, who may have them, and which filters they take.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { type Invoicing, invoicing } from '../invoices/invoices.fixture.ts'
import { paying } from '../payouts/payouts.fixture.ts'
import { copiesOf, type Exports, exportsOf, recordsOf } from './exports.fixture.ts'
import { exportSources } from './sources.ts'

let fixture: Fixture
let exports: Exports
let invoices: Invoicing
let payouts: ReturnType<typeof paying>
beforeAll(async () => {
  fixture = await startFixture()
  exports = exportsOf(fixture)
  invoices = invoicing(fixture)
  payouts = paying(fixture)
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
const document = new URL('../../openapi.generated.json', import.meta.url)

/** All pages of the list. */
async function listed(query: string, path = '/v1/invoices'): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: unknown = null; cursor !== undefined; ) {
    const { body } = await fixture.call(
      'GET',
      `${path}?limit=100&${query}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    rows.push(...(body.data as Row[]))
    cursor = body.next_cursor ?? undefined
  }
  return rows
}

const form = { type: 'invoices', format: 'ndjson' }

async function jsonOf(type: string, query: object): Promise<Row[]> {
  const lines = (await exports.textOf(query, { type, format: 'ndjson' })).split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

test('the file has all rows of the list, as its pages show them, in the same order', async () => {
  const shown = await listed('')
  expect(shown).toHaveLength(1_202)
  const lines = (await exports.textOf({}, form)).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line))).toEqual(shown)
  const [header, ...records] = recordsOf(await exports.textOf({}, { type: 'invoices' }))
  const flat = shown.map(({ period, dispute, ...row }) => ({
    ...row,
    period_from: (period as Row).from,
    period_to: (period as Row).to,
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
  expect(await jsonOf('invoices', query)).toEqual(shown)
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
  ['campaigns', { currency: ['EUR'] }, '/query/currency', 'unknown_field'],
  ['sub_affiliates', { status: ['scheduled'] }, '/query/status/0', 'invalid_value'],
  ['ledger_entries', { month: ['2026-13'] }, '/query/month/0', 'invalid_format'],
  ['payouts', { held: ['true'] }, '/query/held', 'invalid_type'],
])('an export of %s is not asked for by %j', async (type, query, pointer, code) => {
  const { status, body } = await fixture.call('POST', '/v1/exports', { json: { type, format: 'csv', query } })
  expect([status, (body.errors as Row[])[0]]).toEqual([422, expect.objectContaining({ pointer, code })])
})

/** Two campaigns, two sub-affiliates with entries, one of them removed so long ago, and two payouts of the other. */
async function programme(removedDays: number) {
  const integration_id = await fixture.createIntegration({ name: `Removed ${removedDays}`, brand_slug: 'acme' })
  const campaign = {
    name: '=1+1',
    integration_id,
    external_id: `a${removedDays}`,
    tags: ['a,b', '-c'],
    countries: ['DE'],
  }
  await fixture.call('POST', '/v1/campaigns', { json: campaign })
  const deal = { type: 'cpa', cpa: { amount: 12_000, currency: 'EUR' } }
  await fixture.call('POST', '/v1/campaigns', {
    json: { ...campaign, name: 'Plain', external_id: `b${removedDays}`, tags: [], deal, status: 'active' },
  })
  const [sub, gone] = [await payouts.subAffiliate({ name: '@Jane' }), await payouts.subAffiliate({ name: 'Gone' })]
  await payouts.earn(sub, 50_000)
  await payouts.earn(gone, -1_200)
  const month = await payouts.earn(sub, 700)
  const [held, paid] = [await payouts.pay(sub, { amount: 20_000 }), await payouts.pay(sub, { amount: 30_000 })]
  await payouts.act(held.body.id, 'hold', { reason: 'fraud_review' })
  await payouts.act(paid.body.id, 'mark-paid', { reference: '+49' })
  const json = { reason: 'left', write_off: true }
  expect((await fixture.call('POST', `/v1/sub-affiliates/${gone}/remove`, { json })).status).toBe(200)
  const text = `update api.sub_affiliates set state = jsonb_set(state, '{removed_ms}', to_jsonb($2::bigint)) where id = $1`
  await fixture.adminPool.query(text, [gone, Date.now() - removedDays * 86_400_000])
  return { integration_id, sub, gone, month, held: String(held.body.id), paid: String(paid.body.id) }
}

describe('campaigns, sub-affiliates, ledger entries and payouts', () => {
  let made: Awaited<ReturnType<typeof programme>>
  beforeAll(async () => {
    made = await programme(10)
  })
  const ledgerOf = (id: string, query = '') => listed(query, `/v1/sub-affiliates/${id}/ledger`)

  test.each([
    ['campaigns', '', {}, 2],
    ['campaigns', 'status=active', { status: ['active'] }, 1],
    ['campaigns', 'brand=acme&tag=-c', { brand: ['acme'], tag: ['-c'] }, 1],
    ['campaigns', 'external_id=b10,c', { external_id: ['b10', 'c'] }, 1],
    ['campaigns', 'created[gte]=2100-01-01T00:00:00Z', { 'created[gte]': '2100-01-01T00:00:00Z' }, 0],
    ['sub_affiliates', '', {}, 2],
    ['sub_affiliates', 'status=active', { status: ['active'] }, 1],
    ['sub_affiliates', 'plan_id=none', { plan_id: ['none'] }, 0],
    ['payouts', '', {}, 2],
    ['payouts', 'held=true', { held: true }, 1],
    ['payouts', 'status=paid,failed', { status: ['paid', 'failed'] }, 1],
    ['payouts', 'sub_affiliate_id=none', { sub_affiliate_id: ['none'] }, 0],
  ])('a file of %s has all rows of the list, as its pages show them: %s', async (type, asked, query, count) => {
    const shown = await listed(asked, `/v1/${type.replace('_', '-')}`)
    expect(shown).toHaveLength(count)
    expect(await jsonOf(type, query)).toEqual(shown)
  })

  test('a file of ledger entries has them by sub-affiliate, each as its ledger shows it', async () => {
    const { sub, gone, month } = made
    const [first, second] = [sub, gone].sort().reverse() as [string, string]
    const all = [...(await ledgerOf(first)), ...(await ledgerOf(second))]
    expect(all).toHaveLength(6)
    expect(await jsonOf('ledger_entries', {})).toEqual(all)
    const ofMonth = await ledgerOf(sub, `kind=adjustment,carryover&month=${month}`)
    expect(ofMonth).toHaveLength(1)
    const query = { sub_affiliate_id: [sub], kind: ['adjustment', 'carryover'], month: [month] }
    expect(await jsonOf('ledger_entries', query)).toEqual(ofMonth)
    expect(await jsonOf('ledger_entries', { 'created[lt]': '2026-01-01T00:00:00Z' })).toEqual([])
    expect(await ledgerOf(sub, 'created[lt]=2026-01-01T00:00:00Z')).toEqual([])
    expect(await ledgerOf(first, 'created[gte]=2026-01-01T00:00:00Z')).toEqual(await ledgerOf(first))
  })

  test('C73, XT11: no text in their CSV is a formula, and amounts below zero stay numbers', async () => {
    const cellsOf = async (type: string, id: string, ...columns: string[]) => {
      const [header, ...records] = recordsOf(await exports.textOf({}, { type }))
      const record = records.find((cells) => cells?.includes(id))
      return columns.map((column) => record?.[header?.indexOf(column) ?? -1])
    }
    const { sub, gone, paid } = made
    const campaign = ['name', 'tags', 'countries', 'deal_type', 'deal_cpa_amount']
    expect(await cellsOf('campaigns', 'a10', ...campaign)).toEqual(["'=1+1", 'a\\,b,-c', 'DE', 'none', ''])
    expect(await cellsOf('campaigns', 'b10', ...campaign)).toEqual(['Plain', '', 'DE', 'cpa', '12000'])
    const columns = ['name', 'email', 'balance_available', 'balance_paid_total']
    expect(await cellsOf('sub_affiliates', sub, ...columns)).toEqual(["'@Jane", 'j***@example.com', '700', '30000'])
    expect(await cellsOf('payouts', paid, 'reference', 'amount', 'status')).toEqual(["'+49", '30000', 'paid'])
    // The newest one writes off what is owed, the one before is what is owed.
    expect(await cellsOf('ledger_entries', gone, 'amount', 'balance_after')).toEqual(['1200', '0'])
  })

  test('who is removed is named until the file would outlive the erasure; the money stays, and nobody keeps such a file', async () => {
    const nearly = await programme(82)
    const soon = await programme(84)
    const shown = new Map((await jsonOf('sub_affiliates', {})).map((row) => [row.id, row]))
    const named = { name: 'Gone', email: 'j***@example.com' }
    expect([made.gone, nearly.gone].map((id) => shown.get(id))).toMatchObject([named, named])
    expect(shown.get(soon.gone)).toMatchObject({ name: null, email: null, payout_method: null, status: 'removed' })
    expect(shown.get(soon.sub)).toMatchObject({ name: '@Jane', balance: { available: 700, paid_total: 30_000 } })
    expect(await jsonOf('ledger_entries', { sub_affiliate_id: [soon.gone] })).toEqual(await ledgerOf(soon.gone))
    const id = await exports.create({}, { type: 'sub_affiliates' })
    await fixture.makeExports()
    expect((await exports.file(id)).headers.get('cache-control')).toBe('no-store')
  })
})

test('the API says the columns of each type, and takes the filters of its list', () => {
  const { paths, components } = JSON.parse(readFileSync(document, 'utf8'))
  const { description } = paths['/v1/exports/{id}/file'].get
  const lists = {
    invoices: ['Invoice', '/v1/invoices'],
    campaigns: ['Campaign', '/v1/campaigns'],
    sub_affiliates: ['SubAffiliate', '/v1/sub-affiliates'],
    payouts: ['Payout', '/v1/payouts'],
    ledger_entries: ['Ledger', '/v1/sub-affiliates/{id}/ledger'],
  } as const
  type Parameter = { $ref?: string; name?: string }
  const nameOf = ({ $ref, name }: Parameter) => name ?? components.parameters[$ref?.split('/').pop() ?? ''].name
  const { stats: _, ...sources } = exportSources
  for (const [type, { columnsOf }] of Object.entries(sources)) {
    const columns = columnsOf({ rows: 0, shape: null, meta: null }).map((column) => `\`${column}\``)
    expect(description.replace(/\s+/g, ' ')).toContain(`- \`${type}\`: ${columns.join(', ')}.`)
    const [name, path] = lists[type as keyof typeof lists]
    const listed = paths[path].get.parameters.map(nameOf).filter((one: string) => !['limit', 'cursor'].includes(one))
    const taken = Object.keys(components.schemas[`${name}ExportQuery`].properties)
    // The ledger is the one of its path.
    const own = type === 'ledger_entries' ? ['sub_affiliate_id'] : []
    expect([type, taken.sort()]).toEqual([type, [...listed, ...own].sort()])
  }
})

test('B3: the scope of its type opens an export; a list shows those of types that may be read', async () => {
  const day = { from: '2026-01-05', to: '2026-01-05' }
  const scopes = {
    stats: 'stats:read',
    invoices: 'invoices:read',
    campaigns: 'campaigns:read',
    sub_affiliates: 'invoices:read',
    ledger_entries: 'invoices:read',
    payouts: 'invoices:read',
  } as const
  type Type = keyof typeof scopes
  type As = 'stats:read' | 'invoices:read' | 'campaigns:read' | 'invoices:write' | 'campaigns:write'
  const types = Object.keys(scopes) as Type[]
  const queryOf = (type: Type) => (type === 'stats' ? day : {})
  const ids = new Map<Type, string>()
  for (const type of types) ids.set(type, await exports.create(queryOf(type), { type }))
  await fixture.makeExports()
  const asked = async (as: As, type: Type) => {
    const json = { type, format: 'csv', query: queryOf(type) }
    const path = `/v1/exports/${ids.get(type)}`
    const made = await fixture.call('POST', '/v1/exports', { as, json })
    const answers = [
      made,
      await fixture.call('GET', path, { as }),
      await fixture.call('GET', `${path}/file`, { as }),
      await fixture.call('POST', `${path}/cancel`, { as }),
    ]
    if (made.status === 202) await fixture.call('DELETE', `/v1/exports/${made.body.id}`, { as })
    return answers.map(({ status }) => status).join()
  }
  const listedTypes = async (as: As, query = '') => {
    const { status, body } = await fixture.call('GET', `/v1/exports?limit=100${query}`, { as })
    return status === 200 ? [...new Set((body.data as Row[]).map(({ type }) => type))].sort() : status
  }
  for (const as of ['stats:read', 'invoices:read', 'campaigns:read', 'invoices:write', 'campaigns:write'] as const) {
    const opened = types.filter((type) => scopes[type] === as)
    for (const type of types) {
      const wanted = opened.includes(type) ? '202,200,200,409' : '403,403,403,403'
      expect([as, type, await asked(as, type)]).toEqual([as, type, wanted])
    }
    expect(await listedTypes(as)).toEqual(opened.length === 0 ? 403 : [...opened].sort())
  }
  expect(await listedTypes('invoices:read', '&type=stats')).toEqual([])
  const path = `/v1/exports/${ids.get('invoices')}`
  expect((await fixture.call('DELETE', path, { as: 'stats:read' })).status).toBe(403)
  expect((await fixture.call('DELETE', path, { as: 'invoices:read' })).status).toBe(204)
})
