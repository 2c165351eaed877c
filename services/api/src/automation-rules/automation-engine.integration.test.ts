// The engine of automation rules on a database: ticks, conditions over the stats, brakes, rights, and that each evaluation fires once.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@wds/aggregate/new-id'
import type { Role } from '@wds/contracts/roles'
import type { LogRecord } from '@wds/event-log/port'
import { withTransaction } from '@wds/postgres/transaction'
import { createAuthHandler } from '../settings/consume-auth-events.ts'
import { type AutomationFixture, minuteMs, type Row, startAutomation } from './automation.fixture.ts'
import { sweepFirings } from './store-firings.ts'
import { putEvaluations } from './store-work.ts'

let fixture: AutomationFixture
beforeAll(async () => {
  fixture = await startAutomation()
})
afterAll(() => fixture?.stop())
beforeEach(() => fixture.reset())

const createRule: AutomationFixture['createRule'] = (...args) => fixture.createRule(...args)
const setKey: AutomationFixture['setKey'] = (scopes) => fixture.setKey(scopes)
const firingsOf: AutomationFixture['firingsOf'] = (id) => fixture.firingsOf(id)
const ruleOf: AutomationFixture['ruleOf'] = (id) => fixture.ruleOf(id)
const campaign: AutomationFixture['campaign'] = (name) => fixture.campaign(name)
const told: AutomationFixture['told'] = (type, id) => fixture.told(type, id)
const automateAt: AutomationFixture['automateAt'] = (offsetMs) => fixture.automateAt(offsetMs)

test('a rule pauses the campaign whose numbers meet it, leaves the other one, and tells what it did with its numbers', async () => {
  const id = await createRule()
  const dry = await fixture.call('POST', `/v1/automation-rules/${id}/dry-run`)
  const loud = await campaign('loud')
  const evidence = [{ metric: 'signups', op: 'eq', value: 0, currency: null, observed: 0, before: null }]
  expect(dry.body.data).toEqual([
    { subject_type: 'campaign', subject_id: loud.id, evidence, actions: ['pause_campaign'] },
  ])
  expect([loud.status, await firingsOf(id)]).toEqual(['active', []])
  await fixture.automate()
  expect([(await campaign('loud')).status, (await campaign('calm')).status]).toEqual(['paused', 'active'])
  const [firing, ...others] = await firingsOf(id)
  expect(others).toEqual([])
  expect(firing).toMatchObject({
    object: 'firing',
    rule_id: id,
    rule_version: 1,
    subject_id: loud.id,
    status: 'succeeded',
    evidence,
    actions: [{ type: 'pause_campaign', status: 'succeeded', error_code: null }],
  })
  const place = { subject_type: 'campaign', subject_id: loud.id, brand_slug: 'acme' }
  expect(await told('automation.fired', id)).toEqual([
    {
      rule_id: id,
      firing_id: firing?.id,
      rule_name: 'Silent',
      trigger_type: 'schedule',
      ...place,
      action_types: ['pause_campaign'],
      status: 'succeeded',
    },
  ])
  expect(await told('campaign.paused', id)).toMatchObject([{ campaign_id: loud.id, reason: 'rule' }])
  const unread = await fixture.call('GET', `/v1/firings/${firing?.id}`, { as: 'campaigns:read' })
  expect([unread.status, unread.body.evidence]).toEqual([200, []])
  expect((await fixture.call('GET', `/v1/firings/${firing?.id}`, { as: 'b' })).status).toBe(404)
})

test('within its cooldown a rule is held back, which is noted once; behind it it fires again, and skips what is done already', async () => {
  const id = await createRule()
  await fixture.automate()
  await automateAt(10 * minuteMs)
  await automateAt(20 * minuteMs)
  expect((await firingsOf(id)).map(({ status }) => status)).toEqual(['suppressed', 'succeeded'])
  await automateAt(61 * minuteMs)
  const [last, ...before] = await firingsOf(id)
  expect([last?.status, last?.actions, before.length]).toMatchObject(['succeeded', [{ status: 'skipped' }], 2])
  expect(await told('automation.fired', id)).toHaveLength(2)
})

test('a rule fires as often in a day as it may, over all its subjects', async () => {
  const id = await createRule({
    min_sample: {},
    conditions: [{ metric: 'clicks', op: 'gt', value: 0 }],
    max_fires_per_day: 1,
  })
  await fixture.automate()
  expect((await firingsOf(id)).map(({ status }) => status).sort()).toEqual(['succeeded', 'suppressed'])
})

test('a rule that is tried dry notes what it would have done, and does and tells nothing', async () => {
  const id = await createRule({ dry_run: true })
  await fixture.automate()
  expect(await firingsOf(id)).toMatchObject([{ status: 'simulated', actions: [] }])
  expect([(await campaign('loud')).status, await told('automation.fired', id)]).toEqual(['active', []])
})

test('a rule whose key lost a scope, or is revoked, does nothing and is disabled; enabled by who may, it acts', async () => {
  const id = await createRule()
  await setKey(['campaigns:read'])
  await fixture.automate()
  expect(await ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'authorization_revoked' })
  expect([(await campaign('loud')).status, await firingsOf(id)]).toEqual(['active', []])
  expect(await told('automation.disabled', id)).toEqual([{ rule_id: id, reason: 'authorization_revoked' }])
  await setKey(['campaigns:write', 'integrations:write'])
  await fixture.call('POST', `/v1/automation-rules/${id}/enable`)
  await fixture.automate()
  expect((await campaign('loud')).status).toBe('paused')
})

test.each<[string, 'app' | Role, string, object]>([
  ['its grant is revoked', 'app', 'GrantRevoked', { grant_id: 'grt_1' }],
  ['the app is suspended', 'app', 'OAuthAppSuspended', { client_id: 'cli_1' }],
  ['the person got another role', 'admin', 'MemberRoleChanged', { user_id: 'usr_admin', member_rev: 2 }],
])('a rule that an app or a person saved acts no more once %s', async (_title, as, type, data) => {
  await fixture.adminPool.query('delete from api.automation_denials')
  const id = await createRule({}, as)
  const other = await createRule({ dry_run: true }, 'owner')
  const workspace_id = fixture.workspaces.a
  const eventId = newId('evt', Date.now())
  const event = { id: eventId, type, created: new Date().toISOString(), data: { ...data, workspace_id } }
  const record: LogRecord = {
    topic: 'auth.events',
    partition: 0,
    offset: 0n,
    key: workspace_id,
    eventId,
    headers: { event_type: type },
    payload: Buffer.from(JSON.stringify(event)),
  }
  await withTransaction(fixture.workerPool, { workspaceId: null }, (tx) =>
    createAuthHandler(() => undefined)(tx, [record, record]),
  )
  await fixture.automate()
  expect(await ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'authorization_revoked' })
  expect([(await campaign('loud')).status, (await ruleOf(other)).enabled]).toEqual(['active', true])
})

test('an action that is refused stops no other, and is told; five firings in a row that fail disable the rule', async () => {
  const partly = await createRule({ actions: [{ type: 'trigger_sync' }, { type: 'pause_campaign' }] })
  await fixture.automate()
  const [firing] = await firingsOf(partly)
  expect(firing).toMatchObject({
    status: 'partially_failed',
    actions: [{ status: 'failed', error_code: 'sync_not_supported' }, { status: 'succeeded' }],
  })
  const failed = {
    rule_id: partly,
    firing_id: firing?.id,
    action_type: 'trigger_sync',
    error_code: 'sync_not_supported',
  }
  expect(await told('automation.failed', partly)).toEqual([failed])
  await fixture.call('DELETE', `/v1/automation-rules/${partly}`)
  const id = await createRule({ actions: [{ type: 'trigger_sync' }], cooldown_minutes: 5 })
  for (let at = 0; at < 4; at += 1) await automateAt(at * 6 * minuteMs)
  expect([(await ruleOf(id)).enabled, (await firingsOf(id)).length]).toEqual([true, 4])
  await automateAt(24 * minuteMs)
  expect(await ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'too_many_failures' })
  await automateAt(60 * minuteMs)
  expect(await firingsOf(id)).toHaveLength(5)
})

test('an integration is synced by the same run that a person starts; one that is open is left alone', async () => {
  const small = { schedule: null, initial_backfill_days: 2, settings: { campaigns: 1, countries: ['DE'] } }
  const demo = await fixture.createIntegration({ name: 'Demo', brand_slug: 'demo', provider: 'demo', ...small })
  await fixture.call('POST', `/v1/integrations/${demo}/sync-runs`, { json: {} })
  await fixture.work()
  const id = await createRule({
    subject_type: 'integration',
    scope: { integration_ids: [demo] },
    min_sample: {},
    cooldown_minutes: 5,
    conditions: [{ metric: 'clicks', op: 'gt', value: 0 }],
    actions: [{ type: 'trigger_sync' }],
  })
  const runs = async () =>
    (await fixture.call('GET', `/v1/integrations/${demo}/sync-runs?status=queued`)).body.data as Row[]
  await fixture.automate()
  expect(await runs()).toMatchObject([{ trigger: 'manual' }])
  await automateAt(6 * minuteMs)
  expect(await runs()).toHaveLength(1)
  expect((await firingsOf(id)).map(({ actions }) => (actions as Row[])[0]?.status)).toEqual(['skipped', 'succeeded'])
})

test('however often and by however many at once an evaluation is asked for and taken, it fires once', async () => {
  const id = await createRule({ cooldown_minutes: 5 })
  const { id: subject } = await campaign('loud')
  const put = () =>
    withTransaction(fixture.workerPool, { workspaceId: fixture.workspaces.a }, (tx) =>
      putEvaluations(tx, [
        { ruleId: id, ruleVersion: 1, key: `1:tick:${subject}`, subjectId: subject, depth: 0, month: null },
      ]),
    )
  await Promise.all(Array.from({ length: 50 }, put))
  await fixture.adminPool.query('delete from api.automation_ticks')
  await Promise.all(Array.from({ length: 8 }, () => fixture.automate()))
  expect(await firingsOf(id)).toHaveLength(1)
  // Once it is carried out, its key is still known; the cooldown is over by then.
  await put()
  await automateAt(6 * minuteMs)
  expect(await firingsOf(id)).toHaveLength(1)
  expect(await told('automation.fired', id)).toHaveLength(1)
})

test('ticks that were missed are run once, and the next one keeps to their rhythm', async () => {
  const id = await createRule()
  const due = async () =>
    Number(
      (await fixture.adminPool.query('select extract(epoch from due) * 1000 as ms from api.automation_ticks')).rows[0]
        .ms,
    )
  const firstMs = await due()
  await automateAt(62 * minuteMs)
  expect(await firingsOf(id)).toHaveLength(1)
  expect((await due()) - firstMs).toBe(65 * minuteMs)
})

test('a firing is shown for 90 days; its events stay, and so does every younger one', async () => {
  const scope = { integration_ids: [fixture.integration_id] }
  const id = await createRule({ conditions: [{ metric: 'clicks', op: 'gt', value: 0 }], min_sample: {}, scope })
  await fixture.automate()
  const [kept, old] = await firingsOf(id)
  const age = (firing: Row | undefined, days: number) =>
    fixture.adminPool.query(`update api.automation_firings set created = now() - $1 * interval '1 day' where id = $2`, [
      days,
      firing?.id,
    ])
  await age(kept, 89.9)
  await age(old, 90.1)
  await sweepFirings(fixture.workerPool)
  await sweepFirings(fixture.workerPool)
  expect((await firingsOf(id)).map((firing) => firing.id)).toEqual([kept?.id])
  expect((await fixture.call('GET', `/v1/firings/${old?.id}`)).status).toBe(404)
  const { rows } = await fixture.adminPool.query('select stream_id from api.stream_events where stream_id = $1', [
    old?.id,
  ])
  expect([rows.length, (await told('automation.fired', id)).length]).toEqual([1, 2])
})
