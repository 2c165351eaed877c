// Rotation of a signing secret over the real routes and tables: what is signed with what, until when, and what is told (settled-points.md 12).
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { verifyWebhook } from '@wds/webhook-signature/verify'
import { newId, seedEvents } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { buildAttemptRequest } from '../sending/attempt-request.ts'
import { createClaimStore } from '../sending/store.ts'
import { removeExpiredSecrets, secretColumn } from './store.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())
/** Moves the database's clock. */
const shift = (hours: number) =>
  routes.engine.admin.query(
    `create or replace function delivery.app_now() returns timestamptz language sql stable parallel safe as 'select clock_timestamp() + interval ''${hours} hours'''`,
  )
afterEach(() => shift(0))

async function subscribe() {
  const workspaceId = newId('wsp')
  const { body } = await routes.call(workspaceId, 'POST', '/v1/webhooks', {
    url: 'https://a.test/',
    events: ['sync.*'],
  })
  const path = `/v1/webhooks/${body.id}`
  const rotate = (json?: object, headers = {}) =>
    routes.call(workspaceId, 'POST', `${path}/rotate-secret`, json, headers)
  const read = async () => (await routes.call(workspaceId, 'GET', path)).body
  return { workspaceId, id: body.id, path, first: body.secret, rotate, read }
}

/** The request of the next attempt, as the sender makes it. */
async function nextRequest(workspaceId: string) {
  // The leases of the ones before are not ended.
  await routes.engine.admin.query('update delivery.lanes set cap = max_in_flight where workspace_id = $1', [
    workspaceId,
  ])
  await seedEvents(routes.engine, { workspaceId, count: 1 })
  const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  const store = createClaimStore({ pool: routes.engine.worker, disableGone: async () => undefined })
  const limits = { slots: 8, lanes: 8, leaseMs: -1, busy: [], share: 8, slowLanes: [], slowRoom: 8 }
  const claimed = (await store.claim({ claimId: randomUUID(), ...limits })).find(
    (row) => row.workspaceId === workspaceId,
  )
  if (claimed === undefined) throw new Error('nothing was claimed')
  const secrets = claimed.secrets.map(({ id, ciphertext }) =>
    routes.envelope.decrypt(ciphertext, { workspaceId, rowId: id, ...secretColumn }),
  )
  const nowMs = Date.now()
  const { outbound, signedAt } = buildAttemptRequest(claimed, { secrets, nowMs, deadlineMs: 1_000, userAgent: 'test' })
  const header = outbound.headers['x-service-signature'] ?? ''
  const isSignedWith = (secret: string) =>
    verifyWebhook({ secret, header, body: claimed.payload, nowSeconds: signedAt }).ok
  return { secrets, header, standard: outbound.headers['webhook-signature'] ?? '', isSignedWith }
}

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  test('XB04, F50, I9: within the overlap requests are signed with both secrets, newest first, in both headers; then with the new one', async () => {
    const { workspaceId, first, rotate, read } = await subscribe()
    const { status, body } = await rotate()
    expect([status, body.secret]).toEqual([200, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/)])
    expect(body.secret).not.toBe(first)
    const during = await nextRequest(workspaceId)
    expect(during.secrets).toEqual([body.secret, first])
    expect([during.header.split('v1=').length, during.standard.split(' ').length]).toEqual([3, 2])
    expect([during.isSignedWith(body.secret), during.isSignedWith(first)]).toEqual([true, true])
    const [newest, old] = (await read()).secrets as { hint: string; created: string; expires: string | null }[]
    expect([newest, old]).toEqual([
      { hint: body.secret.slice(-4), created: expect.any(String), expires: null },
      { hint: first.slice(-4), created: expect.any(String), expires: expect.any(String) },
    ])
    const overlapMs = Date.parse(old?.expires ?? '') - Date.parse(newest?.created ?? '')
    expect(Math.abs(overlapMs - 86_400_000)).toBeLessThan(60_000)
    await shift(25)
    const after = await nextRequest(workspaceId)
    expect([after.isSignedWith(body.secret), after.isSignedWith(first)]).toEqual([true, false])
    expect((await read()).secrets).toHaveLength(1)
    await shift(27)
    expect(await removeExpiredSecrets(routes.engine.worker)).toBeGreaterThan(0)
    expect((await nextRequest(workspaceId)).secrets).toEqual([body.secret])
  })

  test('XB05: the new secret is in this answer only, and told without it to the others', async () => {
    const { workspaceId, id, rotate, read } = await subscribe()
    const { body } = await rotate({ overlap_seconds: 3_600 })
    expect(JSON.stringify(await read())).not.toContain('whsec_')
    const { rows } = await routes.engine.worker.query<{ payload: Buffer }>(
      "select payload from outbox where workspace_id = $1 and headers->>'event_type' = 'webhook.secret_rotated'",
      [workspaceId],
    )
    expect(rows.map(({ payload }) => JSON.parse(String(payload)).data)).toEqual([
      { webhook_id: id, previous_expires: (body.secrets[1] as { expires: string }).expires },
    ])
    const { rows: stored } = await routes.engine.admin.query(
      'select (select json_agg(e) from delivery.stream_events e where workspace_id = $1)::text || (select json_agg(s) from delivery.subscription_secrets s where workspace_id = $1)::text as all',
      [workspaceId],
    )
    expect(stored[0].all).not.toContain(body.secret)
  })

  test('I9: with an overlap of 0 only the new one is live; a later rotation never lengthens an earlier overlap', async () => {
    const { workspaceId, first, rotate } = await subscribe()
    const second = (await rotate({ overlap_seconds: 60 })).body.secret
    const third = await rotate({ overlap_seconds: 604_800 })
    const [, , oldest] = third.body.secrets as { expires: string }[]
    expect(Date.parse(oldest?.expires ?? '') - Date.now()).toBeLessThan(61_000)
    const fourth = (await rotate({ overlap_seconds: 0 })).body.secret
    const request = await nextRequest(workspaceId)
    expect(request.secrets).toEqual([fourth])
    for (const secret of [first, second, third.body.secret]) expect(request.isSignedWith(secret)).toBe(false)
  })

  test('20 rotations within one overlap are signed with all; the 32nd live secret is the last, but an overlap of 0 always works', async () => {
    const { workspaceId, rotate } = await subscribe()
    for (let nth = 1; nth < 32; nth += 1) expect((await rotate({})).status).toBe(200)
    expect((await nextRequest(workspaceId)).secrets).toHaveLength(32)
    const refused = await rotate({})
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
    expect((await rotate({ overlap_seconds: 0 })).status).toBe(200)
    expect((await nextRequest(workspaceId)).secrets).toHaveLength(1)
  })

  test('an overlap out of range, a stale version, another workspace: refused, and nothing is stored', async () => {
    const { path, rotate, read } = await subscribe()
    const before = await read()
    for (const overlap_seconds of [-1, 604_801]) {
      const { status, body } = await rotate({ overlap_seconds })
      expect([overlap_seconds, status, body.code, body.errors[0]?.pointer]).toEqual([
        ...[overlap_seconds, 422, 'out_of_range', '/overlap_seconds'],
      ])
    }
    expect((await rotate({ overlap_seconds: 1.5 })).body.code).toBe('invalid_type')
    expect((await rotate({ overlap: 5 })).body.code).toBe('unknown_field')
    expect((await rotate({}, { 'if-match': '"v9"' })).status).toBe(412)
    expect((await routes.call(newId('wsp'), 'POST', `${path}/rotate-secret`)).status).toBe(404)
    expect(await read()).toEqual(before)
  })
})
