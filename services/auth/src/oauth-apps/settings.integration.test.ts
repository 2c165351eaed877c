// The settings API of apps over HTTP, as the pages of an owner use it, and the operator's commands.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { digestOf } from '@wds/access/digest'
import { makeId } from '@wds/contracts/ids'
import type { Plan, Role } from '@wds/contracts/roles'
import sharp from 'sharp'
import { type AuthService, type Browser, type Call, startAuth } from '../auth-service.fixture.ts'
import { findClient } from './store.ts'
import { recordOAuthError } from './store-errors.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const callFrom =
  (browser: Browser) =>
  (at: string, o: Call = {}) =>
    o.method === undefined && o.body === undefined ? browser.call(at, o) : browser.write(at, o)

/** A workspace, and how its owner calls. */
async function signedIn(plan: Plan = 'business') {
  const { workspaceId, browser } = await auth.ownedWorkspace({ plan })
  const setPlan = (wanted: Plan) =>
    auth.admin.query(`update auth.workspaces set state = state || jsonb_build_object('plan', $2::text) where id = $1`, [
      workspaceId,
      wanted,
    ])
  return { workspaceId, call: callFrom(browser), setPlan }
}

const picture = (colour = '#3366cc') =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: colour } })
    .png()
    .toBuffer()

const newApp = { name: 'Acme Sync', redirect_urls: ['https://acme.example/cb'], scopes: ['stats:read'] }
async function form(app: object = newApp, o: { logo?: Buffer; workspaceId?: string } = {}): Promise<FormData> {
  const parts = new FormData()
  if (o.workspaceId) parts.set('workspace_id', JSON.stringify(o.workspaceId))
  parts.set('app', JSON.stringify(app))
  parts.set('logo', new Blob([new Uint8Array(o.logo ?? (await picture()))]), 'logo.png')
  return parts
}
async function logoForm(bytes: Buffer): Promise<FormData> {
  const parts = new FormData()
  parts.set('logo', new Blob([new Uint8Array(bytes)]), 'logo.png')
  return parts
}
const path = '/v1/oauth-apps'
const faultsOf = (json: { errors: { pointer: string; code: string }[] }) =>
  json.errors.map(({ pointer, code }) => [pointer, code]).sort()

describe('registration', () => {
  test('gives the app, its client id and once its secret; the OAuth server finds the client at once', async () => {
    const { call } = await signedIn()
    const { status, json, headers } = await call(path, { body: await form() })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      object: 'oauth_app',
      ...newApp,
      state: 'live',
      version: 2,
      client_id: expect.stringMatching(/^cli_/),
      logo_path: expect.stringMatching(/^\/logos\/[0-9a-f]{64}\.png$/),
      secrets: [{ id: expect.stringMatching(/^sec_/), ends: null, last_used: null }],
    })
    expect([headers.get('location'), headers.get('cache-control')]).toEqual([`${path}/${json.id}`, 'no-store'])
    const client = await findClient(auth.pool, json.client_id)
    expect(client?.secrets.map(({ digest }) => digest)).toEqual([digestOf(json.client_secret)])
    const read = await call(`${path}/${json.id}`)
    const { client_secret: secret, ...shown } = json
    expect(read.json).toEqual(shown)
    expect((await call(path)).json.data).toEqual([shown])
    expect(auth.log.join('')).not.toContain(secret)
  })

  test('S14, S44: tells each fault with its pointer, those of the logo beside them', async () => {
    const { call } = await signedIn()
    const app = { ...newApp, name: 'WDS ✓', redirect_urls: ['https://ok.example/cb', 'http://acme.example/cb'] }
    const { status, json } = await call(path, { body: await form(app, { logo: Buffer.from('<svg/>') }) })
    expect([status, json.code]).toEqual([422, 'validation_failed'])
    expect(faultsOf(json)).toEqual([
      ['/app/name', 'invalid_value'],
      ['/app/redirect_urls/1', 'url_not_allowed'],
      ['/logo', 'invalid_value'],
    ])
    expect((await call(path)).json.data).toEqual([])
  })

  test.each([
    ['a name of 2 characters', { name: 'ab' }, '/app/name'],
    ['a name of 51 characters', { name: 'x'.repeat(51) }, '/app/name'],
    ['no redirect URL', { redirect_urls: [] }, '/app/redirect_urls'],
    [
      '11 redirect URLs',
      { redirect_urls: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) },
      '/app/redirect_urls',
    ],
    ['a redirect URL twice', { redirect_urls: ['https://a.example/', 'https://a.example/'] }, '/app/redirect_urls'],
    ['no scopes', { scopes: [] }, '/app/scopes'],
    ['an unknown scope', { scopes: ['stats:write'] }, '/app/scopes/0'],
    ['a scope of OpenID', { scopes: ['openid'] }, '/app/scopes/0'],
    ['an unknown state', { state: 'suspended' }, '/app/state'],
    ['an unknown field', { client_id: 'cli_1' }, '/app/client_id'],
    ['http on the loopback while live', { redirect_urls: ['http://localhost:3000/'] }, '/app/redirect_urls/0'],
  ])('%s is 422 with a pointer', async (_what, change, pointer) => {
    const { call } = await signedIn()
    const { status, json } = await call(path, { body: await form({ ...newApp, ...change }) })
    expect([status, json.errors?.map((fault: { pointer: string }) => fault.pointer)]).toEqual([422, [pointer]])
  })

  test('needs its logo', async () => {
    const { call } = await signedIn()
    const parts = await form()
    parts.delete('logo')
    const { status, json } = await call(path, { body: parts })
    expect([status, faultsOf(json)]).toEqual([422, [['/logo', 'required']]])
    const tooLarge = await call(path, { body: await form(newApp, { logo: randomBytes(1_200_000) }) })
    expect([tooLarge.status, tooLarge.json.code]).toEqual([413, 'payload_too_large'])
  })

  test('in development takes http on the loopback, and is published without it', async () => {
    const { call } = await signedIn()
    const loopback = { ...newApp, state: 'development', redirect_urls: ['http://localhost:3000/cb'] }
    const { json } = await call(path, { body: await form(loopback) })
    expect(json.state).toBe('development')
    const one = `${path}/${json.id}`
    const refused = await call(`${one}/publish`, { method: 'POST' })
    expect([refused.status, faultsOf(refused.json)]).toEqual([422, [['/redirect_urls/0', 'url_not_allowed']]])
    await call(one, { method: 'PATCH', body: { redirect_urls: newApp.redirect_urls } })
    expect((await call(`${one}/publish`, { method: 'POST' })).json.state).toBe('live')
    const again = await call(`${one}/publish`, { method: 'POST' })
    expect([again.status, again.json.code]).toEqual([409, 'invalid_state'])
  })

  test('of a 26th app is 409 limit_reached, however many are sent at once', async () => {
    const { call } = await signedIn()
    const logo = await picture()
    const answers = await Promise.all(
      Array.from({ length: 27 }, async (_, at) =>
        call(path, { body: await form({ ...newApp, name: `App ${at}` }, { logo }) }),
      ),
    )
    const codes = answers.map(({ status, json }) => (status === 201 ? 201 : json.code)).sort()
    expect(codes).toEqual([...Array(25).fill(201), 'limit_reached', 'limit_reached'])
    const [made] = answers.filter(({ status }) => status === 201)
    expect((await call(`${path}/${made?.json.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await call(path, { body: await form() })).status).toBe(201)
  })

  test('repeated with the same Idempotency-Key is the same app, and the secret is stored encrypted', async () => {
    const { call } = await signedIn()
    const headers = { 'idempotency-key': 'one' }
    const [first, again] = [
      await call(path, { body: await form(), headers }),
      await call(path, { body: await form(), headers }),
    ]
    expect(again.json).toEqual(first.json)
    expect((await call(path)).json.data.length).toBe(1)
    const { rows } = await auth.admin.query('select i::text as text from auth.idempotency_keys i')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(first.json.client_secret)
  })
})

describe('who may', () => {
  test('S45: below business nothing is registered, edited or published, and no secret is added; leaving stays possible', async () => {
    const { call, setPlan } = await signedIn()
    const { json } = await call(path, { body: await form({ ...newApp, state: 'development' }) })
    const one = `${path}/${json.id}`
    const second = await call(`${one}/secrets`, { body: {} })
    await setPlan('pro')
    const refused = [
      await call(path, { body: await form() }),
      await call(one, { method: 'PATCH', body: { name: 'Other' } }),
      await call(`${one}/publish`, { method: 'POST' }),
      await call(`${one}/secrets`, { body: {} }),
      await call(`${one}/logo`, { body: await logoForm(await picture('#ffffff')) }),
    ]
    expect(refused.map(({ status, json: { code } }) => [status, code])).toEqual(
      refused.map(() => [403, 'plan_required']),
    )
    for (const { json } of refused) {
      expect(json.detail).toBe('Apps need the plan business or enterprise; this workspace has the plan pro.')
    }
    expect((await call(one)).json).toMatchObject({ name: 'Acme Sync', version: second.json.version })
    const [secret] = second.json.secrets
    expect((await call(`${one}/secrets/${secret.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await call(one, { method: 'DELETE' })).status).toBe(204)
  })

  test.each<Role>(['member', 'viewer'])('a %s sees no apps and makes none', async (role) => {
    const { workspaceId } = await auth.ownedWorkspace()
    const { userId } = await auth.makePerson()
    await auth.join(workspaceId, userId, role)
    const call = callFrom(await auth.signedIn(userId, workspaceId))
    for (const o of [{}, { body: await form() }]) {
      const { status, json } = await call(path, o)
      expect([status, json.code]).toEqual([403, 'role_not_allowed'])
    }
  })

  test('XO08: an app of another workspace is 404 on every route', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: await form() })
    const other = await signedIn()
    const one = `${path}/${json.id}`
    const answers = [
      await other.call(one),
      await other.call(one, { method: 'PATCH', body: { name: 'Mine now' } }),
      await other.call(one, { method: 'DELETE' }),
      await other.call(`${one}/publish`, { method: 'POST' }),
      await other.call(`${one}/secrets`, { body: {} }),
      await other.call(`${one}/secrets/${json.secrets[0].id}`, { method: 'DELETE' }),
      await other.call(`${one}/logo`, { body: await logoForm(await picture()) }),
      await other.call(`${one}/errors`),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await call(one)).json).toMatchObject({ name: 'Acme Sync', version: json.version })
  })
})

describe('T33: client secrets', () => {
  test('two are live for the overlap, shown with their ends; a third is refused', async () => {
    const { call } = await signedIn()
    const { json: app } = await call(path, { body: await form() })
    const one = `${path}/${app.id}`
    const { status, json, headers } = await call(`${one}/secrets`, { body: { overlap_hours: 1 } })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    const [first, second] = json.secrets
    expect([first.id, second.ends]).toEqual([app.secrets[0].id, null])
    expect(Math.abs(Date.parse(first.ends) - Date.now() - 3_600_000)).toBeLessThan(30_000)
    const accepted = async () =>
      (await findClient(auth.pool, app.client_id))?.secrets.map(({ digest }) => digest.toString('hex')).sort()
    const digests = [app, json].map(({ client_secret }) => digestOf(client_secret).toString('hex'))
    expect(await accepted()).toEqual([...digests].sort())
    const third = await call(`${one}/secrets`, { body: {} })
    expect([third.status, third.json.code, third.json.detail]).toEqual([
      ...[409, 'limit_reached', expect.stringMatching(/has 2 secrets .* End one of them/)],
    ])
    expect((await call(`${one}/secrets/${first.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await accepted()).toEqual(digests.slice(1))
    expect((await call(`${one}/secrets/${first.id}`, { method: 'DELETE' })).status).toBe(404)
  })

  test('without an overlap the old one is over at once; no other overlap than 0, 1, 24 and 72 h is taken', async () => {
    const { call } = await signedIn()
    const { json: app } = await call(path, { body: await form() })
    const { json } = await call(`${path}/${app.id}/secrets`, { body: { overlap_hours: 0 } })
    expect(json.secrets.map(({ ends }: { ends: string | null }) => ends)).toEqual([null])
    const { status } = await call(`${path}/${app.id}/secrets`, { body: { overlap_hours: 2 } })
    expect(status).toBe(422)
    const { json: day } = await call(`${path}/${app.id}/secrets`, { method: 'POST' })
    expect(Math.abs(Date.parse(day.secrets[0].ends) - Date.now() - 86_400_000)).toBeLessThan(30_000)
  })
})

describe('S25: the logo', () => {
  test('is served by its digest to everybody, as a picture and nothing else', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: await form() })
    const answer = await fetch(auth.url + json.logo_path)
    const { headers } = answer
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="logo.png"',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(headers.get('set-cookie')).toBeNull()
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 })
  })

  test('is replaced, and the one before is gone', async () => {
    const { call } = await signedIn()
    const logo = await picture(`#${randomBytes(3).toString('hex')}`)
    const { json } = await call(path, { body: await form(newApp, { logo }) })
    const changed = await call(`${path}/${json.id}/logo`, {
      body: await logoForm(await picture(`#${randomBytes(3).toString('hex')}`)),
    })
    expect(changed.status).toBe(200)
    expect(changed.json.logo_path).not.toBe(json.logo_path)
    const statuses = [json.logo_path, changed.json.logo_path].map(async (logo) => (await fetch(auth.url + logo)).status)
    expect(await Promise.all(statuses)).toEqual([404, 200])
  })

  test.each([`${'0'.repeat(64)}.png`, 'x.png', `${'0'.repeat(64)}.svg`, `${'A'.repeat(64)}.png`, '..%2fetc'])(
    'of /logos/%s is 404',
    async (name) => {
      expect((await fetch(`${auth.url}/logos/${name}`)).status).toBe(404)
    },
  )
})

test('If-Match of an older version is 412, and a change of nothing makes no new one', async () => {
  const { call } = await signedIn()
  const { json } = await call(path, { body: await form() })
  const one = `${path}/${json.id}`
  const patch = (name: string, match: string) =>
    call(one, { method: 'PATCH', body: { name }, headers: { 'if-match': match } })
  expect((await patch('Acme Sync', '"v2"')).json.version).toBe(2)
  expect((await patch('Other', '"v2"')).json).toMatchObject({ name: 'Other', version: 3 })
  expect((await patch('Third', '"v2"')).status).toBe(412)
  const { status, json: problem } = await call(one, { method: 'PATCH', body: { name: 'А mixed' } })
  expect([status, faultsOf(problem)]).toEqual([422, [['/name', 'invalid_value']]])
})

test('the errors of an app tell the true reason, the newest first', async () => {
  const { call } = await signedIn()
  const { json } = await call(path, { body: await form() })
  const error = { clientId: json.client_id, endpoint: 'token', error: 'invalid_grant' } as const
  await recordOAuthError(auth.pool, { ...error, requestId: 'req_1', reason: 'the code was used before' })
  await recordOAuthError(auth.pool, { ...error, requestId: 'req_2', reason: 'the code has expired' })
  const errors = await call(`${path}/${json.id}/errors`)
  expect(errors.json.data).toMatchObject([
    { endpoint: 'token', error: 'invalid_grant', reason: 'the code has expired', request_id: 'req_2' },
    { reason: 'the code was used before' },
  ])
})

describe('the operator', () => {
  test('registers an app whatever the plan, and none for nobody', async () => {
    const { workspaceId, call } = await signedIn('free')
    const { status, json } = await auth.operate('/internal/oauth-apps', { body: await form(newApp, { workspaceId }) })
    expect([status, json.client_secret]).toEqual([201, expect.stringMatching(/^wds_/)])
    expect((await call(path)).json.data).toMatchObject([{ client_id: json.client_id }])
    const nobody = await form(newApp, { workspaceId: makeId('wsp', 0, randomBytes(10)) })
    expect((await auth.operate('/internal/oauth-apps', { body: nobody })).status).toBe(404)
  })

  test('S41: suspends an app at once and reinstates it', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: await form() })
    const order = (what: string) => auth.operate(`/internal/oauth-apps/${json.id}/${what}`, { method: 'POST' })
    const state = async () => [
      (await findClient(auth.pool, json.client_id))?.state,
      (await call(`${path}/${json.id}`)).json.state,
    ]
    expect((await order('suspend')).status).toBe(204)
    expect((await order('suspend')).status).toBe(204)
    expect(await state()).toEqual(['suspended', 'suspended'])
    await order('reinstate')
    expect(await state()).toEqual(['live', 'live'])
    expect((await auth.operate('/internal/oauth-apps/app_1/suspend', { method: 'POST' })).status).toBe(404)
  })
})
