// What rules do to sub-affiliates, their payouts and invoices, and the rights and failures of rules that events trigger.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Invoicing, invoicing } from '../invoices/invoices.fixture.ts'
import { paying } from '../payouts/payouts.fixture.ts'
import { type AutomationFixture, minuteMs, type Row, startAutomation } from './automation.fixture.ts'

let fixture: AutomationFixture
let p: ReturnType<typeof paying>
let inv: Invoicing
let subAffiliate: string
beforeAll(async () => {
  fixture = await startAutomation()
  p = paying(fixture)
  inv = invoicing(fixture)
  subAffiliate = await p.subAffiliate({ external_id: 'sub-a' })
  await p.earn(subAffiliate, 30_000)
})
afterAll(async () => {
  await inv?.stop()
  await fixture?.stop()
})
beforeEach(async () => {
  await fixture.setKey(['campaigns:write', 'integrations:write', 'invoices:write'])
  await fixture.reset()
})

const always = { conditions: [], min_sample: {}, cooldown_minutes: 5 }
const holds = { ...always, subject_type: 'sub_affiliate', actions: [{ type: 'hold_payout' }] }
const scheduled = { trigger: { type: 'event', event_type: 'sub_affiliate.payout_scheduled' } }

async function react(offsetMs = 0): Promise<void> {
  await fixture.hear()
  await fixture.automateAt(offsetMs)
}

test('a payout is held by the rule that its scheduling triggers; where nothing waits the action is skipped', async () => {
  const id = await fixture.createRule({ ...holds, ...scheduled })
  const { body: payout } = await p.pay(subAffiliate, { amount: 1_000 })
  await react()
  expect((await p.read(payout.id)).held).toEqual({ by_rule_id: id, reason: 'rule' })
  expect(await fixture.firingsOf(id)).toMatchObject([
    { subject_type: 'sub_affiliate', subject_id: subAffiliate, brand_slug: null, status: 'succeeded' },
  ])
  const other = await fixture.createRule({ ...holds, ...scheduled })
  const { body: canceled } = await p.pay(subAffiliate, { amount: 1_000 })
  await p.act(canceled.id, 'cancel')
  await react(6 * minuteMs)
  expect((await fixture.firingsOf(other)).map(({ actions }) => actions)).toEqual([
    [{ type: 'hold_payout', status: 'skipped', error_code: null }],
  ])
  await p.act(payout.id, 'cancel')
})

test('a rule looks at the numbers of sub-affiliates, by the name that rows have for them, and holds what waits', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const integration = await fixture.createIntegration({ name: 'Subs' })
  const csv = `date,campaign,sub_id,clicks\n${yesterday},c,sub-a,70\n${yesterday},c,sub-b,90\n`
  await fixture.call('POST', `/v1/imports?type=stats&integration_id=${integration}`, { csv })
  await fixture.work()
  const other = await p.subAffiliate({ external_id: 'sub-c' })
  const { body: payout } = await p.pay(subAffiliate, { amount: 1_000 })
  const clicks = { ...holds, conditions: [{ metric: 'clicks', op: 'gte', value: 70 }] }
  const id = await fixture.createRule({ ...clicks, trigger: { type: 'schedule', every_minutes: 5 } })
  const dry = await fixture.call('POST', `/v1/automation-rules/${id}/dry-run`)
  // Rows name others, of whom nobody is known.
  expect((dry.body.data as Row[]).map(({ subject_id }) => subject_id)).toEqual([subAffiliate])
  await react()
  expect((await p.read(payout.id)).held).toEqual({ by_rule_id: id, reason: 'rule' })
  expect((await fixture.firingsOf(id)).map(({ subject_id }) => subject_id)).not.toContain(other)
})

test('XT14: who may not hold payouts saves no rule that does; a rule whose key lost that right is disabled when an event triggers it', async () => {
  const json = { ...holds, ...scheduled, name: 'Holds', window: 'today' }
  const refused = await fixture.call('POST', '/v1/automation-rules', { json, as: 'campaigns:write' })
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('scope="invoices:write"'),
  ])
  const id = await fixture.createRule({ ...holds, ...scheduled })
  await fixture.setKey(['campaigns:write'])
  const { body: payout } = await p.pay(subAffiliate, { amount: 1_000 })
  await react()
  expect(await fixture.ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'authorization_revoked' })
  expect([await fixture.firingsOf(id), (await p.read(payout.id)).held]).toEqual([[], null])
})

test('five firings in a row that fail disable a rule that events trigger, too', async () => {
  const id = await fixture.createRule({
    ...always,
    trigger: { type: 'event', event_type: 'integration.updated' },
    subject_type: 'integration',
    actions: [{ type: 'trigger_sync' }],
  })
  for (let nth = 0; nth < 6; nth += 1) {
    await fixture.call('PATCH', `/v1/integrations/${fixture.integration_id}`, { json: { name: `Acme ${nth}` } })
    await react(nth * 6 * minuteMs)
  }
  expect(await fixture.ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'too_many_failures' })
  expect((await fixture.firingsOf(id)).map(({ status }) => status)).toEqual(Array(5).fill('failed'))
})

describe('a month that is closed', () => {
  const bills = (type: string, over: object = {}) => ({
    ...always,
    subject_type: 'workspace',
    actions: [{ type }],
    ...over,
    trigger: { type: 'event', event_type: 'stats.monthly_closed' },
  })
  const list = async (query: string) => (await fixture.call('GET', `/v1/invoices?${query}`)).body.data as Row[]
  const invoicesOf = async (brand: string) =>
    (await list(`brand=${brand}`)).map((one) => [one.currency, one.status, one.number, one.total]).sort()
  const outcomes = async (rule: string) =>
    (await fixture.firingsOf(rule)).map(({ status, actions }) => [status, actions])
  /** A month has one day with rows: with it, it is closed. */
  const earn = async (brand: string, rows: string) => (await inv.brand(brand))(rows)

  test('has an invoice of each brand and currency that earned in it and has none; one that is refused stays a draft, and takes no number', async () => {
    await earn('good', '2026-01-05,c,EUR,1,10.00,0\n2026-01-05,c,USD,1,7.00,0\n')
    await earn('minus', '2026-01-05,c,EUR,1,-5.00,0\n')
    await earn('own', '2026-01-05,c,EUR,1,3.00,0\n')
    const own = await inv.draftOf('own')
    const rule = await fixture.createRule(bills('generate_invoices'))
    await inv.settle()
    await react()
    const [first, second] = ['2026-000001', '2026-000002']
    expect(await invoicesOf('good')).toEqual([
      ['EUR', 'generated', first, 1_000],
      ['USD', 'generated', second, 700],
    ])
    expect(await invoicesOf('minus')).toEqual([['EUR', 'draft', null, -500]])
    expect(await invoicesOf('own')).toEqual([['EUR', 'draft', null, 300]])
    const action = { type: 'generate_invoices', status: 'failed', error_code: 'out_of_range' }
    expect(await outcomes(rule)).toEqual([['partially_failed', [action]]])
    expect(await fixture.causationOf('invoice.generated')).toBe(`${rule}/1`)
    // All is heard once more.
    await react()
    expect([await invoicesOf('good'), await outcomes(rule)]).toMatchObject([{ length: 2 }, { length: 1 }])
    expect((await inv.act(own, 'generate')).body.number).toBe('2026-000003')
  })

  test('is billed though the one before it was closed just now; of the brands that the rule names, once where two rules do', async () => {
    const rows = '2026-02-05,c,EUR,1,10.00,0\n2026-03-05,c,EUR,1,20.00,0\n'
    for (const brand of ['named', 'other']) await earn(brand, rows)
    const scope = { brand_slugs: ['named'] }
    const rule = () => fixture.createRule(bills('draft_invoices', { scope, cooldown_minutes: 1_440 }))
    const rules = [await rule(), await rule()]
    await inv.settle()
    await react()
    expect((await invoicesOf('named')).map(([, status, , total]) => [status, total]).sort()).toEqual([
      ['draft', 1_000],
      ['draft', 2_000],
    ])
    expect(await invoicesOf('other')).toEqual([])
    const done = (await Promise.all(rules.map(outcomes))).flat()
    const each = (status: string) => ['succeeded', [{ type: 'draft_invoices', status, error_code: null }]]
    expect(done.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
      ...[each('skipped'), each('skipped'), each('succeeded'), each('succeeded')],
    ])
  })

  /** The worker is cut off while it waits to write to the table, by what ends its connection. */
  async function cutAt(table: string, offsetMs: number): Promise<void> {
    const client = await fixture.adminPool.connect()
    try {
      await client.query('begin')
      // On a busy machine it is held for longer than a session may be silent.
      await client.query('set local idle_in_transaction_session_timeout = 0')
      await client.query(`lock table api.${table} in share row exclusive mode`)
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const cut = fixture.automateAt(offsetMs)
      // Not by the holder itself, whose transaction sees the connections that were there before.
      const waiting =
        'select pg_terminate_backend(pid) from pg_stat_activity where $1::integer = any(pg_blocking_pids(pid))'
      const deadline = Date.now() + 60_000
      while ((await fixture.adminPool.query(waiting, [rows[0]?.pid])).rowCount === 0)
        if (Date.now() > deadline) throw new Error(`nobody writes to ${table}`)
      await cut
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('F01: is billed once, where the worker loses its connection amid it', async () => {
    await earn('cut', '2026-04-05,c,EUR,1,10.00,0\n')
    const rule = await fixture.createRule(bills('generate_invoices'))
    await inv.settle()
    await fixture.hear()
    await cutAt('automation_firings', 0)
    expect([await invoicesOf('cut'), await outcomes(rule)]).toEqual([[], []])
    for (const minutes of [2, 4]) await react(minutes * minuteMs)
    expect(await invoicesOf('cut')).toMatchObject([['EUR', 'generated', expect.any(String), 1_000]])
    expect(await outcomes(rule)).toMatchObject([['succeeded', { length: 1 }]])
    expect(await fixture.told('automation.fired', rule)).toHaveLength(1)
  })

  test('regression: one brand that can never be billed does not disable the rule that bills the others', async () => {
    const months = ['06', '07', '08', '09', '10']
    const rows = (amount: string) => months.map((month) => `2026-${month}-05,c,EUR,1,${amount},0\n`).join('')
    await earn('ever-good', rows('10.00'))
    await earn('ever-minus', rows('-5.00'))
    const rule = await fixture.createRule(
      bills('generate_invoices', { scope: { brand_slugs: ['ever-good', 'ever-minus'] } }),
    )
    await inv.settle()
    await react()
    const statuses = async (brand: string) => (await invoicesOf(brand)).map(([, status]) => status)
    expect([await statuses('ever-good'), await statuses('ever-minus')]).toEqual([
      Array(5).fill('generated'),
      Array(5).fill('draft'),
    ])
    const failed = { type: 'generate_invoices', status: 'failed', error_code: 'out_of_range' }
    expect(await outcomes(rule)).toEqual(Array(5).fill(['partially_failed', [failed]]))
    expect(await fixture.ruleOf(rule)).toMatchObject({ enabled: true, disabled_reason: null })
  })

  test('regression: makes no empty draft of a brand whose commissions come to nothing, and has not failed for it', async () => {
    await earn('evened', '2025-12-05,c,EUR,0,10.00,0\n2025-12-06,c,EUR,0,-10.00,0\n')
    const rule = await fixture.createRule(bills('generate_invoices', { scope: { brand_slugs: ['evened'] } }))
    await inv.settle()
    await react()
    const skipped = { type: 'generate_invoices', status: 'skipped', error_code: null }
    expect([await outcomes(rule), await invoicesOf('evened')]).toEqual([[['succeeded', [skipped]]], []])
  })

  test('XT14: is billed by nobody once who answers for the rule may not write invoices', async () => {
    await earn('denied', '2026-05-05,c,EUR,1,10.00,0\n')
    const json = { ...bills('draft_invoices'), name: 'Bills', window: 'today' }
    expect((await fixture.call('POST', '/v1/automation-rules', { json, as: 'campaigns:write' })).status).toBe(403)
    const rule = await fixture.createRule(bills('draft_invoices'))
    await fixture.setKey(['campaigns:write'])
    await inv.settle()
    await react()
    expect(await fixture.ruleOf(rule)).toMatchObject({ enabled: false, disabled_reason: 'authorization_revoked' })
    await fixture.setKey(['campaigns:write', 'invoices:write'])
    expect(await invoicesOf('denied')).toEqual([])
  })
})
