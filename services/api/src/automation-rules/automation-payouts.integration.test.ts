// What rules do to sub-affiliates and their payouts, and the rights and failures of rules that events trigger.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { paying } from '../payouts/payouts.fixture.ts'
import { type AutomationFixture, minuteMs, type Row, startAutomation } from './automation.fixture.ts'

let fixture: AutomationFixture
let p: ReturnType<typeof paying>
let partner: string
beforeAll(async () => {
  fixture = await startAutomation()
  p = paying(fixture)
  partner = await p.partner({ external_id: 'sub-a' })
  await p.earn(partner, 30_000)
})
afterAll(() => fixture?.stop())
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
  const { body: payout } = await p.pay(partner, { amount: 1_000 })
  await react()
  expect((await p.read(payout.id)).held).toEqual({ by_rule_id: id, reason: 'rule' })
  expect(await fixture.firingsOf(id)).toMatchObject([
    { subject_type: 'sub_affiliate', subject_id: partner, brand_slug: null, status: 'succeeded' },
  ])
  const other = await fixture.createRule({ ...holds, ...scheduled })
  const { body: canceled } = await p.pay(partner, { amount: 1_000 })
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
  const other = await p.partner({ external_id: 'sub-c' })
  const { body: payout } = await p.pay(partner, { amount: 1_000 })
  const clicks = { ...holds, conditions: [{ metric: 'clicks', op: 'gte', value: 70 }] }
  const id = await fixture.createRule({ ...clicks, trigger: { type: 'schedule', every_minutes: 5 } })
  const dry = await fixture.call('POST', `/v1/automation-rules/${id}/dry-run`)
  // Rows name others, of whom nobody is known.
  expect((dry.body.data as Row[]).map(({ subject_id }) => subject_id)).toEqual([partner])
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
  const { body: payout } = await p.pay(partner, { amount: 1_000 })
  await react()
  expect(await fixture.ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'authorization_revoked' })
  expect([await fixture.firingsOf(id), (await p.read(payout.id)).held]).toEqual([[], null])
})

test('five firings in a row that fail disable a rule that events trigger, too', async () => {
  const id = await fixture.createRule({
    ...always,
    ...{ trigger: { type: 'event', event_type: 'integration.updated' }, subject_type: 'integration' },
    actions: [{ type: 'trigger_sync' }],
  })
  for (let nth = 0; nth < 6; nth += 1) {
    await fixture.call('PATCH', `/v1/integrations/${fixture.integration_id}`, { json: { name: `Acme ${nth}` } })
    await react(nth * 6 * minuteMs)
  }
  expect(await fixture.ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'too_many_failures' })
  expect((await fixture.firingsOf(id)).map(({ status }) => status)).toEqual(Array(5).fill('failed'))
})
