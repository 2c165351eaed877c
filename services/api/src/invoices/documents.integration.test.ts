// What invoices show: whom they name, their list, credit notes, and their files (domain.md 3.1, 3.7).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { february, type Invoicing, invoicing } from './invoices.fixture.ts'

let fixture: Fixture
let invoices: Invoicing
beforeAll(async () => {
  fixture = await startFixture()
  invoices = invoicing(fixture)
})
afterAll(async () => {
  await invoices?.stop()
  await fixture?.stop()
})

const read = async (id: string) => (await fixture.call('GET', `/v1/invoices/${id}`)).body
const acme = { legal_name: 'Acme Gaming Ltd', address: ['1 Main Street', 'Sliema SLM 1234'], country: 'MT' }
const issuer = { ...acme, legal_name: 'Affiliates GmbH', country: 'DE', iban: 'de89 3704 0044 0532 0130 00' }
const stored = { ...issuer, tax_id: null, iban: 'DE89370400440532013000', bic: null, bank_account: null }

const patchSettings = (json: object) => fixture.call('PATCH', '/v1/settings', { as: 'owner', json })
const patchBrand = (slug: string, json: object, as: 'a' | 'owner' = 'owner') =>
  fixture.call('PATCH', `/v1/brands/${slug}`, { as, json })

describe('the issuer', () => {
  test('is merged member by member, and judged as a whole; its bank details are no part of the announcement', async () => {
    const short = await patchSettings({ issuer: { iban: 'DE88370400440532013000', country: 'XX' } })
    const pointers = (short.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)
    expect([short.status, pointers]).toEqual([
      422,
      ['/issuer/legal_name', '/issuer/address', '/issuer/country', '/issuer/iban'],
    ])
    expect((await patchSettings({ issuer })).body.issuer).toEqual(stored)
    const changed = await patchSettings({ issuer: { iban: null, tax_id: 'DE 123' } })
    expect(changed.body.issuer).toEqual({ ...stored, iban: null, tax_id: 'DE 123' })
    const { rows } = await fixture.adminPool.query<{ payload: string }>(
      `select convert_from(payload, 'utf8') as payload from api.outbox where topic = 'workspace.events'`,
    )
    const told = rows.filter(({ payload }) => payload.includes('"workspace.updated"'))
    expect(told.map(({ payload }) => JSON.parse(payload).data.changed)).toEqual([['issuer'], ['issuer']])
    expect(told.some(({ payload }) => payload.includes('Affiliates'))).toBe(false)
  })

  test('is shown to tokens with invoices:read alone, and the brand\u2019s company, too', async () => {
    await invoices.brand('shown')
    expect((await patchBrand('shown', { legal: acme })).body.legal).toEqual({ ...acme, tax_id: null })
    for (const path of ['/v1/settings', '/v1/brands/shown', '/v1/brands']) {
      const [all, few] = await Promise.all(
        (['owner', 'stats:read'] as const).map((as) => fixture.call('GET', path, { as })),
      )
      expect([all?.status, few?.status, path]).toEqual([200, 200, path])
      expect(JSON.stringify(all?.body)).toMatch(/"(issuer|legal)":/)
      expect(JSON.stringify(few?.body)).not.toMatch(/"(issuer|legal)":/)
    }
  })
})

test('a brand\u2019s company is changed by who has invoices:write as well', async () => {
  await invoices.brand('company')
  const refused = await fixture.call('PATCH', '/v1/brands/company', { as: 'integrations:write', json: { legal: acme } })
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect(
    (await fixture.call('PATCH', '/v1/brands/company', { as: 'integrations:write', json: { name: 'C' } })).status,
  ).toBe(200)
  const wrong = await patchBrand('company', { default_currency: 'XXQ', legal: { ...acme, legal_name: 'a\nb' } })
  expect((wrong.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
    '/default_currency',
    '/legal/legal_name',
  ])
  expect((await patchBrand('company', { legal: acme })).body).toMatchObject({ name: 'C', legal: acme })
  expect((await patchBrand('company', { legal: null })).body).toMatchObject({ name: 'C', legal: null })
})

test('an invoice names issuer and brand as they were when it was generated; a draft names nobody', async () => {
  const upload = await invoices.brand('named')
  await upload('2026-01-05,c,EUR,1,10.00,0\n2026-02-05,c,EUR,1,10.00,0\n')
  await invoices.settle()
  await patchSettings({ issuer: { ...issuer, tax_id: null } })
  await patchBrand('named', { name: 'Named', legal: acme })
  const [first, second] = [await invoices.draftOf('named'), await invoices.draftOf('named', february)]
  expect(await read(first)).toMatchObject({ issuer: null, bill_to: null })
  const snapshot = { issuer: stored, bill_to: { name: 'Named', legal: { ...acme, tax_id: null } } }
  expect((await invoices.act(first, 'generate')).body).toMatchObject(snapshot)
  await patchSettings({ issuer: { legal_name: 'Other GmbH' } })
  await patchBrand('named', { name: 'Renamed', legal: null })
  expect(await read(first)).toMatchObject(snapshot)
  expect((await invoices.act(second, 'generate')).body).toMatchObject({
    issuer: { legal_name: 'Other GmbH' },
    bill_to: { name: 'Renamed', legal: null },
  })
})

test('regression: a page of invoices shows none of their lines, however many there are', async () => {
  await invoices.brand('listed')
  const line_items = Array.from({ length: 100 }, (_, n) => ({ kind: 'flat', description: `Fee ${n}`, amount: 1 }))
  const id = await invoices.draftOf('listed', undefined, { line_items })
  const { body } = await fixture.call('GET', '/v1/invoices?brand=listed')
  const alone = await read(id)
  const { line_items: _lines, payments: _payments, issuer: _issuer, bill_to: _billTo, ...summary } = alone
  expect(body.data).toEqual([summary])
  expect(summary).toMatchObject({ line_items_count: 100, total: 100 })
  // What is large is not read: a list does without the state.
  await fixture.adminPool.query(`update api.invoices set state = '{}' where id = $1`, [id])
  expect((await fixture.call('GET', '/v1/invoices?brand=listed')).body.data).toEqual([summary])
})

describe('the PDF', () => {
  const pdf = (id: string, o: { headers?: Record<string, string>; as?: 'b' } = {}, method = 'GET') =>
    fixture.call(method, `/v1/invoices/${id}.pdf`, o)
  let id: string
  beforeAll(async () => {
    await (await invoices.brand('printed'))('2026-01-05,c,EUR,1,10.00,0\n')
    await invoices.settle()
    id = await invoices.draftOf('printed')
  })

  test('of a draft follows the settings; of an invoice it is one and the same, and named by its number', async () => {
    const drafts = [await pdf(id)]
    await patchSettings({ issuer: { ...issuer, legal_name: 'Draft GmbH' } })
    drafts.push(await pdf(id))
    expect(new Set(drafts.map(({ headers }) => headers.get('etag'))).size).toBe(2)
    const { number } = (await invoices.act(id, 'generate')).body
    const first = await pdf(id)
    await patchSettings({ issuer: { legal_name: 'Later GmbH' } })
    const [second, head] = [await pdf(id), await pdf(id, {}, 'HEAD')]
    expect(first.text.slice(0, 5)).toBe('%PDF-')
    expect(first.text).toContain(`(Invoice ${number})`)
    for (const answer of [first, second, head]) {
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${number}.pdf"`)
      expect(answer.headers.get('etag')).toBe(first.headers.get('etag'))
      expect(answer.headers.get('content-length')).toBe(first.headers.get('content-length'))
    }
    expect([second.text === first.text, head.text]).toEqual([true, ''])
    const unchanged = await pdf(id, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    expect((await invoices.act(id, 'void')).status).toBe(200)
    expect((await pdf(id)).headers.get('etag')).not.toBe(first.headers.get('etag'))
  })

  test('is for its workspace and who has the scope; asked for at once, each is written in its turn', async () => {
    expect((await pdf(id, { as: 'b' })).status).toBe(404)
    expect((await fixture.call('GET', `/v1/invoices/${id}.pdf`, { as: 'stats:read' })).status).toBe(403)
    const answers = await Promise.all([1, 2, 3, 4].map(() => pdf(id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('has at most 10,000 lines', async () => {
    const large = await invoices.draftOf('printed')
    await fixture.adminPool.query(
      `update api.invoices set state = jsonb_set(state, '{fields,lines}', (
         select jsonb_agg(line) from generate_series(1, 10001), (select state->'fields'->'lines'->0 as line from api.invoices where id = $1) one))
       where id = $1`,
      [large],
    )
    const refused = await pdf(large)
    expect([refused.status, refused.body.code]).toEqual([422, 'result_too_large'])
  })
})

describe('credit notes', () => {
  let id: string
  const draftNote = async (amount: number) => {
    const line_items = [{ kind: 'adjustment', description: 'Too much', amount }]
    return fixture.call('POST', '/v1/invoices', { json: { kind: 'credit_note', replaces: id, line_items } })
  }
  const noteOf = async (amount: number) => {
    const noteId = String((await draftNote(amount)).body.id)
    return { id: noteId, answer: await invoices.act(noteId, 'generate') }
  }
  beforeAll(async () => {
    await (await invoices.brand('credited'))('2026-01-05,c,EUR,1,10.00,0\n')
    await invoices.settle()
    id = await invoices.draftOf('credited')
    await invoices.act(id, 'generate')
  })

  test('correct an invoice that was paid in part; one may be negative, is paid out, and is named by the invoice', async () => {
    const unpaid = await draftNote(-300)
    expect([unpaid.status, unpaid.body.code]).toEqual([409, 'invalid_state'])
    const payment = { amount: 1_000, received: '2026-02-03', method: 'sepa', reference: 'all' }
    await invoices.act(id, 'record-payment', payment)
    const note = await noteOf(-300)
    expect(note.answer.body).toMatchObject({ kind: 'credit_note', total: -300, replaces: id, status: 'generated' })
    expect(await read(id)).toMatchObject({ replaced_by: note.id, status: 'paid' })
    const back = { amount: -300, received: '2026-02-03', method: 'sepa', reference: 'back' }
    expect((await invoices.act(note.id, 'record-payment', back)).body).toMatchObject({ status: 'paid', amount_due: 0 })
  })

  test('regression: one that is made void is named no longer, which is told', async () => {
    const before = await read(id)
    const note = await noteOf(-100)
    expect((await read(id)).replaced_by).toBe(note.id)
    const told = (await invoices.told(id)).length
    expect((await invoices.act(note.id, 'void')).body).toMatchObject({ status: 'void' })
    expect((await read(id)).replaced_by).toBe(before.replaced_by)
    expect((await invoices.told(id)).slice(told)).toEqual(['invoice.updated'])
    // A draft that is made void was never named.
    const draft = String((await draftNote(-1)).body.id)
    const { version } = await read(id)
    expect((await invoices.act(draft, 'void')).status).toBe(200)
    expect((await read(id)).version).toBe(version)
  })

  test('regression: together they give back at most the total, also when two are generated at once', async () => {
    const tooMuch = await noteOf(-701)
    expect([tooMuch.answer.status, tooMuch.answer.body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/line_items', code: 'out_of_range' })],
    ])
    const notes = await Promise.all([noteOf(-400), noteOf(-400), noteOf(-400)])
    expect(notes.map(({ answer }) => answer.status).sort()).toEqual([200, 422, 422])
    expect((await noteOf(-300)).answer.status).toBe(200)
    expect((await noteOf(-1)).answer.status).toBe(422)
  })
})
