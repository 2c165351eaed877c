// Bulk replays through the public door, opened by the worker's own turn over the real Postgres.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId, seedEvents } from '../engine.fixture.ts'
import { period, type ReplaysUnderTest, startReplays } from './replays.fixture.ts'

let replays: ReplaysUnderTest
beforeAll(async () => {
  replays = await startReplays()
})
afterAll(() => replays?.stop())

/** What a list of deliveries shows, besides what tests of other routes read. */
type Listed = { id: string; event_id: string; status: string }[]

describe('a replay of a period', () => {
  test('a dry run counts what would be opened, and nothing is stored', async () => {
    const { call, publish, withDead } = replays.newWorkspace()
    const id = await withDead(3, { events: ['invoice.*', 'sync.completed'], type: 'invoice.paid' })
    await call('POST', `/v1/webhooks/${id}/disable`)
    const [missing = ''] = await publish({ type: 'sync.completed' })
    await publish({ type: 'campaign.created' })
    await call('POST', `/v1/webhooks/${id}/enable`)
    const counted = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), dry_run: true })
    expect([counted.status, counted.body]).toEqual([
      200,
      {
        matched: 4,
        by_status: { dead: 3, missing: 1 },
        by_type: { 'invoice.paid': 3, 'sync.completed': 1 },
        by_webhook: { [id]: 4 },
        left_out: {},
        complete: true,
        oldest: expect.any(String),
        newest: expect.any(String),
      },
    ])
    const only = { ...period(), status: ['missing'], types: ['sync.*'], dry_run: true }
    expect((await call('POST', `/v1/webhooks/${id}/replays`, only)).body).toMatchObject({
      matched: 1,
      by_type: { 'sync.completed': 1 },
    })
    expect((await call('GET', '/v1/replays')).body.data).toEqual([])
    expect((await call('GET', `/v1/webhooks/${id}/deliveries?event_id=${missing}`)).body.data).toEqual([])
  })

  test('missing: what matched while it was disabled, before it asked for the type, and before it existed is delivered once', async () => {
    const { call, publish, subscribe, untilEnded } = replays.newWorkspace()
    const before = await publish({ type: 'invoice.paid' })
    const id = await subscribe(['sync.completed'])
    const notAsked = await publish({ type: 'invoice.issued' })
    const sent = await publish()
    await call('POST', `/v1/webhooks/${id}/disable`)
    const disabled = await publish()
    await publish({ type: 'campaign.created' })
    await call('POST', `/v1/webhooks/${id}/enable`)
    await call('PATCH', `/v1/webhooks/${id}`, { events: ['sync.completed', 'invoice.*'] })

    const asked = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), status: ['missing'] })
    expect([asked.status, asked.body]).toMatchObject([202, { status: 'queued', matched: 3, opened: 0, webhook_id: id }])
    expect(await untilEnded(asked.body.id)).toMatchObject({ status: 'completed', matched: 3, opened: 3, skipped: 0 })
    const list = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data as unknown as Listed
    const all = [...before, ...notAsked, ...disabled, ...sent]
    expect(list.map((row) => row.event_id).sort()).toEqual(all.sort())
    const made = list.find((row) => row.event_id === before[0])
    expect((await call('GET', `/v1/deliveries/${made?.id}`)).body).toMatchObject({
      status: 'pending',
      epoch: 1,
      epochs: [{ epoch: 1, requested_by: `api_key:key_${'0'.repeat(26)}` }],
    })
    const again = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), status: ['missing'] })
    expect([again.status, again.body.code]).toEqual([422, 'nothing_matched'])
    expect(await replays.differences()).toEqual([])
  })

  test('missing: what the payload filter refuses is not delivered', async () => {
    const { id: workspaceId, call, publish, subscribe } = replays.newWorkspace()
    const id = await subscribe(['invoice.paid'])
    const number = (value: number) => (eventId: string) => JSON.stringify({ id: eventId, data: { number: value } })
    for (const value of [1, 2, 3])
      await seedEvents(replays.engine, { workspaceId, count: 1, type: 'sync.completed', payloadOf: number(value) })
    await publish({ type: 'campaign.created' })
    const filter = { all: [{ pointer: '/data/number', op: 'gt', value: 1 }] }
    expect((await call('PATCH', `/v1/webhooks/${id}`, { events: ['sync.*'], filter })).status).toBe(200)
    const counted = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), dry_run: true })
    expect(counted.body).toMatchObject({ matched: 2, by_status: { missing: 2 } })
  })

  test('an event that still waits for its fan-out is not missing', async () => {
    const { id: workspaceId, call, subscribe } = replays.newWorkspace()
    const id = await subscribe()
    await seedEvents(replays.engine, { workspaceId, count: 1 })
    const asked = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), status: ['missing'] })
    expect(asked.body.code).toBe('nothing_matched')
  })

  test('a `webhook.*` event never goes to the subscription that it speaks of', async () => {
    const { id: workspaceId, call, publish, subscribe, untilEnded } = replays.newWorkspace()
    const id = await subscribe(['invoice.paid'])
    const about = (webhook_id: string) => (eventId: string) => JSON.stringify({ id: eventId, data: { webhook_id } })
    const event = { workspaceId, count: 1, type: 'webhook.enabled' }
    await seedEvents(replays.engine, { ...event, payloadOf: about(id) })
    const [other] = await seedEvents(replays.engine, { ...event, payloadOf: about(newId('whk')) })
    await publish({ type: 'campaign.created' })
    await call('PATCH', `/v1/webhooks/${id}`, { events: ['webhook.*'] })
    const asked = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), status: ['missing'] })
    expect(asked.body.matched).toBe(1)
    await untilEnded(asked.body.id)
    const { data } = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body
    expect(data).toMatchObject([{ event_id: other, event_type: 'webhook.enabled' }])
  })

  test('by state: retry and delivered only where they are asked for, in pages of the history', async () => {
    const { call, publish, subscribe, attempt, untilEnded } = replays.newWorkspace()
    const id = await subscribe()
    await publish({ count: 3 })
    let n = 0
    const retry = { kind: 'attempt_failed', status: 500, errorCode: 'http_status', delayMs: 3_600_000 } as const
    await attempt(() => (n++ === 0 ? retry : {}))
    const path = `/v1/webhooks/${id}/replays`
    expect((await call('POST', path, period())).body.code).toBe('nothing_matched')
    const status = ['retry', 'delivered']
    const counted = (await call('POST', path, { ...period(), status, dry_run: true })).body
    expect(counted).toMatchObject({ matched: 3, by_status: { retry: 1, delivered: 2 } })
    // A rate of 2 takes a row at a time, each a page of its own.
    const asked = await call('POST', path, { ...period(), status, rate: 2 })
    expect(await untilEnded(asked.body.id)).toMatchObject({ status: 'completed', opened: 3, skipped: 0, rate: 2 })
    const { data } = (await call('GET', `/v1/webhooks/${id}/deliveries?status=replay`)).body
    expect(data).toMatchObject([{ epoch: 2 }, { epoch: 2 }, { epoch: 2 }])
    expect(await replays.differences()).toEqual([])
  })

  test('progress: what was opened is counted once it has ended, also after the replay was completed', async () => {
    const { id: workspaceId, call, withDead, attempt, untilEnded } = replays.newWorkspace()
    const id = await withDead(5)
    const asked = await call('POST', `/v1/webhooks/${id}/replays`, period())
    const ended = await untilEnded(asked.body.id)
    expect(ended).toMatchObject({ status: 'completed', matched: 5, opened: 5, skipped: 0, delivered: 0, dead: 0 })
    expect([ended.started, ended.finished]).not.toContain(null)
    const failed = { kind: 'attempt_failed', status: 500, errorCode: 'http_status' } as const
    let n = 0
    const ends = [{}, {}, {}, failed, { ...failed, delayMs: 3_600_000 }]
    expect(await attempt(() => ends[n++] ?? {})).toHaveLength(5)
    const progress = async () => {
      await replays.countOutcomes()
      return (await call('GET', `/v1/replays/${asked.body.id}`)).body
    }
    expect(await progress()).toMatchObject({ delivered: 3, dead: 1 })
    expect(await progress()).toMatchObject({ delivered: 3, dead: 1 })
    // The one that waits is retried by hand before it ends: what becomes of it is the outcome of another epoch.
    const waiting = (await call('GET', `/v1/webhooks/${id}/deliveries?status=retry`)).body.data[0]?.id
    expect((await call('POST', `/v1/deliveries/${waiting}/retry`)).status).toBe(202)
    await attempt()
    expect(await progress()).toMatchObject({ delivered: 3, dead: 1 })
    const kept = await replays.engine.admin.query('select 1 from delivery.replay_epochs where workspace_id = $1', [
      workspaceId,
    ])
    expect(kept.rows).toEqual([])
    expect(await replays.differences()).toEqual([])
  })

  test('regression: an epoch that was delivered and replayed again before it was counted was delivered', async () => {
    const { call, withDead, attempt, untilEnded } = replays.newWorkspace()
    const id = await withDead(1)
    const asked = await call('POST', `/v1/webhooks/${id}/replays`, period())
    await untilEnded(asked.body.id)
    await attempt()
    const [delivery] = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data
    expect((await call('POST', `/v1/deliveries/${delivery?.id}/retry`)).status).toBe(202)
    await replays.countOutcomes()
    expect((await call('GET', `/v1/replays/${asked.body.id}`)).body).toMatchObject({ delivered: 1, dead: 0 })
  })
})

describe('pause, resume, cancel', () => {
  test('a paused replay opens nothing and goes on behind what it opened; a canceled one ends; what is open goes on', async () => {
    const { call, withDead, untilEnded, attempt } = replays.newWorkspace()
    const id = await withDead(6)
    const asked = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), rate: 4 })
    const path = `/v1/replays/${asked.body.id}`
    await replays.turn()
    const paused = await call('POST', `${path}/pause`)
    expect([paused.status, paused.body]).toMatchObject([200, { status: 'paused', opened: 2 }])
    expect(await replays.turn()).toBe(false)
    expect((await call('POST', `${path}/pause`)).body).toMatchObject({
      code: 'invalid_state',
      current_status: 'paused',
      allowed: ['resume', 'cancel'],
    })
    expect(await attempt()).toHaveLength(2)
    await replays.countOutcomes()
    expect((await call('POST', `${path}/resume`)).body).toMatchObject({ status: 'running', opened: 2, delivered: 2 })
    await replays.turn()
    expect((await call('POST', `${path}/cancel`)).body).toMatchObject({ status: 'canceled', opened: 4 })
    expect(await replays.turn()).toBe(false)
    expect(await attempt()).toHaveLength(2)
    await replays.countOutcomes()
    expect((await call('GET', path)).body).toMatchObject({ status: 'canceled', opened: 4, delivered: 4 })
    // What it left is still there for the next one.
    const next = await call('POST', `/v1/webhooks/${id}/replays`, period())
    expect(await untilEnded(next.body.id)).toMatchObject({ matched: 2, opened: 2 })
    const { data } = (await call('GET', `/v1/replays?status=canceled,completed&webhook_id=${id}`)).body
    expect(data.map((row) => row.id)).toEqual([next.body.id, asked.body.id])
  })

  test('one whose subscription is disabled meanwhile fails with the reason and opens nothing', async () => {
    const { call, withDead, untilEnded } = replays.newWorkspace()
    const id = await withDead(2)
    const asked = await call('POST', `/v1/webhooks/${id}/replays`, period())
    await call('POST', `/v1/webhooks/${id}/disable`)
    expect(await untilEnded(asked.body.id)).toMatchObject({
      status: 'failed',
      failed_reason: 'subscription_disabled',
      opened: 0,
    })
    await call('POST', `/v1/webhooks/${id}/enable`)
    const next = await call('POST', `/v1/webhooks/${id}/replays`, period())
    await call('DELETE', `/v1/webhooks/${id}`)
    expect(await untilEnded(next.body.id)).toMatchObject({ status: 'failed', failed_reason: 'subscription_deleted' })
  })
})

describe('several subscriptions', () => {
  test('all dead letters, or those of a filter; what cannot be replayed is left out and told', async () => {
    const { call, publish, withDead, subscribe, untilEnded } = replays.newWorkspace()
    const paid = await withDead(2, { events: ['invoice.paid'], type: 'invoice.paid' })
    const synced = await withDead(3, { events: ['sync.completed'], type: 'sync.completed' })
    const off = await subscribe(['campaign.created'])
    await publish({ type: 'campaign.created' })
    await call('POST', `/v1/webhooks/${off}/disable`)
    await call('POST', `/v1/webhooks/${off}/enable`)
    await call('POST', `/v1/webhooks/${off}/disable`)
    const counted = (await call('POST', '/v1/replays', { dry_run: true })).body
    expect(counted).toMatchObject({
      matched: 5,
      by_webhook: { [paid]: 2, [synced]: 3 },
      left_out: { subscription_disabled: 1 },
    })
    const filters = [{ type: 'sync.completed' }, { webhook_id: synced }, { ...period(), webhook_id: synced }]
    for (const filter of filters)
      expect((await call('POST', '/v1/replays', { ...filter, dry_run: true })).body.matched).toBe(3)
    const matchedBy = async (filter: object) =>
      (await call('POST', '/v1/replays', { ...filter, dry_run: true })).body.matched
    expect(await matchedBy({ reason: 'attempts_exhausted' })).toBe(0)
    expect([await matchedBy({ error_code: 'none' }), await matchedBy({ error_code: 'timeout' })]).toEqual([5, 0])
    expect(await matchedBy({ status_class: '5xx' })).toBe(0)
    const asked = await call('POST', '/v1/replays', {})
    expect(asked.body).toMatchObject({ webhook_id: null, matched: 5, filter: { since: expect.any(String) } })
    expect(await untilEnded(asked.body.id)).toMatchObject({ status: 'completed', opened: 5, skipped: 0 })
    expect((await call('GET', '/v1/dead-letters')).body.data).toHaveLength(1)
    expect(await replays.differences()).toEqual([])
  })

  test('a selection of deliveries of several subscriptions', async () => {
    const { call, withDead, untilEnded } = replays.newWorkspace()
    await withDead(2, { events: ['invoice.paid'], type: 'invoice.paid' })
    await withDead(2, { events: ['sync.completed'] })
    const delivery_ids = (await call('GET', '/v1/dead-letters')).body.data.map((row) => row.id).slice(0, 3)
    const asked = await call('POST', '/v1/replays', { delivery_ids })
    expect(asked.body).toMatchObject({ matched: 3, filter: { delivery_ids: delivery_ids.toSorted() } })
    expect(await untilEnded(asked.body.id)).toMatchObject({ status: 'completed', opened: 3 })
    expect((await call('GET', '/v1/dead-letters')).body.data).toHaveLength(1)
  })
})

describe('beside live traffic and other workspaces', () => {
  test('live deliveries of the same subscription are claimed before replayed ones, which were due earlier', async () => {
    const { call, publish, withDead, attempt, untilEnded } = replays.newWorkspace()
    const id = await withDead(100)
    await untilEnded((await call('POST', `/v1/webhooks/${id}/replays`, period())).body.id)
    const live = await publish({ count: 5 })
    const first = await attempt()
    expect(first).toHaveLength(8)
    expect(first.map((row) => row.eventId)).toEqual(expect.arrayContaining(live))
  })

  test('a workspace with large replays gets one batch a round, and another one with a small replay is done in the first', async () => {
    const large = replays.newWorkspace()
    const hooks = [
      await large.withDead(400, { events: ['invoice.paid'], type: 'invoice.paid' }),
      await large.withDead(400),
    ]
    const asked = []
    for (const id of hooks)
      asked.push(await large.call('POST', `/v1/webhooks/${id}/replays`, { ...period(), rate: 1_000 }))
    const small = replays.newWorkspace()
    const id = await small.withDead(3)
    const mine = await small.call('POST', `/v1/webhooks/${id}/replays`, { ...period(), status: ['dead'] })
    await replays.turn()
    expect((await small.call('GET', `/v1/replays/${mine.body.id}`)).body).toMatchObject({
      status: 'completed',
      opened: 3,
    })
    const opened = await Promise.all(
      asked.map(async ({ body }) => (await large.call('GET', `/v1/replays/${body.id}`)).body.opened),
    )
    expect(opened.toSorted((a, b) => a - b)).toEqual([0, 250])
    for (const { body } of asked) await large.untilEnded(body.id)
  })
})
