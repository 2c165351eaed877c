// Connected apps over HTTP, beside the token endpoint of the same service.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import type { App, Member } from '../oauth/oauth-people.fixture.ts'
import type { OAuthService } from '../oauth/oauth-service.fixture.ts'
import { type OAuthAndSettings, startOAuthAndSettings } from '../oauth-and-settings.fixture.ts'

let both: OAuthAndSettings
let oauth: OAuthService
let callAs: OAuthAndSettings['callAs']
beforeAll(async () => {
  both = await startOAuthAndSettings()
  ;({ oauth, callAs } = both)
})
afterAll(() => both?.stop())

const path = '/v1/connected-apps'

const refresh = async (app: App, token: string) =>
  (await oauth.post('/oauth/token', oauth.refreshing(app, token))).json.error ?? 'done'
const grantOf = ({ access_token }: { access_token: string }) => String(decodeJwt(access_token).grant_id)
const ends = async ({ workspaceId }: Member) =>
  (await oauth.announced(workspaceId)).filter(({ type }) => type === 'GrantRevoked').map(({ data }) => data.reason)

describe('a new password by a link', () => {
  const chosen = { new_password: 'a new password of mine', new_password_again: 'a new password of mine' }
  /** An admin with an app in two workspaces and a key, and the address of a link. */
  async function withLink() {
    const [app, owner] = [await oauth.makeApp(), await oauth.makeMember()]
    const person = await oauth.makeMember('admin', owner.workspaceId)
    const { refresh_token } = await oauth.tokens(app, person)
    const key = { name: 'importer', scopes: ['stats:read'], expires_in_days: null }
    const made = await (await callAs(person))('/v1/api-keys', { body: key })
    const member = `/v1/members/mbr_${person.userId.slice(4)}`
    const { json } = await (await callAs(owner))(`${member}/password-link`, { method: 'POST' })
    return { app, owner, person, refresh_token, keyId: made.json.id, at: new URL(json.link).pathname }
  }

  test('regression: names the apps and keys of the person, and where it is told so ends the apps, which the audit log tells', async () => {
    const { app, owner, person, refresh_token, keyId, at } = await withLink()
    const { text } = await both.visit(at)
    for (const said of ['too: <bdi>Sync</bdi>', 'An API key that you made stays valid']) expect(text).toContain(said)
    expect((await both.visit(at, { ...chosen, end_apps: 'yes' })).status).toBe(303)
    expect([await refresh(app, refresh_token), await ends(person)]).toEqual(['invalid_grant', ['ended_by_user']])
    const call = await callAs(owner)
    const { data } = (await call('/v1/workspace/audit?action=grant_revoked')).json
    expect(data).toMatchObject([{ actor: `user:${person.userId}`, address: expect.any(String) }])
    // The workspace's, whoever made it.
    expect((await call(`/v1/api-keys/${keyId}`)).json.status).toBe('live')
  })

  test('leaves the apps alone unless told, and says nothing of what there is not', async () => {
    const { app, refresh_token, at } = await withLink()
    expect((await both.visit(at, chosen)).status).toBe(303)
    expect(await refresh(app, refresh_token)).toBe('done')
    const nobody = await oauth.makeMember('admin')
    const { rows } = await oauth.admin.query('select email from auth.users where user_id = $1', [nobody.userId])
    const given = await fetch(`${both.operator.url}/internal/people/password-link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${both.operator.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: rows[0].email }),
    })
    const { link } = (await given.json()) as { link: string }
    expect((await both.visit(new URL(link).pathname)).text).not.toMatch(/end_apps|API key/)
  })
})

describe('a connected app', () => {
  test('is shown with who it belongs to, who allowed it and what; never with a token', async () => {
    const app = await oauth.makeApp()
    const person = await oauth.makeMember()
    const tokens = await oauth.tokens(app, person, { scopes: ['stats:read'] })
    const call = await callAs(person)
    const { json } = await call(path)
    expect(json.data).toEqual([
      {
        object: 'connected_app',
        id: grantOf(tokens),
        version: 1,
        scopes: ['stats:read'],
        created: expect.any(String),
        updated: expect.any(String),
        app: {
          client_id: app.clientId,
          name: 'Sync',
          owner_workspace: 'Acme Media',
          logo_path: expect.stringMatching(/^\/logos\/[0-9a-f]{64}\.png$/),
        },
        user: { id: person.userId, name: 'Ada' },
        last_used: expect.stringMatching(/:00\.000Z$/),
      },
    ])
    expect((await call(`${path}/${grantOf(tokens)}`)).json).toEqual(json.data[0])
  })

  test('tells the minute in which it last got a token', async () => {
    const [app, person] = [await oauth.makeApp(), await oauth.makeMember()]
    const { refresh_token } = await oauth.tokens(app, person)
    await oauth.moveClock(2 * 3_600_000)
    const at = Date.now() + 2 * 3_600_000
    expect(await refresh(app, refresh_token)).toBe('done')
    await oauth.moveClock(0)
    const [shown] = (await (await callAs(person))(path)).json.data
    expect(Math.abs(Date.parse(shown.last_used) - at)).toBeLessThan(120_000)
  })

  test('is ended by the person: the next refresh fails, and it is gone from the list', async () => {
    const [app, person] = [await oauth.makeApp(), await oauth.makeMember()]
    const tokens = await oauth.tokens(app, person)
    const call = await callAs(person)
    const one = `${path}/${grantOf(tokens)}`
    expect((await call(one, { method: 'DELETE', headers: { 'if-match': '"v9"' } })).status).toBe(412)
    expect((await call(one, { method: 'DELETE' })).status).toBe(204)
    expect(await refresh(app, tokens.refresh_token)).toBe('invalid_grant')
    expect((await call(path)).json.data).toEqual([])
    expect([(await call(one)).status, (await call(one, { method: 'DELETE' })).status]).toEqual([404, 404])
    expect(await ends(person)).toEqual(['ended_by_user'])
  })

  test('that is ended twenty times at once has one end', async () => {
    const [app, person] = [await oauth.makeApp(), await oauth.makeMember()]
    const tokens = await oauth.tokens(app, person)
    const call = await callAs(person)
    const one = `${path}/${grantOf(tokens)}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(one, { method: 'DELETE' })))
    expect(answers.filter(({ status }) => status === 204).length).toBe(1)
    expect(answers.filter(({ status }) => status === 404).length).toBe(19)
    expect(await ends(person)).toEqual(['ended_by_user'])
  })
})

describe('who sees what', () => {
  test('owners and admins see and end the grants of everybody, members and viewers their own', async () => {
    const app = await oauth.makeApp()
    const owner = await oauth.makeMember()
    const admin = await oauth.makeMember('admin', owner.workspaceId)
    const grants = [await oauth.tokens(app, owner), await oauth.tokens(app, admin)]
    const [first = '', second = ''] = grants.map(grantOf)
    for (const person of [owner, admin]) {
      const { data } = (await (await callAs(person))(path)).json
      expect(data.map(({ id }: { id: string }) => id)).toEqual([second, first])
    }
    await oauth.setRole(admin, 'viewer')
    const asViewer = await callAs(admin)
    expect((await asViewer(path)).json.data.map(({ id }: { id: string }) => id)).toEqual([second])
    expect((await asViewer(`${path}/${first}`)).status).toBe(404)
    expect((await asViewer(`${path}/${first}`, { method: 'DELETE' })).status).toBe(404)
    expect((await asViewer(`${path}/${second}`, { method: 'DELETE' })).status).toBe(204)
    expect((await (await callAs(owner))(path)).json.data.map(({ id }: { id: string }) => id)).toEqual([first])
  })

  test('an admin ends the grant of somebody else, and the event says so', async () => {
    const [app, owner] = [await oauth.makeApp(), await oauth.makeMember()]
    const admin = await oauth.makeMember('admin', owner.workspaceId)
    const tokens = await oauth.tokens(app, owner)
    expect((await (await callAs(admin))(`${path}/${grantOf(tokens)}`, { method: 'DELETE' })).status).toBe(204)
    expect(await refresh(app, tokens.refresh_token)).toBe('invalid_grant')
    expect(await ends(owner)).toEqual(['ended_by_admin'])
  })

  test('XO08: a grant of another workspace is 404', async () => {
    const [app, person, other] = [await oauth.makeApp(), await oauth.makeMember(), await oauth.makeMember()]
    const tokens = await oauth.tokens(app, person)
    const call = await callAs(other)
    const one = `${path}/${grantOf(tokens)}`
    expect([(await call(one)).status, (await call(one, { method: 'DELETE' })).status]).toEqual([404, 404])
    expect((await call(path)).json.data).toEqual([])
    expect(await refresh(app, tokens.refresh_token)).toBe('done')
  })
})

describe('all at once', () => {
  test('a viewer ends the own ones, an owner those of everybody, each with its reason, and nobody those of another workspace', async () => {
    const app = await oauth.makeApp()
    const [owner, stranger] = [await oauth.makeMember(), await oauth.makeMember()]
    const [admin, viewer] = [
      await oauth.makeMember('admin', owner.workspaceId),
      await oauth.makeMember('admin', owner.workspaceId),
    ]
    const [, , own, kept] = [
      ...(await Promise.all([owner, admin].map((person) => oauth.tokens(app, person)))),
      await oauth.tokens(app, viewer),
      await oauth.tokens(app, stranger),
    ]
    await oauth.setRole(viewer, 'viewer')
    const endAll = async (person: Member) => (await (await callAs(person))(`${path}/end-all`, { method: 'POST' })).json
    expect(await endAll(viewer)).toEqual({ object: 'ended_connected_apps', ended: 1 })
    expect(await refresh(app, own?.refresh_token ?? '')).toBe('invalid_grant')
    expect((await endAll(owner)).ended).toBe(2)
    expect((await endAll(owner)).ended).toBe(0)
    expect((await ends(owner)).sort()).toEqual(['ended_by_admin', 'ended_by_user', 'ended_by_user'])
    expect(await refresh(app, kept?.refresh_token ?? '')).toBe('done')
  })
})

test('what a member would lose is counted before, as it then comes about', async () => {
  const [narrow, wide] = [await oauth.makeApp({ scopes: ['webhooks:manage'] }), await oauth.makeApp()]
  const owner = await oauth.makeMember()
  const admin = await oauth.makeMember('admin', owner.workspaceId)
  for (const app of [narrow, wide]) await oauth.tokens(app, admin)
  const call = await callAs(owner)
  const asAdmin = await callAs(admin)
  const key = { name: 'K', scopes: ['stats:read'], expires_in_days: null }
  for (let nth = 0; nth < 2; nth += 1) expect((await asAdmin('/v1/api-keys', { body: key })).status).toBe(201)
  const one = `/v1/members/mbr_${admin.userId.slice(4)}`
  const losses = async (query: string) => (await call(`${one}/losses${query}`)).json
  const none = { object: 'member_losses', role: 'owner', scopes: [], grants_cut: 0, grants_ended: 0, api_keys: 2 }
  expect(await losses('?role=owner')).toEqual(none)
  const asMember = { ...none, role: 'member', scopes: ['webhooks:manage'], grants_cut: 1, grants_ended: 1 }
  expect(await losses('?role=member')).toEqual(asMember)
  const removed = await losses('')
  expect(removed).toMatchObject({ role: null, grants_cut: 0, grants_ended: 2, api_keys: 2 })
  expect(removed.scopes).toHaveLength(8)
  expect((await (await callAs(await oauth.makeMember()))(`${one}/losses`)).status).toBe(404)

  expect((await call(one, { method: 'PATCH', body: { role: 'member' } })).status).toBe(200)
  expect(await ends(owner)).toEqual(['role_lost'])
  expect((await (await callAs(admin))(`${one}/losses`)).status).toBe(403)
  expect(await losses('')).toMatchObject({ grants_ended: 1, api_keys: 2 })
})

test('regression: a deleted workspace takes its apps and their grants in every workspace with it', async () => {
  const owner = await oauth.makeMember()
  const app = await oauth.makeApp({ workspaceId: owner.workspaceId })
  const person = await oauth.makeMember()
  for (const member of [person, owner]) await oauth.tokens(app, member)
  expect((await (await callAs(owner))('/v1/workspace', { method: 'DELETE' })).status).toBe(204)
  expect([await ends(person), await ends(owner)]).toEqual([['app_deleted'], ['workspace_deleted']])
  expect((await (await callAs(person))(path)).json.data).toEqual([])
  const { rows } = await oauth.admin.query('select from auth.oauth_clients where client_id = $1', [app.clientId])
  expect(rows).toEqual([])
})

test('a deleted app ends its grants in every workspace', async () => {
  const owner = await oauth.makeMember()
  const app = await oauth.makeApp({ workspaceId: owner.workspaceId })
  const people = [await oauth.makeMember(), await oauth.makeMember()]
  for (const person of people) await oauth.tokens(app, person)
  const deleted = await (await callAs(owner))(`/v1/oauth-apps/${app.appId}`, { method: 'DELETE' })
  expect(deleted.status).toBe(204)
  for (const person of people) {
    expect(await ends(person)).toEqual(['app_deleted'])
    expect((await (await callAs(person))(path)).json.data).toEqual([])
  }
})
