// What auth's events mean for subscriptions, over the real routes and tables: strict scopes, grants that end or shrink (security.md XB08).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AuthEvents, AuthEventType } from '@wds/contracts/auth-events'
import type { Scope } from '@wds/contracts/scopes'
import { withTransaction } from '@wds/postgres/transaction'
import { eventRecord, newId, seedEvents } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { createAuthHandler } from './consume-auth-events.ts'
import { createGrantsTurn } from './follow-grants.ts'

let routes: RoutesUnderTest
let followGrants: () => Promise<boolean>
beforeAll(async () => {
  routes = await startRoutes()
  followGrants = createGrantsTurn(routes.engine.worker)
})
afterAll(() => routes?.stop())

/** An event of auth takes effect, twice, as the log may tell it. */
async function told<T extends AuthEventType>(type: T, data: AuthEvents[T]): Promise<void> {
  const handle = createAuthHandler(() => undefined)
  const record = eventRecord(newId('wsp'))
  const payload = Buffer.from(JSON.stringify({ id: record.eventId, type, created: new Date().toISOString(), data }))
  const headers = { ...record.headers, event_type: type }
  for (let round = 0; round < 2; round += 1) {
    await withTransaction(routes.engine.worker, { workspaceId: null }, (tx) =>
      handle(tx, [{ ...record, headers, payload }]),
    )
    while (await followGrants());
  }
}

const appOf = (workspaceId: string, grantId: string, scopes: Scope[], id = 'cli_1') =>
  routes.as(workspaceId, { kind: 'client', id, userId: 'usr_1', grantId, scopes: new Set(scopes) })

const strict = (workspaceId: string, strict_event_scopes: boolean) =>
  told('WorkspaceChanged', { workspace_id: workspaceId, strict_event_scopes })

const subscribe = (as: string, events: string[]) =>
  routes.call(as, 'POST', '/v1/webhooks', { url: 'https://a.test/', events })

async function typesDelivered(workspaceId: string, webhookId: string): Promise<string[]> {
  const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  const { body } = await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhookId}/deliveries`)
  return (body.data as unknown as { event_type: string }[]).map(({ event_type }) => event_type).sort()
}

const seed = async (workspaceId: string) => {
  for (const type of ['sync.completed', 'invoice.paid'])
    await seedEvents(routes.engine, { workspaceId, count: 1, type })
}

describe('XB08: strict_event_scopes', () => {
  test('without it webhooks:manage is enough; with it each event goes only where its read scope is held, from then on', async () => {
    const workspaceId = newId('wsp')
    const app = appOf(workspaceId, 'grt_a', ['webhooks:manage', 'integrations:read'])
    const { status, body } = await subscribe(app, ['*'])
    expect(status).toBe(201)
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toEqual(['invoice.paid', 'sync.completed'])
    await strict(workspaceId, true)
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toEqual(['invoice.paid', 'sync.completed', 'sync.completed'])
    await strict(workspaceId, false)
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toHaveLength(5)
  })

  test('what it would stop is told before, and is what it then stops', async () => {
    const workspaceId = newId('wsp')
    const app = appOf(workspaceId, 'grt_a', ['webhooks:manage', 'integrations:read'])
    const { body } = await subscribe(app, ['sync.*', 'invoice.paid', 'import.completed'])
    // Enough, all, and one that is deleted.
    await subscribe(app, ['sync.*'])
    await subscribe(workspaceId, ['*'])
    const gone = await subscribe(app, ['*'])
    await routes.call(workspaceId, 'DELETE', `/v1/webhooks/${gone.body.id}`)
    const preview = async () => (await routes.call(workspaceId, 'GET', '/v1/webhooks/strict-event-scopes')).body
    const data = [{ webhook_id: body.id, url: 'https://a.test/', types: ['invoice.paid', 'import.completed'] }]
    expect(await preview()).toEqual({ object: 'strict_event_scopes', strict: false, data })
    await strict(workspaceId, true)
    expect(await preview()).toMatchObject({ strict: true, data })
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toEqual(['sync.completed'])
    await routes.call(workspaceId, 'PATCH', `/v1/webhooks/${body.id}`, { events: ['*'] })
    expect((await preview()).data).toEqual([])
  })

  test('a type whose read scope is missing is refused when it is saved, wildcards included, and nothing is stored', async () => {
    const workspaceId = newId('wsp')
    await strict(workspaceId, true)
    const app = appOf(workspaceId, 'grt_a', ['webhooks:manage', 'integrations:read'])
    for (const events of [['*'], ['invoice.paid'], ['sync.*', 'import.completed']]) {
      const { status, body } = await subscribe(app, events)
      expect([events, status, body.code]).toEqual([events, 403, 'insufficient_scope'])
    }
    expect((await routes.call(workspaceId, 'GET', '/v1/webhooks')).body.data).toEqual([])
    const { status, body } = await subscribe(app, ['sync.*', 'webhook.*'])
    expect(status).toBe(201)
    const path = `/v1/webhooks/${body.id}`
    const wider = await routes.call(app, 'PATCH', path, { events: ['*'] })
    expect([wider.status, wider.body.code]).toEqual([403, 'insufficient_scope'])
    // Whoever may have all of them widens it, and then it gets what they may.
    expect((await routes.call(workspaceId, 'PATCH', path, { events: ['*'] })).status).toBe(200)
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toEqual(['invoice.paid', 'sync.completed'])
  })

  test('what the event of a delivery holds is shown to who may read its type', async () => {
    const workspaceId = newId('wsp')
    const { body } = await subscribe(workspaceId, ['*'])
    await seed(workspaceId)
    await typesDelivered(workspaceId, body.id)
    await strict(workspaceId, true)
    const app = appOf(workspaceId, 'grt_a', ['webhooks:manage', 'integrations:read'])
    const list = (await routes.call(app, 'GET', `/v1/webhooks/${body.id}/deliveries`)).body.data
    const shown = async (as: string) => {
      const details = await Promise.all(list.map(({ id }) => routes.call(as, 'GET', `/v1/deliveries/${id}`)))
      const bodies = details.map((one) => one.body as unknown as { event_type: string; event: object | null })
      return Object.fromEntries(bodies.map(({ event_type, event }) => [event_type, event !== null]))
    }
    expect(await shown(app)).toEqual({ 'sync.completed': true, 'invoice.paid': false })
    expect(await shown(workspaceId)).toEqual({ 'sync.completed': true, 'invoice.paid': true })
  })

  test('the event log shows the types that may be read, in the list and alone', async () => {
    const workspaceId = newId('wsp')
    const envelope = (type: string) => (id: string) => JSON.stringify({ id, type, created: 'x', data: {} })
    for (const type of ['sync.completed', 'invoice.paid'])
      await seedEvents(routes.engine, { workspaceId, count: 1, type, payloadOf: envelope(type) })
    await strict(workspaceId, true)
    const app = appOf(workspaceId, 'grt_a', ['webhooks:manage', 'integrations:read'])
    const list = async (as: string) => (await routes.call(as, 'GET', '/v1/events')).body.data
    const all = (await list(workspaceId)) as unknown as { id: string; type: string }[]
    expect([all.map(({ type }) => type), await list(app)]).toEqual([
      ['sync.completed', 'invoice.paid'],
      all.slice(0, 1),
    ])
    const alone = async (as: string) =>
      Promise.all(all.map(async ({ id }) => (await routes.call(as, 'GET', `/v1/events/${id}`)).status))
    expect([await alone(workspaceId), await alone(app)]).toEqual([
      [200, 200],
      [200, 404],
    ])
  })

  test('a grant that loses a scope loses its events, and needs no other change', async () => {
    const workspaceId = newId('wsp')
    const app = appOf(workspaceId, 'grt_cut', ['webhooks:manage', 'integrations:read', 'invoices:read'])
    await strict(workspaceId, true)
    const { body } = await subscribe(app, ['sync.*', 'invoice.*'])
    const cut = { grant_id: 'grt_cut', user_id: 'usr_1', client_id: 'cli_1', workspace_id: workspaceId }
    await told('GrantScopesCut', { ...cut, scopes: ['webhooks:manage', 'invoices:read'] })
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toEqual(['invoice.paid'])
    await told('GrantScopesCut', { ...cut, scopes: ['invoices:read'] })
    const path = `/v1/webhooks/${body.id}`
    expect((await routes.call(workspaceId, 'GET', path)).body).toMatchObject({
      disabled_reason: 'authorization_revoked',
    })
  })
})

describe('a grant that ends', () => {
  test('disables what its app subscribed to, once, told with the reason; what a key made outlives it, and so do other grants', async () => {
    const workspaceId = newId('wsp')
    const scopes: Scope[] = ['webhooks:manage']
    const mine = (await subscribe(appOf(workspaceId, 'grt_mine', scopes), ['sync.*'])).body
    const others = (await subscribe(appOf(workspaceId, 'grt_other', scopes), ['sync.*'])).body
    const ofKey = (await subscribe(workspaceId, ['webhook.*'])).body
    const ofPerson = (
      await subscribe(
        routes.as(workspaceId, {
          kind: 'client',
          id: 'console',
          userId: 'usr_1',
          grantId: 'ses_1',
          scopes: new Set(scopes),
        }),
        ['sync.*'],
      )
    ).body
    const end = (grant_id: string) =>
      told('GrantRevoked', {
        workspace_id: workspaceId,
        grant_id,
        user_id: 'usr_1',
        client_id: 'cli_1',
        reason: 'ended_by_user',
      })
    for (const grant of ['grt_mine', 'ses_1', 'grt_unknown']) await end(grant)
    const shown = (await routes.call(workspaceId, 'GET', '/v1/webhooks')).body.data as unknown as {
      id: string
      status: string
      disabled_reason: string | null
      owner: object
    }[]
    expect(Object.fromEntries(shown.map((one) => [one.id, [one.status, one.disabled_reason, one.owner]]))).toEqual({
      [mine.id]: ['disabled', 'authorization_revoked', { type: 'client', id: 'cli_1' }],
      [others.id]: ['enabled', null, { type: 'client', id: 'cli_1' }],
      [ofKey.id]: ['enabled', null, { type: 'api_key', id: expect.any(String) }],
      [ofPerson.id]: ['enabled', null, { type: 'user', id: 'usr_1' }],
    })
    const { rows } = await routes.engine.worker.query<{ payload: Buffer }>(
      'select payload from outbox where workspace_id = $1',
      [workspaceId],
    )
    expect(rows.map(({ payload }) => JSON.parse(String(payload)))).toEqual([
      expect.objectContaining({
        type: 'webhook.disabled',
        data: { webhook_id: mine.id, reason: 'authorization_revoked', failing_since: null, failed_deliveries: 0 },
      }),
    ])
  })

  test('regression: disables what a request saves that was let in before; what is enabled again meanwhile stays', async () => {
    const workspaceId = newId('wsp')
    const grant_id = 'grt_late'
    const app = appOf(workspaceId, grant_id, ['webhooks:manage'])
    const early = (await subscribe(app, ['sync.*'])).body
    await told('GrantRevoked', {
      grant_id,
      user_id: 'usr_1',
      client_id: 'cli_1',
      workspace_id: workspaceId,
      reason: 'ended_by_user',
    })
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${early.id}/enable`)
    const late = (await subscribe(app, ['sync.*'])).body
    const followed = async () => {
      while (await followGrants());
      const read = ({ id }: { id: string }) => routes.call(workspaceId, 'GET', `/v1/webhooks/${id}`)
      return (await Promise.all([early, late].map(read))).map(({ body }) => body.status)
    }
    expect(await followed()).toEqual(['enabled', 'enabled'])
    const { admin } = routes.engine
    await admin.query("update delivery.changed_grants set followed = followed - interval '121 s'")
    await admin.query(
      "update delivery.subscriptions set created = created - interval '121 s' where subscription_id = $1",
      [early.id],
    )
    expect(await followed()).toEqual(['enabled', 'disabled'])
    const { rows } = await admin.query('select 1 from delivery.changed_grants where grant_id = $1', [grant_id])
    expect(rows).toEqual([])
  })
})

describe('an app', () => {
  const statusOf = async (workspaceId: string, id: string) => {
    const { body } = await routes.call(workspaceId, 'GET', `/v1/webhooks/${id}`)
    const { status, disabled_reason: reason } = body as unknown as { status: string; disabled_reason: string | null }
    return [status, reason]
  }
  const enabled = ['enabled', null]
  const revoked = ['disabled', 'authorization_revoked']

  test('that is suspended loses what it subscribed to, by every grant in every workspace; reinstated it waits to be enabled', async () => {
    const [one, other] = [newId('wsp'), newId('wsp')]
    const subscribed: [string, string][] = []
    for (const [workspaceId, grant] of [
      [one, 'grt_1'],
      [one, 'grt_2'],
      [other, 'grt_3'],
    ] as const) {
      const { body } = await subscribe(appOf(workspaceId, grant, ['webhooks:manage'], 'cli_bad'), ['sync.*'])
      subscribed.push([workspaceId, body.id])
    }
    const spared = (await subscribe(appOf(one, 'grt_4', ['webhooks:manage'], 'cli_good'), ['sync.*'])).body
    const statuses = () => Promise.all(subscribed.map(([workspaceId, id]) => statusOf(workspaceId, id)))
    const app = { app_id: 'app_bad', client_id: 'cli_bad', workspace_id: newId('wsp') }
    await told('OAuthAppSuspended', app)
    expect([await statuses(), await statusOf(one, spared.id)]).toEqual([[revoked, revoked, revoked], enabled])
    await told('OAuthAppReinstated', app)
    expect(await statuses()).toEqual([revoked, revoked, revoked])
    const [[workspaceId, id] = ['', '']] = subscribed
    expect((await routes.call(workspaceId, 'POST', `/v1/webhooks/${id}/enable`)).status).toBe(200)
    expect(await statuses()).toEqual([enabled, revoked, revoked])
  })

  test('regression: that is suspended loses, two minutes later, the first subscription of a grant, which a request let in before made', async () => {
    const workspaceId = newId('wsp')
    const { admin } = routes.engine
    const late = () => subscribe(appOf(workspaceId, 'grt_late', ['webhooks:manage'], 'cli_late'), ['sync.*'])
    const lookLater = async () => {
      await admin.query("update delivery.suspended_apps set suspended = suspended - interval '121 s'")
      while (await followGrants());
      const { rows } = await admin.query('select 1 from delivery.suspended_apps')
      expect(rows).toEqual([])
    }
    const app = { app_id: 'app_late', client_id: 'cli_late', workspace_id: newId('wsp') }
    await told('OAuthAppSuspended', app)
    const first = (await late()).body
    expect(await statusOf(workspaceId, first.id)).toEqual(enabled)
    await lookLater()
    expect(await statusOf(workspaceId, first.id)).toEqual(revoked)

    await told('OAuthAppSuspended', app)
    await told('OAuthAppReinstated', app)
    const second = (await late()).body
    await lookLater()
    expect(await statusOf(workspaceId, second.id)).toEqual(enabled)
  })

  test('whose scopes its owner cuts loses their events, and everything with webhooks:manage; other changes mean nothing', async () => {
    const workspaceId = newId('wsp')
    const scopes: Scope[] = ['webhooks:manage', 'integrations:read', 'invoices:read']
    await strict(workspaceId, true)
    const { body } = await subscribe(appOf(workspaceId, 'grt_5', scopes, 'cli_cut'), ['sync.*', 'invoice.*'])
    const app = { app_id: 'app_cut', client_id: 'cli_cut', workspace_id: newId('wsp') }
    await told('OAuthAppChanged', { ...app, name: 'New' })
    await told('OAuthAppChanged', { ...app, scopes_removed: true, scopes: ['webhooks:manage', 'invoices:read'] })
    await told('OAuthAppChanged', { ...app, scopes })
    await seed(workspaceId)
    expect(await typesDelivered(workspaceId, body.id)).toEqual(['invoice.paid'])
    expect(await statusOf(workspaceId, body.id)).toEqual(enabled)
    await told('OAuthAppChanged', { ...app, scopes_removed: true, scopes: ['invoices:read'] })
    expect(await statusOf(workspaceId, body.id)).toEqual(revoked)
  })
})
