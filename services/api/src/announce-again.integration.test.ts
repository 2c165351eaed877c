// After the log lost records, what is announced once more is what was announced the first time.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { pruneKept } from '@wds/event-store/kept-announcements'
import { rangeOf } from '@wds/event-store/republish'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type Fixture, startFixture } from './api-service.fixture.ts'
import { republishAnnouncements } from './republish.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const range = rangeOf('2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z')
const again = (topic: string) => republishAnnouncements({ pool: fixture.workerPool, topic, ...range })

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
  expect((await again('workspace.events')).records).toBe(first.length)
  expect(await takeOutbox()).toEqual(first)
})

test('regression: what the audit log was told comes again byte for byte, with its id, headers and from where it was done', async () => {
  await fixture.call('PATCH', '/v1/settings', { as: 'owner', json: { time_zone: 'Asia/Tokyo' } })
  await fixture.call('PATCH', '/v1/settings', { as: 'admin', json: { base_currency: 'SEK' } })
  const first = (await takeOutbox()).filter(({ topic }) => topic === 'audit.entries')
  const told = first.map(({ payload }) => JSON.parse(Buffer.from(payload.slice(2), 'hex').toString()).data)
  expect(told.map(({ actor, address }) => [actor, address])).toEqual([
    ['user:usr_owner', '127.0.0.1'],
    ['user:usr_admin', '127.0.0.1'],
  ])
  expect((await again('audit.entries')).records).toBe(2)
  // They wait already.
  expect((await again('audit.entries')).records).toBe(0)
  expect(await takeOutbox()).toEqual(first)
})

test('what is kept for the audit log goes after 8 days; who answers requests neither reads it nor adds to another workspace', async () => {
  const idOf = (days: number) => makeId('evt', Date.now() - days * 86_400_000, randomBytes(10))
  const [old, young] = [idOf(8.01), idOf(7.9)]
  const put = `insert into kept_announcements (workspace_id, event_id, topic, key, headers, payload) values ($1, $2, 't', 'k', '{}', '')`
  for (const id of [old, young]) await fixture.workerPool.query(put, [fixture.workspaces.a, id])
  await pruneKept(fixture.workerPool)
  const { rows } = await fixture.workerPool.query('select event_id from kept_announcements where topic = $1', ['t'])
  expect(rows).toEqual([{ event_id: young }])
  await expect(fixture.pool.query('select from kept_announcements')).rejects.toMatchObject({ code: '42501' })
  const foreign = withTransaction(fixture.pool, { workspaceId: fixture.workspaces.b }, (tx) =>
    tx.query(put, [fixture.workspaces.a, idOf(0)]),
  )
  await expect(foreign).rejects.toMatchObject({ code: '42501' })
})
