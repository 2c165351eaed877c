// Invoices from draft to paid, by the API and a worker whose clock is moved (domain.md 3.7). What is billed is added up here once more,
// from the uploaded rows alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'
import { fallOverdueOnce } from './fall-overdue.ts'
import { february, hour, type Invoicing, invoicing, january, type Line, linesOf } from './invoices.fixture.ts'

let fixture: Fixture
let invoices: Invoicing
let { act, patch, brand, draftOf, settle, told, later } = {} as Invoicing
let calls = 0
beforeAll(async () => {
  fixture = await startFixture()
  invoices = invoicing(fixture)
  ;({ act, patch, brand, draftOf, settle, told, later } = invoices)
})
afterAll(async () => {
  await invoices?.stop()
  await fixture?.stop()
})

describe('from draft to paid', () => {
  let id: string
  beforeAll(async () => {
    const upload = await brand('acme')
    await upload(
      '2026-01-05,spring,EUR,3,360.00,10.50\n2026-01-06,spring,EUR,1,120.00,-2.25\n2026-01-06,autumn,EUR,0,0,-7.00\n',
    )
    id = await draftOf('acme', january, {
      memo: 'Thanks',
      line_items: [{ kind: 'tax', description: 'VAT', amount: 100 }],
    })
  })

  test('a draft bills what the numbers are now; it is generated once every day of its period is final', async () => {
    const draft = await fixture.call('GET', `/v1/invoices/${id}`)
    expect(draft.body).toMatchObject({
      status: 'draft',
      number: null,
      subtotal: 48_825,
      tax_amount: 100,
      total: 48_925,
    })
    const early = await act(id, 'generate')
    expect([early.status, early.body.code]).toEqual([409, 'period_not_final'])
    await settle()
    const generated = await act(id, 'generate')
    expect([generated.status, linesOf(generated)]).toEqual([
      200,
      [
        ['revshare', -700],
        ['adjustment', 700],
        ['cpa', 48_000],
        ['revshare', 825],
        ['tax', 100],
      ],
    ])
    const year = new Date().getUTCFullYear()
    expect(generated.body).toMatchObject({ status: 'generated', number: `${year}-000001`, amount_due: 48_925 })
    expect((generated.body.line_items as Line[])[2]).toMatchObject({
      quantity: 4,
      unit_amount: 12_000,
      description: 'CPA, spring',
    })
    expect((await act(id, 'generate')).body).toMatchObject({ code: 'invalid_state', current_status: 'generated' })
    expect((await patch(id, { line_items: [] })).status).toBe(409)
  })

  test('C41: a change without If-Match is 428, with an old one 412; money moves only with an Idempotency-Key', async () => {
    const call = (headers: Record<string, string>) =>
      fixture.call('POST', `/v1/invoices/${id}/send`, { json: { channel: 'email' }, headers })
    expect((await call({})).body.code).toBe('precondition_required')
    expect((await call({ 'if-match': '"v1"' })).status).toBe(412)
    const payment = { amount: 1, received: '2026-02-03', method: 'sepa', reference: 'none' }
    const read = await fixture.call('GET', `/v1/invoices/${id}`)
    const headers = { 'if-match': read.headers.get('etag') ?? '' }
    const answer = await fixture.call('POST', `/v1/invoices/${id}/record-payment`, { json: payment, headers })
    expect(answer.status).toBe(400)
  })

  test('it is sent, disputed, and paid in two parts; more than is due, or the same reference, is refused', async () => {
    expect((await act(id, 'send', { channel: 'email' })).body).toMatchObject({ status: 'sent' })
    expect((await act(id, 'dispute', { reason: 'amount', note: 'two players' })).body).toMatchObject({
      dispute: { reason: 'amount' },
    })
    const disputed = await fixture.call('GET', '/v1/invoices?disputed=true&brand=acme')
    expect((disputed.body.data as { id: string }[]).map((one) => one.id)).toEqual([id])
    expect((await act(id, 'resolve-dispute')).body).toMatchObject({ dispute: null })
    const payment = { amount: 40_000, received: '2026-02-03', method: 'sepa', reference: 'first' }
    expect((await act(id, 'record-payment', payment)).body).toMatchObject({
      status: 'sent',
      amount_paid: 40_000,
      amount_due: 8_925,
    })
    const over = await act(id, 'record-payment', { ...payment, amount: 8_926, reference: 'second' })
    expect([over.status, over.body.code]).toEqual([422, 'overpayment'])
    const otherSign = await act(id, 'record-payment', { ...payment, amount: -1, reference: 'second' })
    expect(otherSign.body.code).toBe('overpayment')
    const twice = await act(id, 'record-payment', { ...payment, amount: 1 })
    expect([twice.status, twice.body.code]).toEqual([409, 'already_exists'])
    const tomorrow = new Date(Date.now() + 48 * hour).toISOString().slice(0, 10)
    expect((await act(id, 'record-payment', { ...payment, received: tomorrow, reference: 'third' })).status).toBe(422)
    expect((await act(id, 'void')).body.code).toBe('invoice_has_payments')
    const paid = await act(id, 'record-payment', { ...payment, amount: 8_925, reference: 'second' })
    expect(paid.body).toMatchObject({ status: 'paid', amount_due: 0 })
    expect(await told(id)).toEqual([
      'invoice.generated',
      'invoice.sent',
      'invoice.disputed',
      'invoice.updated',
      'invoice.partially_paid',
      'invoice.paid',
    ])
  })

  test('its lines are listed page by page, and fetched as CSV', async () => {
    const first = await fixture.call('GET', `/v1/invoices/${id}/line-items?limit=3`)
    const second = await fixture.call('GET', `/v1/invoices/${id}/line-items?limit=3&cursor=${first.body.next_cursor}`)
    const kinds = [first, second].map(({ body }) => (body.data as Line[]).map(({ kind }) => kind))
    expect(kinds).toEqual([
      ['revshare', 'adjustment', 'cpa'],
      ['revshare', 'tax'],
    ])
    const csv = await fixture.call('GET', `/v1/invoices/${id}.csv`)
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="invoice-\d{4}-000001\.csv"$/)
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'kind,description,campaign_id,quantity,unit_amount,amount,currency,stats_revision',
      expect.stringMatching(/^revshare,"Revenue share, autumn",cmp_\w+,,,-700,EUR,1$/),
    ])
  })

  test('another workspace knows nothing of it', async () => {
    for (const path of ['', '/line-items', '.csv'])
      expect((await fixture.call('GET', `/v1/invoices/${id}${path}`, { as: 'b' })).status).toBe(404)
    expect((await act(id, 'void', {}, { as: 'b' })).status).toBe(404)
  })
})

describe('a restated day', () => {
  test('I18: regression: is brought to its new numbers by the next invoice, once; what is void, or made up for it, is billed again', async () => {
    const upload = await brand('restated')
    await upload('2026-01-05,c,EUR,1,100.00,0\n2026-02-05,c,EUR,1,40.00,0\n')
    await settle()
    const first = await draftOf('restated')
    expect((await act(first, 'generate')).body).toMatchObject({ total: 10_000 })
    const overlapping = await draftOf('restated')
    const { body: drawn } = await fixture.call('GET', `/v1/invoices/${overlapping}`)
    // Nothing of it was corrected.
    expect((drawn.line_items as Line[]).map(({ description }) => description)).toEqual([
      'CPA, c',
      'Billed before, 2026-01-05',
    ])
    const again = await act(overlapping, 'generate')
    expect([again.status, again.body.code]).toEqual([409, 'already_exists'])

    await upload('2026-01-05,c,EUR,1,70.00,0\n')
    await settle()
    const second = await draftOf('restated', february)
    const generated = await act(second, 'generate')
    expect((generated.body.line_items as Line[]).map(({ description, amount }) => [description, amount])).toEqual([
      ['CPA, c', 4_000],
      ['Correction of 2026-01-05', -3_000],
    ])
    // Nothing is left to be corrected.
    const march = await act(await draftOf('restated', { from: '2026-03-01', to: '2026-03-31' }), 'generate')
    expect([march.status, march.body.code]).toEqual([422, 'nothing_matched'])

    // The first is void: its month is billed anew, and of the correction, which counts still, nothing is billed twice.
    expect((await act(first, 'void')).body).toMatchObject({ status: 'void' })
    const third = await act(await draftOf('restated'), 'generate')
    expect(third.body).toMatchObject({ status: 'generated' })
    const owed = 7_000 + 4_000
    expect(Number(generated.body.total) + Number(third.body.total)).toBe(owed)

    // regression: the third made up for the correction; with that void, too, it is made once more.
    expect((await act(second, 'void')).body).toMatchObject({ status: 'void' })
    const fourth = await act(await draftOf('restated', february), 'generate')
    expect(linesOf(fourth)).toEqual([
      ['cpa', 4_000],
      ['adjustment', -3_000],
    ])
    expect(Number(third.body.total) + Number(fourth.body.total)).toBe(owed)
  })
})

describe('numbers', () => {
  test('those of invoices generated at once follow each other without a gap, whoever fails', async () => {
    const slugs = Array.from({ length: 6 }, (_, n) => `numbered${n}`)
    for (const slug of slugs) await (await brand(slug))('2026-01-05,c,EUR,1,10.00,0\n')
    await settle()
    const ids = [...(await Promise.all(slugs.map((slug) => draftOf(slug)))), await draftOf('numbered0', february)]
    const answers = await Promise.all(ids.map((id) => act(id, 'generate')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 422])
    const { rows } = await fixture.adminPool.query<{ number: string }>(
      'select number from api.invoices where workspace_id = $1 and number is not null order by number',
      [fixture.workspaces.a],
    )
    const year = new Date().getUTCFullYear()
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, n) => `${year}-${String(n + 1).padStart(6, '0')}`))
  })

  test('C30: of fifty calls at once with one key one payment comes, and all hear of it', async () => {
    await (await brand('fifty'))('2026-01-05,c,EUR,1,10.00,0\n')
    await settle()
    const id = await draftOf('fifty')
    const generated = await act(id, 'generate')
    const headers = { 'if-match': generated.headers.get('etag') ?? '', 'idempotency-key': 'fifty' }
    const json = { amount: 1, received: '2026-02-03', method: 'sepa', reference: 'once' }
    const path = `/v1/invoices/${id}/record-payment`
    const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.call('POST', path, { json, headers })))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await fixture.call('GET', `/v1/invoices/${id}`)).body).toMatchObject({ amount_paid: 1, amount_due: 999 })
    expect(await told(id)).toEqual(['invoice.generated', 'invoice.partially_paid'])
  })

  test('XT13: of thirty payments at once the first wins of each version, and together they pay what is due', async () => {
    await (await brand('thirty'))('2026-01-05,c,EUR,1,10.00,0\n')
    await settle()
    const id = await draftOf('thirty')
    await act(id, 'generate')
    const path = `/v1/invoices/${id}`
    const pay = async (nth: number): Promise<unknown> => {
      const json = { amount: 100, received: '2026-02-03', method: 'sepa', reference: `nth ${nth}` }
      const etag = (await fixture.call('GET', path)).headers.get('etag') ?? ''
      const headers = { 'if-match': etag, 'idempotency-key': `thirty ${nth}` }
      const { status, body } = await fixture.call('POST', `${path}/record-payment`, { json, headers })
      if (status === 412) return pay(nth)
      return status === 200 ? 'paid' : [status, body.code]
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => pay(nth)))
    expect(answers.filter((answer) => answer === 'paid')).toHaveLength(10)
    expect(new Set(answers.filter((answer) => answer !== 'paid').map(String))).toEqual(new Set(['409,invalid_state']))
    const { body } = await fixture.call('GET', path)
    expect(body).toMatchObject({ status: 'paid', amount_paid: 1_000, amount_due: 0 })
  })
})

describe('a due date', () => {
  const fall = async (pool: Pool): Promise<void> => {
    const logger = createLogger({ service: 'api', level: 'error' })
    const turns = { last: '' }
    while (await fallOverdueOnce({ pool, logger, turns }));
  }

  test('that has passed makes it overdue, told once; a later one takes that back, and a paid one never is', async () => {
    const uploads = await Promise.all(['due', 'paid'].map(brand))
    for (const upload of uploads) await upload('2026-01-05,c,EUR,1,10.00,0\n')
    await settle()
    const [due = '', paid = ''] = await Promise.all([draftOf('due'), draftOf('paid')])
    for (const id of [due, paid]) expect((await act(id, 'generate')).status).toBe(200)
    const today = new Date().toISOString().slice(0, 10)
    const payment = { amount: 1_000, received: today, method: 'sepa', reference: 'all' }
    expect((await act(paid, 'record-payment', payment)).body.status).toBe('paid')

    await fall(later(29 * 24 * hour))
    expect((await fixture.call('GET', `/v1/invoices/${due}`)).body.status).toBe('generated')
    const past = later(31.5 * 24 * hour)
    await Promise.all([1, 2, 3].map(() => fall(past)))
    const overdue = await fixture.call('GET', `/v1/invoices/${due}`)
    expect(overdue.body.status).toBe('overdue')
    expect((await fixture.call('GET', `/v1/invoices/${paid}`)).body.status).toBe('paid')
    expect(await told(due)).toEqual(['invoice.generated', 'invoice.overdue'])

    const listed = async (query: string) =>
      ((await fixture.call('GET', `/v1/invoices?brand=due&${query}`)).body.data as unknown[]).length
    const day = String(overdue.body.due)
    expect([await listed(`due[lt]=${day}`), await listed('due[lt]=2999-01-01')]).toEqual([0, 1])
    expect((await patch(due, { due: '2025-01-01' })).body.errors).toMatchObject([
      { pointer: '/due', code: 'out_of_range' },
    ])
    expect((await patch(due, { due: '2999-01-01' })).body).toMatchObject({ status: 'generated', due: '2999-01-01' })
    await fall(past)
    expect(await told(due)).toEqual(['invoice.generated', 'invoice.overdue', 'invoice.updated'])
  })
})

test('regression: an invoice due on the last day of the calendar never falls overdue, and holds up no other', async () => {
  for (const slug of ['endless', 'mortal']) await (await brand(slug))('2026-01-05,c,EUR,1,10.00,0\n')
  await settle()
  const period = { from: '9999-12-30', to: '9999-12-31' }
  expect((await act(await draftOf('endless', period), 'generate')).body.code).toBe('period_not_final')
  const endless = await draftOf('endless', january, { due: '9999-12-31' })
  const mortal = await draftOf('mortal', january, { due: '2026-02-01' })
  for (const id of [endless, mortal]) expect((await act(id, 'generate')).status).toBe(200)
  const logger = createLogger({ service: 'api', level: 'error' })
  const turns = { last: '' }
  const turn = () => fallOverdueOnce({ pool: fixture.workerPool, logger, turns })
  for (let left = 20; left > 0 && (await turn()); left -= 1);
  expect(await turn()).toBe(false)
  const statuses = await Promise.all([endless, mortal].map((id) => fixture.call('GET', `/v1/invoices/${id}`)))
  expect(statuses.map(({ body }) => body.status)).toEqual(['generated', 'overdue'])
})

test('regression: two that are generated at once on both sides of a new year bill a period once', async () => {
  await (await brand('newyear'))('2026-01-05,c,EUR,1,10.00,0\n')
  await settle()
  const newYear = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1)
  const callers = await Promise.all([-hour, hour].map((ms) => fixture.callerAt(newYear - Date.now() + ms)))
  const ids = await Promise.all(callers.map(() => draftOf('newyear')))
  const admin = await fixture.adminPool.connect()
  let answers: Answer[]
  try {
    // Both stand still where they read what is final.
    await admin.query('begin')
    await admin.query('lock table api.stats_days in access exclusive mode')
    const generated = callers.map((call, n) => {
      const headers = { 'if-match': '"v1"', 'idempotency-key': `newyear-${n}` }
      return call('POST', `/v1/invoices/${ids[n]}/generate`, { json: {}, headers })
    })
    for (let waiting = 0; waiting < 2; ) {
      const { rows } = await fixture.adminPool.query<{ waiting: number }>(
        `select count(*)::integer as waiting from pg_stat_activity
         where application_name = 'test-http-moved' and wait_event_type = 'Lock' and datname = current_database()`,
      )
      waiting = rows[0]?.waiting ?? 0
    }
    await admin.query('rollback')
    answers = await Promise.all(generated)
  } finally {
    admin.release()
  }
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

describe('days that are not final', () => {
  const dayMs = 24 * hour
  const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
  const asB = { as: 'b' } as const
  const generateAsB = async (call: Fixture['call'], period: object, more: object = {}): Promise<Answer> => {
    const draft = await call('POST', '/v1/invoices', {
      ...asB,
      json: { brand_slug: 'rest', currency: 'EUR', period, ...more },
    })
    expect([draft.status, draft.text]).toEqual([201, expect.any(String)])
    calls += 1
    const headers = { 'if-match': '"v1"', 'idempotency-key': `call-${calls}` }
    return call('POST', `/v1/invoices/${draft.body.id}/generate`, { ...asB, json: {}, headers })
  }

  test('regression: a day for which nobody is expected and that holds no rows holds up an invoice for max wait alone; nor is it lost when rows come', async () => {
    const json = { name: 'rest', brand_slug: 'rest', provider: 'csv_upload' }
    const { body } = await fixture.call('POST', '/v1/integrations', { ...asB, json })
    await fixture.days()
    const call = await fixture.callerAt(3 * dayMs)
    const soon = later(3 * dayMs)
    const upload = async (rows: string) => {
      const csv = `date,campaign,currency,qualified_ftds,cpa_commission\n${rows}`
      const path = `/v1/imports?type=stats&integration_id=${body.id}`
      expect((await call('POST', path, { ...asB, csv })).status).toBe(202)
      await fixture.work(soon)
    }
    await upload(`${dayIn(1)},c,EUR,1,10.00\n`)
    await fixture.days(soon)
    const period = { from: dayIn(0), to: dayIn(1) }
    // Of the second day the rows do not rest yet, the third is not over.
    for (const to of [dayIn(1), dayIn(3)])
      expect((await generateAsB(call, { ...period, to })).body.code).toBe('period_not_final')
    await fixture.days(later(3 * dayMs + 7 * hour))
    expect((await generateAsB(call, period)).body).toMatchObject({ total: 1_000 })

    await upload(`${dayIn(0)},c,EUR,1,5.00\n`)
    await fixture.days(later(3 * dayMs + 37 * hour))
    const next = await generateAsB(call, { from: dayIn(2), to: dayIn(2) })
    expect((next.body.line_items as Line[]).map(({ description, amount }) => [description, amount])).toEqual([
      [`Correction of ${dayIn(0)}`, 500],
    ])
  })

  test('regression: after a change of the time zone nothing is billed until the days are compared by the new one', async () => {
    const own = { line_items: [{ kind: 'flat', description: 'Fee', amount: 1 }] }
    const settings = await fixture.call('GET', '/v1/settings', asB)
    const headers = { 'if-match': settings.headers.get('etag') ?? '' }
    const json = { time_zone: 'Asia/Kathmandu' }
    const changed = await fixture.call('PATCH', '/v1/settings', { as: 'owner_b', json, headers })
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)])
    const early = await generateAsB(fixture.call, january, own)
    expect([early.status, early.body.code]).toEqual([409, 'period_not_final'])
    await fixture.days(later(7 * hour))
    expect((await generateAsB(fixture.call, january, own)).body).toMatchObject({
      total: 1,
      time_zone: 'Asia/Kathmandu',
    })
  })
})

test('what is wrong in a new invoice is told field by field', async () => {
  const post = async (json: object) => (await fixture.call('POST', '/v1/invoices', { json })).body
  const pointers = ({ errors }: Record<string, unknown>) =>
    (errors as { pointer: string }[]).map(({ pointer }) => pointer)
  expect(pointers(await post({}))).toEqual(['/brand_slug', '/period', '/currency'])
  const good = { brand_slug: 'acme', period: january, currency: 'EUR' }
  expect(pointers(await post({ ...good, brand_slug: 'nobody' }))).toEqual(['/brand_slug'])
  expect(pointers(await post({ ...good, currency: 'QQQ' }))).toEqual(['/currency'])
  expect(pointers(await post({ ...good, period: { from: '2026-02-30', to: '2026-02-31' } }))).toEqual([
    '/period/from',
    '/period/to',
  ])
  expect(pointers(await post({ ...good, period: { from: '2026-01-01', to: '2027-01-02' } }))).toEqual(['/period/to'])
  expect(
    pointers(await post({ kind: 'credit_note', replaces: 'inv_01JZZZZZZZZZZZZZZZZZZZZZZZ', line_items: [] })),
  ).toContain('/line_items')
  const most = { kind: 'flat', description: 'Fee', amount: 9_007_199_254_740_991 }
  expect((await post({ ...good, line_items: [most, most] })).code).toBe('amount_overflow')
})
