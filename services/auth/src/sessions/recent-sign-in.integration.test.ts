// What a session of an older sign-in may do (decision 95), write by write of the settings API; and sessions that end one another at once.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { withTransaction } from '@wds/postgres/transaction'
import sharp from 'sharp'
import { whileHeld } from '../auth-database.fixture.ts'
import { type AuthService, type Browser, type Call, startAuth } from '../auth-service.fixture.ts'
import { type SettingsWrite, verdicts } from './recent-sign-in.ts'
import { startSession } from './session.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const isAsked = ({ status, json }: Awaited<ReturnType<Browser['call']>>) =>
  status === 403 && json?.code === 'recent_sign_in_required'

describe('a session of a sign-in more than ten minutes ago', () => {
  /** What there is to write to: ids by the path that lists them. */
  let ids: Record<string, string>
  let browser: Browser
  const prepare = async () => {
    const made = await auth.ownedWorkspace()
    browser = made.browser
    const { userId } = await auth.makePerson()
    await auth.join(made.workspaceId, userId, 'member')
    const key = { name: 'importer', scopes: ['stats:read'], cidrs: ['192.0.2.0/24'], expires_in_days: 30 }
    const other = await auth.signedIn(made.owner.userId)
    const sessions = (await other.call('/v1/account/sessions')).json.data
    const idOf = async (path: string, body: object) => (await browser.write(path, { body })).json.id
    ids = {
      '/v1/members': `mbr_${userId.slice(4)}`,
      '/v1/members/invitations': await idOf('/v1/members/invitations', { role: 'viewer' }),
      '/v1/api-keys': await idOf('/v1/api-keys', key),
      '/v1/oauth-apps': await idOf('/v1/oauth-apps', await appForm()),
      '/v1/account/sessions': sessions.find(({ is_current }: { is_current: boolean }) => is_current).id,
      '/v1/session/switch': made.workspaceId,
    }
    await auth.moveClock(601_000)
  }

  const write = (name: string, body?: Call['body']) => {
    const [method = '', path = ''] = name.split(' ')
    const list = path.slice(0, path.indexOf('/{id}'))
    const to = path.replace('{id}', ids[list] ?? 'grt_none').replace('{secret_id}', 'sec_none')
    return browser.write(to, withoutUndefined({ method, body }))
  }
  const only = (verdict: string) =>
    Object.entries(verdicts).flatMap(([name, one]) => (one === verdict ? [name as SettingsWrite] : []))
  /** Where the route wants one. */
  const bodies: Partial<Record<SettingsWrite, () => object | Promise<object>>> = {
    'POST /v1/members/invitations': () => ({ role: 'viewer' }),
    'POST /v1/api-keys': () => ({ name: 'new', scopes: ['stats:read'], expires_in_days: 30 }),
    'POST /v1/api-keys/{id}/rotate': () => ({}),
    'POST /v1/oauth-apps': appForm,
    'POST /v1/oauth-apps/{id}/secrets': () => ({}),
    'POST /v1/oauth-apps/{id}/logo': logoForm,
    'POST /v1/session/switch': () => ({ workspace_id: ids['/v1/session/switch'] }),
    'PATCH /v1/workspace': () => ({ name: 'Northwind' }),
  }

  describe('is asked to sign in again', () => {
    // What is refused changes nothing.
    beforeAll(prepare)
    afterAll(() => auth.moveClock(0))
    test.each(only('always'))('regression: by %s, whose effect would outlive it', async (name) => {
      expect(isAsked(await write(name, await bodies[name]?.()))).toBe(true)
    })
  })

  const more: [SettingsWrite, object | undefined, object | undefined][] = [
    ['PATCH /v1/members/{id}', { role: 'owner' }, { role: 'viewer' }],
    ['PATCH /v1/api-keys/{id}', { scopes: ['stats:read', 'campaigns:write'] }, { name: 'renamed' }],
    ['PATCH /v1/api-keys/{id}', { cidrs: [] }, { cidrs: ['192.0.2.0/24'] }],
    ['PATCH /v1/oauth-apps/{id}', { redirect_urls: ['https://evil.example/cb'] }, { name: 'Renamed' }],
    ['DELETE /v1/account/sessions/{id}', undefined, undefined],
  ]
  test('each write that asks for more alone has such a case', () => {
    expect(new Set(more.map(([name]) => name))).toEqual(new Set(only('more')))
  })

  describe('with things of its own', () => {
    beforeEach(prepare)
    afterEach(() => auth.moveClock(0))
    test.each(more)('regression: is asked by %s for %j, and not for %j', async (name, wider, narrower) => {
      expect(isAsked(await write(name, wider))).toBe(true)
      if (name === 'DELETE /v1/account/sessions/{id}') {
        const own = (await browser.call('/v1/account/sessions')).json.data
        ids['/v1/account/sessions'] = own.find(({ is_current }: { is_current: boolean }) => is_current).id
      }
      expect((await write(name, narrower)).status).toBeLessThan(300)
    })

    test.each([...only('takes_away'), ...only('lets_nobody_in')])(
      'does %s as before: it lets nobody in',
      async (name) => {
        const answer = await write(name, await bodies[name]?.())
        // Grants and further secrets there are none here; an app on https is live already.
        const fits = /connected-apps\/\{id\}|secret_id/.test(name)
          ? [404]
          : name.endsWith('/publish')
            ? [200, 409]
            : [200, 204]
        expect([name, fits.includes(answer.status)]).toEqual([name, true])
      },
    )
  })
})

describe('the lock of the person', () => {
  const path = '/v1/account/sessions'
  const idOf = async (browser: Browser) =>
    (await browser.call(path)).json.data.find(({ is_current }: { is_current: boolean }) => is_current).id
  const isSignedIn = async (browser: Browser) => (await browser.call('/v1/session')).status === 200

  test('regression: of two sessions that end each other at once one is left', async () => {
    const { owner, browser: one } = await auth.ownedWorkspace()
    const two = await auth.signedIn(owner.userId)
    const [first, second] = [await idOf(one), await idOf(two)]
    const end = (browser: Browser, id: string) => browser.write(`${path}/${id}`, { method: 'DELETE' })
    const answers = await whileHeld(auth.admin, { userId: owner.userId, waiting: 2 }, () =>
      Promise.all([end(one, second), end(two, first)]),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403])
    expect([await isSignedIn(one), await isSignedIn(two)].filter(Boolean)).toHaveLength(1)
  })

  test.each([`${path}/end-others`, '/v1/session/end-all'])(
    'regression: %s ends a session, too, that a sign-in is making at the moment',
    async (all) => {
      const { owner, browser } = await auth.ownedWorkspace()
      const start = { userId: owner.userId, workspaceId: null, requestId: 'r', address: null, userAgent: null }
      const { sessionId } = await withTransaction(auth.pool, { workspaceId: null }, (tx) => startSession(tx, start))
      await auth.admin.query('create table auth.made as select * from auth.sessions where session_id = $1', [sessionId])
      await auth.admin.query('delete from auth.sessions where session_id = $1', [sessionId])
      // As a sign-in does it, whose transaction is not committed when the other one begins.
      const meanwhile = 'insert into auth.sessions select * from auth.made where user_id = $1'
      const answer = await whileHeld(auth.admin, { userId: owner.userId, meanwhile }, () => browser.write(all))
      await auth.admin.query('drop table auth.made')
      const left = await auth.admin.query('select from auth.sessions where session_id = $1', [sessionId])
      expect([answer.status, left.rowCount]).toEqual([204, 0])
    },
  )
})

const picture = sharp({ create: { width: 30, height: 30, channels: 3, background: '#3366cc' } })
  .png()
  .toBuffer()
async function logoForm(): Promise<FormData> {
  const parts = new FormData()
  parts.set('logo', new Blob([new Uint8Array(await picture)]), 'logo.png')
  return parts
}
async function appForm(): Promise<FormData> {
  const parts = await logoForm()
  const app = { name: 'Acme Sync', redirect_urls: ['https://acme.example/cb'], scopes: ['stats:read'] }
  parts.set('app', JSON.stringify(app))
  return parts
}
