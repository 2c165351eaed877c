// Payouts through the public door (domain.md 3.9).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { addDays, localDate, startOfDayMs } from '../calendar/domain/calendar.ts'
import { minute, paying } from './payouts.fixture.ts'

const zone = 'Asia/Tokyo'
let fixture: Fixture
let p: ReturnType<typeof paying>
beforeAll(async () => {
  fixture = await startFixture()
  p = paying(fixture)
  await fixture.call('PATCH', '/v1/settings', { as: 'owner', json: { time_zone: zone } })
})
afterAll(() => fixture?.stop())

const today = () => localDate(Date.now(), zone)

describe('a payout', () => {
  test('takes all that is available, is processed on its day, and is told when it is scheduled and paid', async () => {
    const sub = await p.subAffiliate()
    const first = await p.earn(sub, 7_000)
    const last = await p.earn(sub, 500)
    const made = await p.pay(sub)
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/payouts/${made.body.id}`])
    const lastDay = addDays(`${last}-28`, 4).slice(0, 7)
    const period = { from: `${first}-01`, to: addDays(`${lastDay}-01`, -1) }
    const fields = { amount: 7_500, currency: 'EUR', period, entries: 2, scheduled_for: today(), held: null }
    expect(made.body).toMatchObject({ status: 'scheduled', sub_affiliate_id: sub, ...fields, version: 1 })
    expect([await p.balance(sub), (await p.ledger(sub))[0]]).toEqual([
      ...[
        [0, 0],
        ['payout', -7_500],
      ],
    ])
    await fixture.subAffiliates()
    expect(await p.read(made.body.id)).toMatchObject({ status: 'processing', version: 2 })
    const paid = await p.act(made.body.id, 'mark-paid', { paid: '2026-01-02T03:04:05Z', reference: 'SEPA 1' })
    expect(paid.body).toMatchObject({ status: 'paid', paid: '2026-01-02T03:04:05.000Z', reference: 'SEPA 1' })
    expect(await p.balance(sub)).toEqual([0, 7_500])
    const about = { sub_affiliate_id: sub, payout_id: made.body.id, amount: 7_500, currency: 'EUR' }
    expect(await p.told(made.body.id)).toMatchObject([
      { type: 'sub_affiliate.payout_scheduled', data: { ...about, scheduled_for: today() } },
      {
        type: 'sub_affiliate.paid',
        data: { ...about, period_from: period.from, period_to: period.to, paid: '2026-01-02T03:04:05.000Z' },
      },
    ])
  })

  test('insufficient_balance, below_minimum: it is of what is available, and of the minimum at least', async () => {
    const sub = await p.subAffiliate({ minimum_payout: { amount: 1_000, currency: 'EUR' } })
    const refused = async (json: object = {}) => {
      const { status, body } = await p.pay(sub, json)
      return [status, body.code, (body.errors as { pointer: string }[])[0]?.pointer]
    }
    expect(await refused()).toEqual([422, 'insufficient_balance', '/amount'])
    await p.earn(sub, 999)
    expect(await refused()).toEqual([422, 'below_minimum', '/amount'])
    expect(await refused({ amount: 1_000 })).toEqual([422, 'insufficient_balance', '/amount'])
    await p.earn(sub, 1)
    expect(await refused({ amount: 999 })).toEqual([422, 'below_minimum', '/amount'])
    const { detail } = (await p.pay(sub, { amount: 999 })).body
    expect(detail).toBe('A payout is 10.00 EUR at least; 10.00 EUR is available.')
    expect((await p.pay(sub, { amount: 1_000 })).status).toBe(201)
    expect(await p.balance(sub)).toEqual([0, 0])
  })

  test('what is earned in a month that is open is not available', async () => {
    const sub = await p.subAffiliate()
    const headers = { 'idempotency-key': 'open month' }
    await fixture.call('POST', `/v1/sub-affiliates/${sub}/adjustments`, { json: { amount: 5_000 }, headers })
    expect((await p.pay(sub)).body.code).toBe('insufficient_balance')
  })

  test('XT13: thirty at once for one sub-affiliate spend what is available once', async () => {
    const [all, tenths] = [await p.subAffiliate(), await p.subAffiliate()]
    await p.earn(all, 1_000)
    await p.earn(tenths, 1_000)
    const thirty = Array.from({ length: 30 })
    const answers = await Promise.all(thirty.flatMap(() => [p.pay(all), p.pay(tenths, { amount: 100 })]))
    const made = (sub: string) => answers.filter(({ body }) => body.sub_affiliate_id === sub)
    expect([made(all).length, made(tenths).length]).toEqual([1, 10])
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['insufficient_balance']))
    expect([await p.balance(all), await p.balance(tenths)]).toEqual([
      ...[
        [0, 0],
        [0, 0],
      ],
    ])
    expect((await p.ledger(tenths)).filter((entry) => (entry as string[])[0] === 'payout')).toHaveLength(10)
  })

  test('regression: that is canceled, fails or comes back, not before it was paid, gives its amount back once', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 300)
    const [canceled, failed, returned] = await Promise.all([1, 2, 3].map(() => p.pay(sub, { amount: 100 })))
    expect((await p.act(canceled?.body.id, 'cancel')).body).toMatchObject({ status: 'canceled' })
    await fixture.subAffiliates()
    const refused = await p.act(failed?.body.id, 'cancel')
    expect(refused.body).toMatchObject({ code: 'invalid_state', allowed: ['mark_paid', 'mark_failed'] })
    const codes = { failure_code: 'method_rejected' }
    expect((await p.act(failed?.body.id, 'mark-failed', codes)).body).toMatchObject({ status: 'failed', ...codes })
    await p.act(returned?.body.id, 'mark-paid')
    expect(await p.balance(sub)).toEqual([200, 100])
    const early = await p.act(returned?.body.id, 'record-return', { returned: '2020-01-01T00:00:00Z' })
    expect([early.status, early.body.errors]).toMatchObject([422, [{ pointer: '/returned', code: 'out_of_range' }]])
    const back = await p.act(returned?.body.id, 'record-return')
    expect(back.body).toMatchObject({ status: 'paid', failure_code: 'returned', returned: expect.any(String) })
    expect((await p.act(returned?.body.id, 'record-return')).body).toMatchObject({ code: 'invalid_state', allowed: [] })
    expect(await p.balance(sub)).toEqual([300, 0])
    const told = async (id: unknown) => (await p.told(id)).map(({ type, data }) => [type, data.failure_code])
    expect(await told(canceled?.body.id)).toEqual([['sub_affiliate.payout_scheduled', undefined]])
    expect((await told(failed?.body.id)).at(-1)).toEqual(['sub_affiliate.payout_failed', 'method_rejected'])
    expect(await told(returned?.body.id)).toEqual([
      ['sub_affiliate.payout_scheduled', undefined],
      ['sub_affiliate.paid', undefined],
      ['sub_affiliate.payout_failed', 'returned'],
    ])
  })

  test('regression: waits beside 99 others of its sub-affiliate at most, so that a rule holds them all in one short transaction', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 1_000)
    const { body } = await p.pay(sub, { amount: 1 })
    const copied = (count: number) =>
      fixture.adminPool.query(
        `insert into api.payouts select copied.* from api.payouts r, generate_series(1, $2) n,
           jsonb_populate_record(r, jsonb_build_object('id', left(r.id, 22) || lpad(n::text, 8, '0'))) copied where r.id = $1`,
        [body.id, count],
      )
    await copied(98)
    const [last, beyond] = [await p.pay(sub, { amount: 1 }), await p.pay(sub, { amount: 1 })]
    expect([last.status, beyond.status, beyond.body.code]).toEqual([201, 409, 'limit_reached'])
    await p.act(last.body.id, 'cancel')
    expect((await p.pay(sub, { amount: 1 })).status).toBe(201)
    expect(await p.balance(sub)).toEqual([998, 0])
    await fixture.adminPool.query(`delete from api.payouts where id like left($1, 22) || '000000%'`, [body.id])
  })

  test('C41: is changed by who has seen its version, with a key where it is money, and made once for a key', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const headers = { 'idempotency-key': 'the same' }
    const [one, again] = [await p.pay(sub, {}, { headers }), await p.pay(sub, {}, { headers })]
    expect([one.status, again.status, again.body.id]).toEqual([201, 201, one.body.id])
    const json = { sub_affiliate_id: sub }
    expect((await fixture.call('POST', '/v1/payouts', { json })).body.code).toBe('idempotency_key_required')
    const path = `/v1/payouts/${one.body.id}`
    const call = (action: string, headers: Record<string, string>) =>
      fixture.call('POST', `${path}/${action}`, { json: {}, headers })
    expect((await call('cancel', {})).status).toBe(428)
    expect((await call('cancel', { 'if-match': '"v2"' })).status).toBe(412)
    expect((await call('mark-paid', { 'if-match': '"v1"' })).body.code).toBe('idempotency_key_required')
    const future = await p.act(one.body.id, 'mark-paid', { paid: '2100-01-01T00:00:00Z' })
    expect([future.status, future.body.errors]).toMatchObject([422, [{ pointer: '/paid', code: 'out_of_range' }]])
    expect((await call('cancel', { 'if-match': '"v1"' })).body).toMatchObject({ status: 'canceled', version: 2 })
  })

  test('waits for its day, which begins in the zone of the workspace', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const tomorrow = addDays(today(), 1)
    const { body } = await p.pay(sub, { scheduled_for: tomorrow })
    const beginsIn = startOfDayMs(tomorrow, zone) - Date.now()
    await p.later(beginsIn - minute)
    expect((await p.read(body.id)).status).toBe('scheduled')
    await p.later(beginsIn + minute)
    expect((await p.read(body.id)).status).toBe('processing')
    for (const scheduled_for of [addDays(today(), -1), addDays(today(), 367), '2026-02-30'])
      expect((await p.pay(sub, { scheduled_for })).body.errors).toMatchObject([{ pointer: '/scheduled_for' }])
  })

  test('that is held is neither processed nor paid until it is released', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const { body } = await p.pay(sub)
    const held = await p.act(body.id, 'hold', { reason: 'fraud_review' })
    expect(held.body.held).toEqual({ by_rule_id: null, reason: 'fraud_review' })
    await fixture.subAffiliates()
    const refused = await p.act(body.id, 'mark-paid')
    expect(refused.body).toMatchObject({ code: 'invalid_state', current_status: 'scheduled' })
    expect(refused.body.allowed).toEqual(['release', 'cancel'])
    expect((await fixture.call('GET', '/v1/payouts?held=true')).body.data).toMatchObject([{ id: body.id }])
    expect((await p.act(body.id, 'release')).body.held).toBeNull()
    await fixture.subAffiliates()
    expect((await p.read(body.id)).status).toBe('processing')
    expect((await fixture.call('GET', '/v1/payouts?held=true')).body.data).toEqual([])
  })

  test('of a suspended sub-affiliate waits until it is reactivated; one more is refused', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const { body } = await p.pay(sub, { amount: 60 })
    const act = (action: string, json: object = {}) =>
      fixture.call('POST', `/v1/sub-affiliates/${sub}/${action}`, { json })
    await act('suspend', { reason: 'fraud_review' })
    await fixture.subAffiliates()
    expect((await p.read(body.id)).status).toBe('scheduled')
    expect((await p.act(body.id, 'mark-paid')).body).toMatchObject({
      code: 'invalid_state',
      allowed: ['cancel', 'hold'],
      detail: expect.stringContaining('suspended'),
    })
    expect((await p.pay(sub)).body).toMatchObject({ code: 'invalid_state', current_status: 'suspended' })
    await act('reactivate')
    await fixture.subAffiliates()
    expect((await p.read(body.id)).status).toBe('processing')
  })

  test('keeps its sub-affiliate from being removed until it is over, also where the rest is written off', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const { body } = await p.pay(sub)
    const remove = () =>
      fixture.call('POST', `/v1/sub-affiliates/${sub}/remove`, { json: { reason: 'left', write_off: true } })
    expect((await remove()).body.code).toBe('balance_not_zero')
    await p.act(body.id, 'mark-paid')
    expect((await remove()).body.status).toBe('removed')
    // What comes back of it stands in the ledger.
    await p.act(body.id, 'record-return')
    expect(await p.balance(sub)).toEqual([100, 0])
  })

  test('regression: what comes back once its sub-affiliate was removed can be settled, whole and once', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const { body } = await p.pay(sub)
    await p.act(body.id, 'mark-paid')
    await fixture.call('POST', `/v1/sub-affiliates/${sub}/remove`, { json: { reason: 'left' } })
    const adjust = async (amount: number, at: number) => {
      const o = { json: { amount }, headers: { 'idempotency-key': `settle-${at}` } }
      return (await fixture.call('POST', `/v1/sub-affiliates/${sub}/adjustments`, o)).status
    }
    const before = await adjust(-100, 0)
    await p.act(body.id, 'record-return')
    const asked = [await adjust(-99, 1), await adjust(100, 2)]
    const settled = await Promise.all([3, 4, 5].map((at) => adjust(-100, at)))
    expect([before, asked, settled.sort()]).toEqual([409, [409, 409], [201, 409, 409]])
    expect((await p.ledger(sub)).slice(0, 2)).toEqual([
      ['adjustment', -100],
      ['payout_reversal', 100],
    ])
  })

  test('is listed by its status and its sub-affiliate, and is not there for another workspace', async () => {
    const sub = await p.subAffiliate()
    await p.earn(sub, 100)
    const [one, two] = [await p.pay(sub, { amount: 40 }), await p.pay(sub, { amount: 60 })]
    await p.act(one.body.id, 'cancel')
    const idsOf = async (path: string) =>
      ((await fixture.call('GET', path)).body.data as { id: string }[]).map(({ id }) => id)
    expect(await idsOf(`/v1/sub-affiliates/${sub}/payouts`)).toEqual([two.body.id, one.body.id])
    expect(await idsOf(`/v1/payouts?sub_affiliate_id=${sub}&status=canceled`)).toEqual([one.body.id])
    expect(await idsOf(`/v1/sub-affiliates/${sub}/payouts?status=scheduled`)).toEqual([two.body.id])
    expect((await fixture.call('GET', `/v1/payouts/${one.body.id}`, { as: 'b' })).status).toBe(404)
    expect((await fixture.call('GET', `/v1/sub-affiliates/${sub}/payouts`, { as: 'b' })).status).toBe(404)
    const foreign = await fixture.call('POST', '/v1/payouts', {
      as: 'b',
      json: { sub_affiliate_id: sub },
      headers: { 'idempotency-key': 'foreign' },
    })
    expect([foreign.status, foreign.body.errors]).toMatchObject([422, [{ pointer: '/sub_affiliate_id' }]])
    const readOnly = {
      as: 'invoices:read',
      json: { sub_affiliate_id: sub },
      headers: { 'idempotency-key': 'r' },
    } as const
    expect((await fixture.call('POST', '/v1/payouts', readOnly)).body.code).toBe('insufficient_scope')
  })
})
