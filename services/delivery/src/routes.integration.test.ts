// The routes over a real listener and the real Postgres: shapes, refusals and the rules of a Retry.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { scopes } from '@wds/contracts/scopes'
import { newId, seedEvents } from './engine.fixture.ts'
import { createFanOut } from './fan-out/fan-out.ts'
import { type RoutesUnderTest, startRoutes } from './routes.fixture.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

const workspaceId = newId('wsp')
const other = newId('wsp')

const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  routes.call(workspaceId, method, path, body, headers)
const callOfOther = (method: string, path: string) => routes.call(other, method, path)

const valid = { url: 'https://receiver.test/hook', events: ['*'] }

describe('webhooks', () => {
  test('POST shows the secret once; the row holds ciphertext only', async () => {
    const created = await call('POST', '/v1/webhooks', valid)
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({ object: 'webhook', status: 'enabled' }),
    ])
    expect(created.body.secret).toMatch(/^whsec_/)
    const read = await call('GET', `/v1/webhooks/${created.body.id}`)
    expect(read.body.secret).toBeUndefined()
    expect(read.body.secrets).toEqual([expect.objectContaining({ hint: created.body.secret.slice(-4), expires: null })])
    const { rows } = await routes.engine.admin.query('select ciphertext from delivery.subscription_secrets')
    expect(JSON.stringify(rows)).not.toContain(created.body.secret)
    expect((await callOfOther('GET', `/v1/webhooks/${created.body.id}`)).status).toBe(404)
    expect((await callOfOther('GET', '/v1/webhooks')).body.data).toEqual([])
  })

  test('addresses, event types and header names are refused with a pointer', async () => {
    const refused = async (body: object) => {
      const answer = await call('POST', '/v1/webhooks', body)
      return [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer]
    }
    expect(await refused({ ...valid, url: 'http://10.0.0.1/' })).toEqual([422, 'url_not_allowed', '/url'])
    const plain = await call('POST', '/v1/webhooks', { ...valid, url: 'http://example.com/' })
    expect(plain.body.errors?.[0]).toMatchObject({ detail: 'Must begin with https.' })
    expect(await refused({ ...valid, events: ['nothing.such'] })).toEqual([422, 'unknown_event_type', '/events/0'])
    expect(await refused({ ...valid, headers: { host: 'x' } })).toEqual([422, 'header_not_allowed', '/headers/host'])
    const twice = { 'X-Tenant': '1', 'x-tenant': '2' }
    expect(await refused({ ...valid, headers: twice })).toEqual([422, 'invalid_value', '/headers/x-tenant'])
    expect(await refused({ ...valid, status: 'enabled' })).toEqual([422, 'unknown_field', '/status'])
  })

  test('C41: PATCH follows If-Match, raises the version once, and a change of nothing keeps it', async () => {
    const { body, etag } = await call('POST', '/v1/webhooks', valid)
    const path = `/v1/webhooks/${body.id}`
    const changed = await call('PATCH', path, { description: 'new' }, { 'if-match': etag as string })
    expect([changed.status, changed.body.version, changed.body.description]).toEqual([200, 2, 'new'])
    expect((await call('PATCH', path, { description: 'newer' }, { 'if-match': etag as string })).status).toBe(412)
    expect((await call('PATCH', path, { description: 'new' })).body.version).toBe(2)
    expect((await call('POST', `${path}/disable`)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'user',
      version: 3,
    })
    expect((await call('POST', `${path}/disable`)).body).toMatchObject({
      code: 'invalid_state',
      current_status: 'disabled',
    })
    expect((await call('POST', `${path}/enable`)).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      version: 4,
    })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
  })
})

describe('two PATCHes at once', () => {
  /** Sends all while the workspace's row is locked, so that each has read the subscription before the first one changes it. */
  async function allAtOnce(path: string, patches: object[]) {
    const blocker = await routes.engine.admin.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select 1 from delivery.workspaces where workspace_id = $1 for update', [workspaceId])
      const answers = patches.map((patch) => call('PATCH', path, patch))
      await untilWaiting(patches.length)
      await blocker.query('commit')
      return (await Promise.all(answers)).map((answer) => answer.status)
    } finally {
      blocker.release()
    }
  }

  async function untilWaiting(count: number): Promise<void> {
    const deadline = Date.now() + 60_000
    for (;;) {
      const { rows } = await routes.engine.admin.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      if (rows.length >= count) return
      if (Date.now() > deadline) throw new Error(`${rows.length} of ${count} wait`)
    }
  }

  test('regression: each header that one of them sets or removes is so afterwards', async () => {
    const { body } = await call('POST', '/v1/webhooks', { ...valid, headers: { 'X-Old': '0', 'X-Kept': '1' } })
    const path = `/v1/webhooks/${body.id}`
    const patches = [{ headers: { 'X-A': 'a' } }, { headers: { 'X-B': 'b', 'X-Old': null } }, { description: 'new' }]
    expect(await allAtOnce(path, patches)).toEqual([200, 200, 200])
    expect((await call('GET', path)).body).toMatchObject({
      headers: { 'x-a': 'a', 'x-b': 'b', 'x-kept': '1' },
      description: 'new',
      version: 4,
    })
    expect((await call('GET', path)).body.headers).not.toHaveProperty('x-old')
  })

  test('regression: a header that a change names twice is refused, and the change is not made', async () => {
    const { body } = await call('POST', '/v1/webhooks', valid)
    const refused = await call('PATCH', `/v1/webhooks/${body.id}`, { headers: { 'X-Tenant': '1', 'x-tenant': '2' } })
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_value'])
    expect((await call('GET', `/v1/webhooks/${body.id}`)).body).toMatchObject({ headers: {}, version: 1 })
  })

  test('headers that are too many only together are refused to the second', async () => {
    const { body } = await call('POST', '/v1/webhooks', valid)
    const names = (letter: string) => Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x-${letter}${n}`, 'v']))
    const statuses = await allAtOnce(`/v1/webhooks/${body.id}`, [{ headers: names('a') }, { headers: names('b') }])
    expect(statuses.toSorted()).toEqual([200, 422])
    expect(Object.keys((await call('GET', `/v1/webhooks/${body.id}`)).body.headers)).toHaveLength(12)
  })
})

describe('deliveries', () => {
  test('F41: a delivery is listed, read, dead once its subscription is disabled, and retried after it is enabled; while it is open a retry is 409', async () => {
    const { body: webhook } = await call('POST', '/v1/webhooks', { ...valid, events: ['invoice.paid'] })
    await seedEvents(routes.engine, { workspaceId, count: 3, type: 'invoice.paid' })
    const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    const history = `/v1/webhooks/${webhook.id}/deliveries`
    const first = await call('GET', `${history}?limit=2`)
    expect([first.body.data.length, first.body.has_more]).toEqual([2, true])
    const second = await call('GET', `${history}?limit=2&cursor=${first.body.next_cursor}`)
    expect([second.body.data.length, second.body.has_more]).toEqual([1, false])
    const id = first.body.data[0]?.id
    const read = await call('GET', `/v1/deliveries/${id}`)
    expect(read.body).toMatchObject({
      status: 'pending',
      epoch: 1,
      max_attempts: 6,
      attempts: [],
      epochs: [{ epoch: 1, requested_by: null }],
    })
    expect((await callOfOther('GET', `/v1/deliveries/${id}`)).status).toBe(404)
    const refusedRetry = async (status: string) => {
      const { body } = await call('POST', `/v1/deliveries/${id}/retry`)
      expect(body).toMatchObject({ status: 409, code: 'invalid_state', current_status: status, allowed: [] })
    }
    await refusedRetry('pending')
    await call('POST', `/v1/webhooks/${webhook.id}/disable`)
    expect((await call('GET', `/v1/deliveries/${id}`)).body).toMatchObject({
      status: 'dead',
      dead_reason: 'subscription_disabled',
    })
    expect((await call('GET', `${history}?status=failed`)).body.data).toHaveLength(3)
    expect((await call('POST', `/v1/deliveries/${id}/retry`)).body.code).toBe('webhook_disabled')
    await call('POST', `/v1/webhooks/${webhook.id}/enable`)
    expect((await call('GET', '/v1/dead-letters?reason=subscription_disabled')).body.data).toHaveLength(3)
    // In the console, by a person.
    const ofPerson = {
      kind: 'client',
      id: 'console',
      userId: 'usr_1',
      grantId: 'ses_1',
      scopes: new Set(scopes),
    } as const
    const retried = await routes.call(routes.as(workspaceId, ofPerson), 'POST', `/v1/deliveries/${id}/retry`)
    expect([retried.status, retried.body.status, retried.body.epoch]).toEqual([202, 'replay', 2])
    await refusedRetry('replay')
    const requested = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(retried.body).toMatchObject({
      epochs: [
        { epoch: 1, requested, requested_by: null },
        { epoch: 2, requested, requested_by: 'user:usr_1' },
      ],
    })
    expect((await call('GET', '/v1/dead-letters?reason=subscription_disabled')).body.data).toHaveLength(2)
  })

  test('C55: regression: a filter that matches nothing reads 10,000 rows at most for a page, and the cursor goes on behind them', async () => {
    const { body: webhook } = await call('POST', '/v1/webhooks', { ...valid, events: ['invoice.paid'] })
    const { rows: found } = await routes.engine.admin.query<{ day: string }>(
      'select (now() at time zone $1)::date::text as day',
      ['utc'],
    )
    await routes.engine.admin.query(
      `with made as (
         insert into delivery.deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, dead_reason)
         select $1::date, $2, 'dlv_' || lpad(n::text, 26, '0'), 'evt_' || lpad(n::text, 26, '0'), 'invoice.paid', $3, 'dead', 'attempts_exhausted'
           from generate_series(1, 10_500) n returning event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason)
       insert into delivery.dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason) select * from made`,
      [found[0]?.day, workspaceId, webhook.id],
    )
    const history = `/v1/webhooks/${webhook.id}/deliveries`
    for (const list of [
      `${history}?type=sync.completed`,
      `${history}?status=delivered`,
      '/v1/dead-letters?type=sync.completed',
    ]) {
      const first = await call('GET', list)
      expect([list, first.status, first.body.data, first.body.has_more]).toEqual([list, 200, [], true])
      const second = await call('GET', `${list}&cursor=${first.body.next_cursor}`)
      expect([list, second.body.data, second.body.has_more, second.body.next_cursor]).toEqual([list, [], false, null])
    }
    // What matches is found in its order, and one event is looked up.
    const page = await call('GET', `${history}?status=dead&limit=100`)
    expect([page.body.data.length, page.body.has_more]).toEqual([100, true])
    expect((await call('GET', `${history}?event_id=evt_${'7'.padStart(26, '0')}`)).body.data).toHaveLength(1)
    expect((await call('GET', `/v1/dead-letters?webhook_id=${webhook.id}&limit=100`)).body.data).toHaveLength(100)
  })

  test('C55: regression: an instant that does not exist is 400 in the query', async () => {
    for (const since of ['2026-04-31T00:00:00Z', '0000-01-01T00:00:00Z', '2026-12-31T23:59:60Z']) {
      const { status, body } = await call('GET', `/v1/dead-letters?since=${since}`)
      expect([status, body.code]).toEqual([400, 'invalid_parameter'])
    }
  })
})
