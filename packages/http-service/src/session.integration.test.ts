// Routes that a signed-in person opens: who is let in, in which order it is judged, and what keeps other sites out (auth.md 1.1, B9).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call } from './widgets/exchange.ts'
import { startWidgets, type Widgets } from './widgets/widget-service.ts'

let widgets: Widgets
beforeAll(async () => {
  widgets = await startWidgets()
})
afterAll(() => widgets?.stop())

const settings = '/v1/widget-settings'
const ours = { 'sec-fetch-site': 'same-origin', 'x-csrf-token': 'csrf of owner' }
const ask = (method: 'GET' | 'POST', headers: Record<string, string>, token: string | null = null) =>
  call(`${widgets.url}${settings}`, { method, token, headers })

test('a signed-in person is the client: its workspace, its role, and the actor of what it changes', async () => {
  const { status, json } = await ask('POST', { cookie: 'session=owner', ...ours, 'user-agent': 'x'.repeat(300) })
  expect([status, json]).toEqual([
    200,
    {
      workspaceId: 'wsp_A',
      kind: 'user',
      id: 'usr_A',
      role: 'owner',
      sessionId: 'ses_A',
      csrfToken: 'csrf of owner',
      actor: { type: 'user', id: 'usr_A' },
      user_agent: 'x'.repeat(255),
    },
  ])
})

test('without a live session it is 401 unauthenticated with a challenge', async () => {
  for (const cookie of ['', 'session=unknown', 'other=owner']) {
    const { status, json, headers } = await ask('GET', { cookie })
    expect([status, json.code, headers.get('www-authenticate')]).toEqual([401, 'unauthenticated', 'Cookie realm="wds"'])
  }
})

test('B9: a bearer is 403 session_required, also an unknown one and beside a session', async () => {
  for (const token of ['a', 'unknown']) {
    for (const cookie of ['', 'session=owner']) {
      const { status, json } = await ask('GET', { cookie }, token)
      expect([status, json.code]).toEqual([403, 'session_required'])
    }
  }
})

describe('XO11: a write that does not come from our own page is 403 csrf_failed, whatever the role', () => {
  const { 'x-csrf-token': token, 'sec-fetch-site': site } = ours
  test.each([
    ['no header at all', {}],
    ['no token', { 'sec-fetch-site': site }],
    ['an empty token', { ...ours, 'x-csrf-token': '' }],
    ['the token of another session', { ...ours, 'x-csrf-token': 'csrf of member' }],
    ['the token twice', { ...ours, 'x-csrf-token': `${token}, ${token}` }],
    ['no Sec-Fetch-Site', { 'x-csrf-token': token }],
    ['a request of the same site', { ...ours, 'sec-fetch-site': 'same-site' }],
    ['a request of another site', { ...ours, 'sec-fetch-site': 'cross-site' }],
    ['a request typed by the user', { ...ours, 'sec-fetch-site': 'none' }],
  ])('%s', async (_, headers) => {
    const { status, json } = await ask('POST', { cookie: 'session=owner', ...(headers as Record<string, string>) })
    expect([status, json.code]).toEqual([403, 'csrf_failed'])
  })
  test('it is judged before the role', async () => {
    expect((await ask('POST', { cookie: 'session=member' })).json.code).toBe('csrf_failed')
  })
  test('reading needs no token', async () => {
    expect((await ask('GET', { cookie: 'session=owner' })).status).toBe(200)
  })
})

test('a role without the right, and a person of no workspace, are 403 role_not_allowed', async () => {
  const member = await ask('POST', { cookie: 'session=member', ...ours, 'x-csrf-token': 'csrf of member' })
  const nobody = await ask('GET', { cookie: 'session=nobody' })
  expect([member, nobody].map(({ status, json }) => [status, json.code])).toEqual([
    [403, 'role_not_allowed'],
    [403, 'role_not_allowed'],
  ])
})

test('regression: a write is judged by the role that its own transaction sees, however late its body came', async () => {
  for (const person of ['lowered', 'removed']) {
    const { status, json } = await ask('POST', { cookie: `session=${person}`, ...ours })
    expect([status, json.code]).toEqual([403, 'role_not_allowed'])
  }
  expect((await ask('GET', { cookie: 'session=lowered' })).status).toBe(200)
})

test('a route of both is opened by either: a token goes first, and nobody is asked for a token', async () => {
  const mine = (token: string | null, cookie: string) =>
    call(`${widgets.url}/v1/widgets/mine`, { token, headers: cookie === '' ? {} : { cookie } })
  expect((await mine('a', 'session=owner')).json).toEqual({ mine: true, of: 'key_A' })
  expect((await mine(null, 'session=owner')).json).toEqual({ mine: true, of: 'usr_A' })
  expect((await mine('unknown', 'session=owner')).json.code).toBe('invalid_token')
  expect((await mine(null, 'session=unknown')).json.code).toBe('unauthenticated')
  const nobody = await mine(null, '')
  expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
})
