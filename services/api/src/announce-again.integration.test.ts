// After the log lost records, what is announced once more is what was announced the first time.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { announceAgain } from '@wds/aggregate/concept'
import { rangeOf, republish } from '@wds/event-store/republish'
import { createPool } from '@wds/postgres/pool'
import { type Fixture, startFixture } from './api-service.fixture.ts'
import { concepts } from './resources.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

/** Takes what a relay would carry. */
async function takeOutbox() {
  const { rows } = await fixture.workerPool.query(
    'delete from outbox returning event_id, workspace_id, topic, key, headers, payload::text as payload',
  )
  return rows.sort((a, b) => (a.event_id < b.event_id ? -1 : 1))
}

test('regression: every announcement of integrations, uploads, runs, days, invoices and payouts comes again byte for byte, with its id and headers', async () => {
  const json = { name: 'Again', brand_slug: 'acme', provider: 'csv_upload' }
  const made = await fixture.call('POST', '/v1/integrations', { json })
  const id = String(made.body.id)
  const path = `/v1/imports?type=stats&integration_id=${id}`
  const csv = (rows: string) => `date,campaign,currency,clicks\n${rows}`
  await fixture.call('POST', path, { csv: csv('2026-01-01,c1,EUR,100\n') })
  await fixture.work()
  await fixture.call('POST', path, { csv: csv('2026-01-01,c1,EUR,150\nnonsense,c1,EUR,1\n2026-01-02,c2,EUR,1\n') })
  await fixture.work()
  await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { name: 'Renamed' } })
  await fixture.call('POST', `/v1/integrations/${id}/pause`)
  await fixture.call('POST', `/v1/integrations/${id}/resume`)
  await fixture.call('DELETE', `/v1/integrations/${id}`)
  const plan = { name: 'Standard', type: 'revshare', revshare_bps: 3_000 }
  const { body: madePlan } = await fixture.call('POST', '/v1/commission-plans', { json: plan })
  const profile = {
    name: 'Jane',
    email: 'jane@example.com',
    payout_currency: 'EUR',
    plan_id: madePlan.id,
    invite: false,
  }
  const { body: subAffiliate } = await fixture.call('POST', '/v1/sub-affiliates', { json: profile })
  const earned = { json: { amount: 500, month: '2026-01' }, headers: { 'idempotency-key': 'earned' } }
  await fixture.call('POST', `/v1/sub-affiliates/${subAffiliate.id}/adjustments`, earned)
  // The days of the uploads become ready, and their month is closed.
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  const later = createPool({ connectionString: url, applicationName: 'test-later', max: 2 })
  await fixture.days(later)
  await later.end()
  const invoice = { brand_slug: 'acme', period: { from: '2026-01-01', to: '2026-01-31' }, currency: 'EUR' }
  const lines = [{ kind: 'flat', description: 'Banner', amount: 500 }]
  const draft = await fixture.call('POST', '/v1/invoices', { json: { ...invoice, line_items: lines } })
  let etag = draft.headers.get('etag') ?? ''
  const act = async (action: string, json: object) => {
    const headers = { 'if-match': etag, 'idempotency-key': `after ${etag}` }
    const answer = await fixture.call('POST', `/v1/invoices/${draft.body.id}/${action}`, { json, headers })
    if (answer.status !== 200) throw new Error(answer.text)
    etag = answer.headers.get('etag') ?? ''
  }
  const payment = { amount: 200, received: '2026-02-03', method: 'sepa' }
  await act('generate', {})
  await act('send', { channel: 'email' })
  await act('record-payment', { ...payment, reference: 'first' })
  await act('record-payment', { ...payment, amount: 300, reference: 'second' })
  // Of a file they are recorded together.
  const next = { ...invoice, period: { from: '2026-02-01', to: '2026-02-28' }, line_items: lines }
  const other = await fixture.call('POST', '/v1/invoices', { json: next })
  const headers = { 'if-match': other.headers.get('etag') ?? '', 'idempotency-key': 'other' }
  await fixture.call('POST', `/v1/invoices/${other.body.id}/generate`, { json: {}, headers })
  const paid = [100, 150, 250].map((cents) => `${other.body.id},R${cents},${cents / 100},2026-02-03,sepa\n`)
  const file = { csv: `invoice,reference,amount,received,method\n${paid.join('')}` }
  await fixture.call('POST', '/v1/imports?type=invoice_payments', file)
  await fixture.work()
  const asked = { sub_affiliate_id: subAffiliate.id }
  const payout = await fixture.call('POST', '/v1/payouts', { json: asked, headers: { 'idempotency-key': 'payout' } })
  for (const [version, action] of ['mark-paid', 'record-return'].entries()) {
    const headers = { 'if-match': `"v${version + 1}"`, 'idempotency-key': action }
    await fixture.call('POST', `/v1/payouts/${payout.body.id}/${action}`, { json: {}, headers })
  }
  const first = await takeOutbox()
  const types = new Set(first.map((row) => row.headers.event_type))
  expect(types.size).toBeGreaterThan(7)
  expect([...types]).toEqual(expect.arrayContaining(['stats.daily_ready', 'stats.monthly_closed', 'invoice.paid']))
  expect([...types]).toEqual(expect.arrayContaining(['sub_affiliate.paid', 'sub_affiliate.payout_failed']))
  const due = first.map(({ payload }) => JSON.parse(Buffer.from(payload.slice(2), 'hex').toString()).data)
  const ofFile = due.filter(({ invoice_id, amount_due }) => invoice_id === other.body.id && amount_due !== undefined)
  expect(ofFile.map(({ amount, amount_due }) => [amount, amount_due])).toEqual([
    [100, 400],
    [150, 250],
  ])
  const range = rangeOf('2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z')
  const o = { pool: fixture.workerPool, topic: 'workspace.events', ...range, announce: announceAgain(concepts) }
  expect((await republish(o)).records).toBe(first.length)
  expect(await takeOutbox()).toEqual(first)
})
