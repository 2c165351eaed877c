// Rules that events and anomalies trigger: each event once, in order, none of before; the loop guard; and what many events cost.
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { type AutomationFixture, minuteMs, type Row, recordOfEvent, startAutomation } from './automation.fixture.ts'
import { createAutomationHandler, waitingMax } from './consume-events.ts'

let fixture: AutomationFixture
beforeAll(async () => {
  fixture = await startAutomation()
})
afterAll(() => fixture?.stop())
beforeEach(() => fixture.reset())

const always = { conditions: [], min_sample: {}, cooldown_minutes: 5 }
const on = (event_type: string, over: object = {}) => ({ trigger: { type: 'event', event_type }, ...always, ...over })
const notify = { actions: [{ type: 'notify_webhook' }] }
const resume = { actions: [{ type: 'resume_campaign' }] }
const statuses = async (id: string) => (await fixture.firingsOf(id)).map(({ status }) => status)
const turn = (id: string, action: 'pause' | 'resume') => fixture.call('POST', `/v1/campaigns/${id}/${action}`)

/** Everything is heard, from the first event on, and carried out, until nothing follows any more. */
async function react(offsetMs = 0): Promise<void> {
  const count = async () =>
    Number((await fixture.adminPool.query('select count(*) from api.stream_events')).rows[0]?.count)
  for (let before = -1; before !== (await count()); ) {
    before = await count()
    await fixture.hear()
    await fixture.automateAt(offsetMs)
  }
}

test('a rule fires once for an event, however often and by however many at once it is heard, and not for what was before it', async () => {
  const { id: loud } = await fixture.campaign('loud')
  await turn(loud, 'pause')
  const id = await fixture.createRule(on('campaign.paused', resume))
  await react()
  expect(await statuses(id)).toEqual([])
  await turn(loud, 'resume')
  await turn(loud, 'pause')
  await Promise.all([fixture.hear(), fixture.hear()])
  await Promise.all(Array.from({ length: 4 }, () => fixture.automate()))
  expect(await fixture.firingsOf(id)).toMatchObject([
    { trigger_type: 'event', subject_type: 'campaign', subject_id: loud, status: 'succeeded', evidence: [] },
  ])
  expect((await fixture.campaign('loud')).status).toBe('active')
  await react(6 * minuteMs)
  // Changed meanwhile, it is another version of the same rule.
  await fixture.call('PATCH', `/v1/automation-rules/${id}`, { json: { name: 'Resumes' } })
  await react(60 * minuteMs)
  expect([await statuses(id), await fixture.told('automation.fired', id)]).toMatchObject([
    ['succeeded'],
    [{ trigger_type: 'event', rule_name: 'Silent', subject_id: loud }],
  ])
})

test('while a rule is disabled nothing triggers it, not even later', async () => {
  const { id: loud } = await fixture.campaign('loud')
  const id = await fixture.createRule(on('campaign.paused', resume))
  await fixture.call('POST', `/v1/automation-rules/${id}/disable`)
  await turn(loud, 'pause')
  await react()
  await fixture.call('POST', `/v1/automation-rules/${id}/enable`)
  await react()
  expect([await statuses(id), (await fixture.campaign('loud')).status]).toEqual([[], 'paused'])
})

test('what waits of a rule that was disabled and enabled meanwhile is dropped', async () => {
  const { id: loud } = await fixture.campaign('loud')
  const id = await fixture.createRule(on('campaign.paused', resume))
  await turn(loud, 'pause')
  await fixture.hear()
  await fixture.call('POST', `/v1/automation-rules/${id}/disable`)
  await fixture.call('POST', `/v1/automation-rules/${id}/enable`)
  await react()
  expect(await statuses(id)).toEqual([])
})

test('the conditions are over the numbers of the subject that the event names; its scope is by what the event names, too', async () => {
  const [loud, calm] = [await fixture.campaign('loud'), await fixture.campaign('calm')]
  const silent = { conditions: [{ metric: 'signups', op: 'eq', value: 0 }], min_sample: { clicks: 200 } }
  const numbers = await fixture.createRule(on('campaign.paused', { ...silent, ...notify }))
  const large = await fixture.createRule(on('campaign.paused', { ...silent, min_sample: { clicks: 301 }, ...notify }))
  const own = await fixture.createRule(
    on('campaign.paused', { ...notify, scope: { integration_ids: [fixture.integration_id] } }),
  )
  await fixture.createIntegration({ name: 'Other', brand_slug: 'other' })
  const other = await fixture.createRule(on('campaign.paused', { ...notify, scope: { brand_slugs: ['other'] } }))
  await turn(loud.id, 'pause')
  await turn(calm.id, 'pause')
  await react()
  const subjects = async (id: string) => (await fixture.firingsOf(id)).map(({ subject_id }) => subject_id)
  expect(await Promise.all([numbers, large, own, other].map(subjects))).toEqual([
    [loud.id],
    // Below its smallest sample it is not met.
    [],
    [calm.id, loud.id],
    [],
  ])
})

test('regression: events of one campaign cost no more statements, however many rules of an integration hear them', async () => {
  const { id: campaign_id } = await fixture.campaign('loud')
  const scoped = on('campaign.updated', { ...notify, scope: { integration_ids: [fixture.integration_id] } })
  const event = () => recordOfEvent(fixture.workspaces.a, 'campaign.updated', { campaign_id, brand_slug: 'acme' })
  const statements = () =>
    withTransaction(fixture.workerPool, { workspaceId: null }, async (tx) => {
      const query = jest.spyOn(tx, 'query')
      await createAutomationHandler({ warn: () => undefined })(tx, [event(), event(), event()])
      return query.mock.calls.length
    })
  await fixture.createRule(scoped)
  const ofOne = await statements()
  for (let made = 0; made < 3; made += 1) await fixture.createRule(scoped)
  expect(await statements()).toBe(ofOne)
  await fixture.adminPool.query('delete from api.automation_work')
})

test('events are carried out in their order; within the cooldown one is held back, which is noted once', async () => {
  const { id: loud } = await fixture.campaign('loud')
  const id = await fixture.createRule(on('campaign.updated', { ...notify, subject_type: 'campaign' }))
  for (const name of ['One', 'Two', 'Three']) await fixture.call('PATCH', `/v1/campaigns/${loud}`, { json: { name } })
  await react()
  expect(await statuses(id)).toEqual(['suppressed', 'succeeded'])
  const { rows } = await fixture.adminPool.query(
    `select f.evaluation_key like '%' || o.event_id || '%' as is_first from api.automation_firings f,
       (select event_id from api.outbox where headers->>'event_type' = 'campaign.updated' order by id limit 1) o
     where f.rule_id = $1 and f.status = 'succeeded'`,
    [id],
  )
  expect(rows).toEqual([{ is_first: true }])
})

test('an anomaly triggers the rules of its metric for the brand or the campaign that it is of', async () => {
  const { id: loud } = await fixture.campaign('loud')
  const anomaly = (metric: string) => ({ ...always, ...notify, trigger: { type: 'anomaly', metric } })
  const ids = [
    await fixture.createRule({ ...anomaly('clicks'), subject_type: 'campaign' }),
    await fixture.createRule({ ...anomaly('clicks'), subject_type: 'brand' }),
    await fixture.createRule({ ...anomaly('ngr'), subject_type: 'brand' }),
  ]
  const data = { anomaly_id: 'ano_1', metric: 'clicks', brand_slug: 'acme' }
  const heard = (over: object) => recordOfEvent(fixture.workspaces.a, 'anomaly.detected', { ...data, ...over })
  // The same anomaly, told by two records.
  await fixture.consumeRecords([heard({ campaign_id: loud }), heard({ campaign_id: loud })])
  await fixture.automate()
  const subjects = async (id: string) =>
    (await fixture.firingsOf(id)).map(({ status, subject_id }) => [status, subject_id])
  expect(await Promise.all(ids.map(subjects))).toEqual([[['succeeded', loud]], [['succeeded', 'acme']], []])
})

test('a rule makes an anomaly of what it compared, one as long as it is open; the detection leaves it alone, and rules hear of it', async () => {
  const { id: loud } = await fixture.campaign('loud')
  const silent = { conditions: [{ metric: 'signups', op: 'lte', value: 0 }], cooldown_minutes: 5 }
  const id = await fixture.createRule({ ...silent, actions: [{ type: 'create_anomaly', severity: 'high' }] })
  const hears = await fixture.createRule({ ...always, ...notify, trigger: { type: 'anomaly' } })
  await react()
  const made = async () => (await fixture.call('GET', '/v1/anomalies')).body.data as Row[]
  const [anomaly, ...others] = await made()
  expect([others, anomaly]).toMatchObject([
    [],
    {
      metric: 'signups',
      method: 'rule',
      direction: 'drop',
      severity: 'high',
      status: 'open',
      score: null,
      dimension: { brand_slug: 'acme', campaign_id: loud },
      window_days: 7,
      observed: 0,
      expected: null,
    },
  ])
  expect([await statuses(hears), await fixture.causationOf('anomaly.detected')]).toEqual([['succeeded'], `${id}/1`])
  await fixture.anomalies()
  await react(6 * minuteMs)
  const outcomes = async () => (await fixture.firingsOf(id)).map(({ actions }) => (actions as Row[])[0]?.status)
  expect([await outcomes(), (await made()).length]).toEqual([['skipped', 'succeeded'], 1])
  await fixture.call('POST', `/v1/anomalies/${anomaly?.id}/dismiss`, { json: { reason: 'expected' } })
  await react(12 * minuteMs)
  expect([(await outcomes())[0], (await made()).length]).toEqual(['succeeded', 2])
})

test('XT14: of two rules that trigger each other one acts twice removed, and the third step disables the first rule', async () => {
  const { id: loud } = await fixture.campaign('loud')
  const resumes = await fixture.createRule(on('campaign.paused', resume))
  const pauses = await fixture.createRule(on('campaign.resumed', { actions: [{ type: 'pause_campaign' }] }))
  const watcher = await fixture.createRule(on('automation.disabled', { ...notify, subject_type: 'workspace' }))
  await turn(loud, 'pause')
  await react()
  expect(await fixture.ruleOf(resumes)).toMatchObject({ enabled: false, disabled_reason: 'loop_detected' })
  expect((await fixture.ruleOf(pauses)).enabled).toBe(true)
  expect([await statuses(resumes), await statuses(pauses)]).toEqual([['succeeded'], ['succeeded']])
  expect([(await fixture.campaign('loud')).status, await fixture.causationOf('campaign.paused')]).toEqual([
    'paused',
    `${pauses}/2`,
  ])
  expect(await fixture.told('automation.disabled', resumes)).toEqual([{ rule_id: resumes, reason: 'loop_detected' }])
  // Who waits for that is told by the engine, which is no rule.
  expect([await statuses(watcher), (await fixture.ruleOf(watcher)).enabled]).toEqual([['succeeded'], true])
})

test('XT14: a rule that its own firing triggers fires once of itself and is stopped at the third step, though it rests', async () => {
  const id = await fixture.createRule(on('automation.fired', { ...notify, subject_type: 'workspace' }))
  const first = await fixture.createRule(on('campaign.paused', notify))
  await turn((await fixture.campaign('loud')).id, 'pause')
  await react()
  expect([await statuses(first), await statuses(id)]).toEqual([['succeeded'], ['succeeded']])
  expect(await fixture.ruleOf(id)).toMatchObject({ enabled: false, disabled_reason: 'loop_detected' })
})

test('XT14: a run that a rule started carries its depth: what its end triggers is a step further', async () => {
  const small = { schedule: null, initial_backfill_days: 2, settings: { campaigns: 1, countries: ['DE'] } }
  const demo = await fixture.createIntegration({ name: 'Demo', brand_slug: 'demo', provider: 'demo', ...small })
  const id = await fixture.createRule(
    on('sync.completed', { subject_type: 'integration', actions: [{ type: 'trigger_sync' }] }),
  )
  await fixture.call('POST', `/v1/integrations/${demo}/sync-runs`, { json: {} })
  for (const offsetMs of [0, 6, 12].map((minutes) => minutes * minuteMs)) {
    await fixture.workAt(offsetMs)
    await fixture.hear()
    await fixture.automateAt(offsetMs)
  }
  const runs = (await fixture.call('GET', `/v1/integrations/${demo}/sync-runs`)).body.data as Row[]
  expect([runs.length, await fixture.ruleOf(id)]).toMatchObject([3, { disabled_reason: 'loop_detected' }])
})

test('a rule that is tried dry is no part of a loop', async () => {
  const id = await fixture.createRule(on('automation.fired', { ...notify, subject_type: 'workspace', dry_run: true }))
  const deep = recordOfEvent(fixture.workspaces.a, 'automation.fired', { rule_id: 'rul_1', brand_slug: null })
  deep.headers.causation = 'rul_1/7'
  await fixture.consumeRecords([deep])
  await fixture.automate()
  expect([await statuses(id), (await fixture.ruleOf(id)).enabled]).toEqual([['simulated'], true])
})

test('regression: 100,000 events of one workspace, some heard again, leave as many evaluations as a rule may fire in a day, and another workspace waits for one of them', async () => {
  const { a, b } = fixture.workspaces
  const id = await fixture.createRule(on('campaign.updated', { ...notify, max_fires_per_day: 3 }))
  const json = { ...on('campaign.updated'), ...notify, name: 'B', subject_type: 'campaign', window: 'today' }
  const other = await fixture.call('POST', '/v1/automation-rules', { json, as: 'b' })
  await fixture.adminPool.query(
    `insert into api.access_keys (digest, key_id, workspace_id, scopes, cidrs, changed_by)
     values (decode(repeat('01', 32), 'hex'), $1, $2, '{campaigns:write}', '{}', '') on conflict do nothing`,
    [fixture.keys.b, b],
  )
  const event = (workspaceId: string, at: number) =>
    recordOfEvent(workspaceId, 'campaign.updated', { campaign_id: `cmp_${at}`, brand_slug: 'acme', changed: [] })
  const records = Array.from({ length: 100_000 }, (_, at) => event(a, at))
  expect(await fixture.consumeRecords([...records, event(b, 0)])).toEqual([{ rule_id: id, events: 99_000 }])
  // An event that waits already is not counted again.
  expect(await fixture.consumeRecords(records.slice(0, waitingMax))).toEqual([])
  const { rows } = await fixture.adminPool.query(
    'select rule_id, count(*)::integer as n from api.automation_work group by 1 order by 2',
  )
  expect(rows).toEqual([
    { rule_id: other.body.id, n: 1 },
    { rule_id: id, n: waitingMax },
  ])
  await fixture.automate(fixture.workerPool, 2)
  const seen = await fixture.call('GET', `/v1/automation-rules/${other.body.id}/firings`, { as: 'b' })
  expect(seen.body.data).toMatchObject([{ status: 'succeeded' }])
  await fixture.adminPool.query('delete from api.automation_work')
})
