// What a grant hangs on, and what becomes of its tokens when that goes: through the token endpoint.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { GrantEnd } from '@wds/contracts/auth-events'
import { withTransaction } from '@wds/postgres/transaction'
import { decodeJwt } from 'jose'
import { contextOf } from '../../auth-database.fixture.ts'
import type { App } from '../oauth-people.fixture.ts'
import { type OAuthService, startOAuth } from '../oauth-service.fixture.ts'
import { pruneOAuth } from '../prune.ts'
import { endGrants } from './end-grants.ts'
import type { GrantFilter } from './store.ts'

let oauth: OAuthService
let app: App
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp()
})
afterAll(() => oauth?.stop())

const by = contextOf('')
const end = (filter: GrantFilter, reason: GrantEnd) =>
  withTransaction(oauth.pool, { workspaceId: null }, (tx) => endGrants(tx, filter, { reason, by }))
const refresh = (token: string, fields: Record<string, string> = {}) =>
  oauth.post('/oauth/token', { ...oauth.refreshing(app, token), ...fields })

describe('T36: after the role shrank', () => {
  test('a refresh gives the cut scopes with the new version of the membership; a cut scope that is named is refused', async () => {
    const person = await oauth.makeMember()
    const first = await oauth.tokens(app, person)
    await oauth.setRole(person, 'member')
    const named = await refresh(first.refresh_token, { scope: 'webhooks:manage' })
    expect([named.status, named.json.error]).toEqual([400, 'invalid_scope'])
    const answer = await refresh(first.refresh_token)
    const kept = app.scopes.filter((scope) => scope !== 'webhooks:manage').join(' ')
    expect([answer.status, answer.json.scope]).toEqual([200, kept])
    expect(decodeJwt(answer.json.access_token)).toMatchObject({ scope: kept, member_rev: 2 })
    expect((await oauth.announced(person.workspaceId)).map(({ type }) => type)).toEqual([
      'AppAuthorized',
      'GrantScopesCut',
    ])
  })

  test('a later promotion gives nothing back', async () => {
    const person = await oauth.makeMember()
    const first = await oauth.tokens(app, person)
    await oauth.setRole(person, 'viewer')
    await oauth.setRole(person, 'owner')
    const answer = await refresh(first.refresh_token)
    expect(answer.json.scope).toBe(app.scopes.filter((scope) => scope.endsWith(':read')).join(' '))
    expect(decodeJwt(answer.json.access_token).member_rev).toBe(3)
  })

  test('regression: a role that grows by an invitation is in the next tokens, too, whose former version every service refuses', async () => {
    const person = await oauth.makeMember('admin')
    const { refresh_token } = await oauth.tokens(app, person)
    await oauth.join(person.workspaceId, person.userId, 'owner')
    const { access_token } = (await refresh(refresh_token)).json
    expect(decodeJwt(access_token).member_rev).toBe(2)
  })

  test('a grant that is left without scopes ends', async () => {
    const person = await oauth.makeMember()
    const first = await oauth.tokens(app, person, { scopes: ['webhooks:manage'] })
    await oauth.setRole(person, 'member')
    expect((await refresh(first.refresh_token)).json.error).toBe('invalid_grant')
    expect(await oauth.announced(person.workspaceId)).toMatchObject([
      { type: 'AppAuthorized' },
      { type: 'GrantRevoked', data: { reason: 'role_lost' } },
    ])
  })

  test('W24: a code that was not redeemed yet gives the cut scopes, and so does its refresh token', async () => {
    const person = await oauth.makeMember()
    const authorization = await oauth.authorize(app, person)
    await oauth.setRole(person, 'viewer')
    const answer = await oauth.post('/oauth/token', oauth.redemption(app, authorization))
    const kept = app.scopes.filter((scope) => scope.endsWith(':read')).join(' ')
    expect([answer.status, answer.json.scope]).toEqual([200, kept])
    expect((await refresh(answer.json.refresh_token)).json.scope).toBe(kept)
  })
})

describe('T27: a refresh is invalid_grant', () => {
  test('after the member was removed: the grant ends with the membership, once', async () => {
    const person = await oauth.makeMember()
    const first = await oauth.tokens(app, person)
    await oauth.removeMember(person)
    expect((await refresh(first.refresh_token)).json.error).toBe('invalid_grant')
    expect((await oauth.announced(person.workspaceId)).filter(({ type }) => type === 'GrantRevoked')).toMatchObject([
      { data: { reason: 'member_removed', user_id: person.userId } },
    ])
  })

  const cases: [string, GrantEnd, (o: { grantId: string; workspaceId: string; userId: string }) => GrantFilter][] = [
    ['the grant was ended', 'ended_by_user', ({ grantId }) => ({ grantId })],
    ['the member was removed', 'member_removed', ({ workspaceId, userId }) => ({ workspaceId, userId })],
    ['the account was disabled', 'user_disabled', ({ userId }) => ({ userId })],
    ['the workspace was deleted', 'workspace_deleted', ({ workspaceId }) => ({ workspaceId })],
  ]
  test.each(cases)('after %s', async (_, reason, filterOf) => {
    const person = await oauth.makeMember()
    const [first, other] = [await oauth.tokens(app, person), await oauth.tokens(app, await oauth.makeMember())]
    const grantId = String(decodeJwt(first.access_token).grant_id)
    expect(await end(filterOf({ ...person, grantId }), reason)).toBe(1)
    expect(await end(filterOf({ ...person, grantId }), reason)).toBe(0)
    const answer = await refresh(first.refresh_token)
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_grant'])
    expect((await refresh(other.refresh_token)).status).toBe(200)
    const ends = (await oauth.announced(person.workspaceId)).filter(({ type }) => type === 'GrantRevoked')
    expect(ends).toEqual([
      {
        type: 'GrantRevoked',
        data: {
          workspace_id: person.workspaceId,
          grant_id: grantId,
          user_id: person.userId,
          client_id: app.clientId,
          reason,
        },
      },
    ])
  })

  test('after the app was deleted, in every workspace', async () => {
    const doomed = await oauth.makeApp()
    const people = [await oauth.makeMember(), await oauth.makeMember()]
    for (const person of people) await oauth.tokens(doomed, person)
    expect(await end({ appId: doomed.appId }, 'app_deleted')).toBe(2)
    for (const { workspaceId } of people) {
      expect((await oauth.announced(workspaceId)).at(-1)).toMatchObject({ data: { reason: 'app_deleted' } })
    }
  })

  test('although the grant still stands, when the person is no member or disabled', async () => {
    const [gone, disabled] = [await oauth.makeMember(), await oauth.makeMember()]
    const tokens = [await oauth.tokens(app, gone), await oauth.tokens(app, disabled)]
    await oauth.admin.query("update auth.memberships set status = 'deleted' where user_id = $1", [gone.userId])
    await oauth.admin.query("update auth.users set status = 'disabled' where user_id = $1", [disabled.userId])
    for (const { refresh_token: token } of tokens) expect((await refresh(token)).json.error).toBe('invalid_grant')
  })

  test('a filter that names nothing is a defect, not everybody', async () => {
    await expect(end({}, 'app_deleted')).rejects.toThrow('named by something')
  })
})

test('W1: a grant that nobody can use any more ends as expired; one in use and one fresh do not', async () => {
  const [idle, used, fresh] = [await oauth.makeMember(), await oauth.makeMember(), await oauth.makeMember()]
  const dayMs = 86_400_000
  await oauth.tokens(app, idle)
  const first = await oauth.tokens(app, used)
  await oauth.moveClock(29 * dayMs)
  expect((await refresh(first.refresh_token)).status).toBe(200)
  await oauth.moveClock(31 * dayMs)
  await pruneOAuth(oauth.worker)
  await oauth.moveClock(0)
  await oauth.authorize(app, fresh)
  await pruneOAuth(oauth.worker)
  const ends = await Promise.all(
    [idle, used, fresh].map(async ({ workspaceId }) => (await oauth.announced(workspaceId)).at(-1)),
  )
  expect(ends).toMatchObject([
    { type: 'GrantRevoked', data: { reason: 'expired' } },
    { type: 'AppAuthorized' },
    { type: 'AppAuthorized' },
  ])
})

test('regression: a grant that cannot be ended keeps neither another one alive nor what is over', async () => {
  const people = [await oauth.makeMember(), await oauth.makeMember()]
  for (const person of people) await oauth.tokens(app, person)
  const grantsOf = `select g.id, g.status from auth.grants g where workspace_id = any($1) order by id`
  const statuses = async () => {
    const { rows } = await oauth.admin.query(grantsOf, [people.map(({ workspaceId }) => workspaceId)])
    return rows
  }
  const [first, second] = await statuses()
  // An event of its stream has the next version already.
  await oauth.admin.query('update auth.grants set version = 0 where id = $1', [first.id])
  await oauth.moveClock(31 * 86_400_000)
  await expect(pruneOAuth(oauth.worker)).rejects.toThrow('not all that is over was removed')
  expect(await statuses()).toEqual([first, { id: second.id, status: 'ended' }])
  const over = "select kind from engine_records where expires_at < app_now() and kind <> 'Grant'"
  expect((await oauth.worker.query(over)).rows).toEqual([])
  await oauth.moveClock(0)
})
