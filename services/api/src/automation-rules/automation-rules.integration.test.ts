// Automation rules through the public door: saved by who may do what they do.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const path = '/v1/automation-rules'
const rule = {
  name: 'Pause',
  trigger: { type: 'schedule', every_minutes: 15 },
  subject_type: 'campaign',
  window: 'last_7d',
  conditions: [{ metric: 'clicks', op: 'gte', value: 200 }],
  actions: [{ type: 'pause_campaign' }],
}
const create = (over: object = {}) => fixture.call('POST', path, { json: { ...rule, ...over } })

async function told(id: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    `select o.payload from api.outbox o join api.stream_events e on e.event_id = o.event_id
     where e.stream_id = $1 order by e.version`,
    [id],
  )
  return rows.map(({ payload }) => JSON.parse(payload.toString())).map(({ type, data }) => ({ type, data }))
}

test('a rule is saved, changed, disabled, enabled and deleted, and each step is told', async () => {
  const { status, body, headers } = await create()
  const one = `${path}/${body.id}`
  expect([status, headers.get('location'), headers.get('etag')]).toEqual([201, one, '"v1"'])
  expect(body).toMatchObject({
    object: 'automation_rule',
    enabled: true,
    disabled_reason: null,
    cooldown_minutes: 1_440,
    dry_run: false,
    scope: { brand_slugs: [], campaign_ids: [], integration_ids: [] },
    min_sample: {},
    max_fires_per_day: 20,
    conditions: [{ ...rule.conditions[0], currency: null }],
    granted_scopes: ['campaigns:write'],
    principal: { type: 'api_key' },
  })
  const json = { name: 'Stop', min_sample: { clicks: 10 } }
  const changed = await fixture.call('PATCH', one, { json, headers: { 'if-match': '"v1"' } })
  expect(changed.body).toMatchObject({ name: 'Stop', min_sample: { clicks: 10 }, version: 2 })
  expect((await fixture.call('PATCH', one, { json })).body.version).toBe(2)
  expect((await fixture.call('PATCH', one, { json, headers: { 'if-match': '"v1"' } })).status).toBe(412)
  const disabled = await fixture.call('POST', `${one}/disable`)
  expect(disabled.body).toMatchObject({ enabled: false, disabled_reason: 'user' })
  expect((await fixture.call('GET', `${path}?enabled=false`)).body.data).toHaveLength(1)
  expect((await fixture.call('POST', `${one}/disable`)).body).toMatchObject({ code: 'invalid_state' })
  expect((await fixture.call('POST', `${one}/enable`)).body).toMatchObject({ enabled: true, disabled_reason: null })
  expect((await fixture.call('GET', one, { as: 'b' })).status).toBe(404)
  expect((await fixture.call('DELETE', one)).status).toBe(204)
  expect((await fixture.call('GET', one)).status).toBe(404)
  expect((await fixture.call('GET', path)).body.data).toEqual([])
  const rule_id = body.id
  expect(await told(String(body.id))).toEqual([
    {
      type: 'automation.created',
      data: { rule_id, name: 'Pause', trigger_type: 'schedule', action_types: ['pause_campaign'] },
    },
    { type: 'automation.updated', data: { rule_id, version: 2, changed: ['name', 'min_sample'] } },
    { type: 'automation.disabled', data: { rule_id, reason: 'user' } },
    { type: 'automation.enabled', data: { rule_id } },
    { type: 'automation.deleted', data: { rule_id } },
  ])
})

test('C31: a request that is sent again saves one rule', async () => {
  const headers = { 'idempotency-key': 'one-rule' }
  const [first, again] = [
    await fixture.call('POST', path, { json: rule, headers }),
    await fixture.call('POST', path, { json: rule, headers }),
  ]
  expect(again.body).toEqual(first.body)
})

test('who saves, changes or enables a rule has the scope of each action, else 403 names it', async () => {
  const sync = { ...rule, actions: [{ type: 'trigger_sync' }] }
  const refused = await fixture.call('POST', path, { json: sync, as: 'campaigns:write' })
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.headers.get('www-authenticate')).toContain('scope="integrations:write"')
  const own = await fixture.call('POST', path, { json: rule, as: 'campaigns:write' })
  expect(own.body).toMatchObject({ principal: { type: 'client', id: 'cli_1' } })
  const widened = { json: { actions: sync.actions }, as: 'campaigns:write' } as const
  expect((await fixture.call('PATCH', `${path}/${own.body.id}`, widened)).status).toBe(403)
  const strong = await fixture.call('POST', path, { json: { ...sync, enabled: false } })
  expect(strong.body).toMatchObject({ enabled: false, granted_scopes: ['integrations:write'] })
  const enable = await fixture.call('POST', `${path}/${strong.body.id}/enable`, { as: 'campaigns:write' })
  expect(enable.status).toBe(403)
})

test('regression: a rule looks at what is there; what was deleted since it was saved stays in its scope', async () => {
  const integration = await fixture.createIntegration({ name: 'Short', brand_slug: 'short' })
  const scope = { brand_slugs: ['short'], campaign_ids: [], integration_ids: [integration] }
  const { status, body } = await create({ scope })
  expect([status, body.scope]).toEqual([201, scope])
  const missing = { brand_slugs: ['short', 'none'], campaign_ids: ['cmp_1'], integration_ids: [integration, 'int_1'] }
  const pointers = ['/scope/brand_slugs/1', '/scope/campaign_ids/0', '/scope/integration_ids/1']
  const change = (json: object) => fixture.call('PATCH', `${path}/${body.id}`, { json })
  for (const refused of [await create({ scope: missing }), await change({ scope: missing })]) {
    const found = (refused.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)
    expect([refused.status, found.toSorted()]).toEqual([422, pointers])
  }
  const foreign = await fixture.call('POST', path, { json: { ...rule, scope }, as: 'b' })
  expect([foreign.status, foreign.body.code]).toEqual([422, 'validation_failed'])
  expect((await fixture.call('DELETE', `/v1/integrations/${integration}`)).status).toBe(204)
  expect((await change({ name: 'Other', scope: { ...scope, brand_slugs: [] } })).body.scope).toMatchObject({
    integration_ids: [integration],
  })
  expect((await create({ scope })).body.code).toBe('invalid_value')
})

test('a trigger of another type takes the place of the former one, whole', async () => {
  const { body } = await create()
  const patch = async (trigger: object) =>
    (await fixture.call('PATCH', `${path}/${body.id}`, { json: { trigger } })).body.trigger
  expect(await patch({ type: 'event', event_type: 'campaign.paused' })).toEqual({
    type: 'event',
    event_type: 'campaign.paused',
  })
  expect(await patch({ type: 'anomaly', metric: 'clicks' })).toEqual({ type: 'anomaly', metric: 'clicks' })
  expect(await patch({ type: 'anomaly', metric: null })).toEqual({ type: 'anomaly', metric: null })
  expect(await patch({ type: 'schedule', every_minutes: 5 })).toEqual({ type: 'schedule', every_minutes: 5 })
  // What it is, and what of it alone is changed: a merge patch (RFC 7396).
  expect(await patch({ every_minutes: 10 })).toEqual({ type: 'schedule', every_minutes: 10 })
  const resumed = { type: 'event', event_type: 'campaign.resumed' }
  expect(await patch({ ...resumed, every_minutes: null })).toEqual(resumed)
})

test.each([
  ['a trigger that is not known', { trigger: { type: 'moon', every_minutes: 5 } }, '/trigger/type'],
  ['a tick of 4 minutes', { trigger: { type: 'schedule', every_minutes: 4 } }, '/trigger/every_minutes'],
  ['a schedule without its minutes', { trigger: { type: 'schedule' } }, '/trigger/every_minutes'],
  ['a schedule without a condition', { conditions: [] }, '/conditions'],
  ['what belongs to another trigger', { trigger: { type: 'anomaly', every_minutes: 5 } }, '/trigger/every_minutes'],
  ['an event that is none', { trigger: { type: 'event', event_type: 'campaign.*' } }, '/trigger/event_type'],
  [
    'a subject that the event does not name',
    { trigger: { type: 'event', event_type: 'sync.failed' } },
    '/subject_type',
  ],
  ['an anomaly without its severity', { actions: [{ type: 'create_anomaly' }] }, '/actions/0/severity'],
  ['a severity of a pause', { actions: [{ type: 'pause_campaign', severity: 'low' }] }, '/actions/0/severity'],
  [
    'an anomaly of a condition without a direction',
    {
      actions: [{ type: 'create_anomaly', severity: 'low' }],
      conditions: [{ metric: 'clicks', op: 'between', value: [1, 2] }],
    },
    '/conditions',
  ],
  ['an action that is not known', { actions: [{ type: 'pay_out' }] }, '/actions/0/type'],
  ['a window of 31 days', { window: 'last_31d' }, '/window'],
  ['an action that the subject cannot take', { subject_type: 'brand' }, '/actions/0/type'],
])('422 names what is wrong: %s', async (_title, over, pointer) => {
  const { status, body } = await create(over)
  expect([status, (body.errors as { pointer: string }[])[0]?.pointer]).toEqual([422, pointer])
})
