// The authorisation endpoint, row by row of auth.md 3.1, by raw requests. The consent page is in consent/.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { expectHeld, expectPage, expectRedirect, linkIn, openConsent } from './authorize-answers.fixture.ts'
import type { App, Member } from './oauth-people.fixture.ts'
import { type Answer, cookieOf, queryOf, redirectUrl } from './oauth-requests.fixture.ts'
import { authUrl, baseUrl, type OAuthService, startOAuth } from './oauth-service.fixture.ts'

let oauth: OAuthService
let app: App
let person: Member
/** What browsers send of an address that a person opens. */
const opened = { 'sec-fetch-dest': 'document' }
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp({ scopes: ['stats:read', 'campaigns:read', 'campaigns:write', 'webhooks:manage'] })
  person = await oauth.makeMember()
})
afterAll(() => oauth?.stop())

type Query = Record<string, string | string[] | undefined>

/** The request with these parameters instead; undefined leaves one out. */
function ask(
  changes: Query = {},
  o: { of?: App; headers?: Record<string, string>; method?: string } = {},
): Promise<Answer> {
  const { of = app, ...rest } = o
  const query = Object.entries({ ...queryOf(of), ...changes }).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  )
  return oauth.raw({ path: `/oauth/authorize?${new URLSearchParams(query)}`, ...rest })
}

const isAsked = ({ status, headers }: Answer) =>
  status === 303 && /^\/oauth\/consent\/[\w-]+$/.test(headers.location ?? '')

test('A1: a valid request of nobody: to consent and sign-in, not stored, no code', async () => {
  const answer = await ask()
  expect([isAsked(answer), answer.headers['cache-control']]).toEqual([true, 'no-store'])
  expect(answer.headers.location).not.toContain('code=')
  const consent = await oauth.raw({ path: answer.headers.location ?? '', headers: { cookie: cookieOf(answer) } })
  const back = encodeURIComponent(answer.headers.location ?? '')
  expect([consent.status, consent.headers.location]).toEqual([303, `/sign-in?return_to=${back}`])
  for (const line of answer.headers['set-cookie'] ?? []) expect(line).toMatch(/; secure; httponly(; samesite=lax)?/i)
})

test('A2, S1, XO13: consent leads to the exact registered URL with code, unchanged state and issuer', async () => {
  const { location, decided } = await oauth.authorize(app, person)
  expect([decided.status, decided.headers['cache-control']]).toEqual([303, 'no-store'])
  const url = new URL(location ?? '')
  expect(`${url.origin}${url.pathname}`).toBe(redirectUrl)
  expect([...url.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
  expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual(['xyz', authUrl])
})

describe('a page, never a redirect', () => {
  test.each([
    ['A3, W14: client_id unknown', { client_id: 'cli_00000000000000000000000000' }],
    ['A4: client_id missing', { client_id: undefined }],
    ['A4: client_id empty', { client_id: '' }],
    ['A6: redirect_uri missing, although one is registered', { redirect_uri: undefined }],
    ['A7: redirect_uri twice', { redirect_uri: [redirectUrl, redirectUrl] }],
    ['S15: client_id twice', { client_id: ['a', 'b'] }],
  ])('%s', async (_, changes) => expectPage(await ask(changes as Query)))

  const url = new URL(redirectUrl)
  test.each([
    `${redirectUrl}/`,
    `${redirectUrl}?`,
    `${redirectUrl}?x=1`,
    `${redirectUrl}#`,
    `${redirectUrl}%20`,
    ` ${redirectUrl}`,
    `${redirectUrl}/../cb`,
    `${redirectUrl}\\`,
    redirectUrl.toUpperCase(),
    redirectUrl.replace('https:', 'http:'),
    redirectUrl.replace('/cb', '//cb'),
    redirectUrl.replace('/cb', '/%63b'),
    redirectUrl.replace('/cb', '/cb;x'),
    redirectUrl.replace(url.host, `${url.host}:443`),
    redirectUrl.replace(url.host, `${url.host}.`),
    redirectUrl.replace(url.host, `user@${url.host}`),
    redirectUrl.replace(url.host, `${url.host}@evil.test`),
    redirectUrl.replace(url.host, `evil.test/${url.host}`),
    redirectUrl.replace(url.host, `sub.${url.host}`),
    redirectUrl.replace(url.host, `${url.host}.evil.test`),
    '//app.example.test/cb',
    '/cb',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('A5, S12, S13, XO01: redirect_uri %j', async (redirect_uri) => {
    expectPage(await ask({ redirect_uri }))
    expectPage(await ask({ redirect_uri, prompt: 'none' }))
    expectPage(await ask({ redirect_uri, response_type: 'token', scope: 'no', state: undefined }))
  })

  test('A30: an app that is suspended', async () => {
    const own = await oauth.makeApp()
    const state = `update auth.oauth_apps set status = $2, state = jsonb_set(state, '{status}', to_jsonb($2::text)) where id = $1`
    await oauth.admin.query(state, [own.appId, 'suspended'])
    expectPage(await ask({}, { of: own }))
  })
})

describe('a redirect with an error (XO02, XO06, XO13)', () => {
  const scope = 'stats:read'
  test.each<[string, Query, string, RegExp?]>([
    ['A8: response_type missing', { response_type: undefined }, 'invalid_request', /response_type/],
    ['A8: response_type twice', { response_type: ['code', 'code'] }, 'invalid_request', /response_type/],
    ['A9, XO15: response_type none', { response_type: 'none' }, 'unsupported_response_type'],
    ['A9, XO15: an unknown response_type', { response_type: 'x' }, 'unsupported_response_type'],
    [
      'A10: no code_challenge',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
      /PKCE/,
    ],
    ['A10: a method without a challenge', { code_challenge: undefined }, 'invalid_request', /code_challenge/],
    ['A11: the method plain', { code_challenge_method: 'plain' }, 'invalid_request', /code_challenge_method/],
    [
      'A12: a challenge without a method',
      { code_challenge_method: undefined },
      'invalid_request',
      /code_challenge_method/,
    ],
    ['A13: a challenge of 42 characters', { code_challenge: 'x'.repeat(42) }, 'invalid_request', /minimum length/],
    ['A13: a challenge of 129 characters', { code_challenge: 'x'.repeat(129) }, 'invalid_request', /maximum length/],
    [
      'A13: a challenge with bad characters',
      { code_challenge: `${'x'.repeat(42)}+` },
      'invalid_request',
      /invalid characters/,
    ],
    ['A14, W4: a scope that nobody has', { scope: `${scope} everything` }, 'invalid_scope'],
    ['A14: a scope that the app has not registered', { scope: 'invoices:read' }, 'invalid_scope'],
    ['A14, W4: openid', { scope: `openid ${scope}` }, 'invalid_scope'],
    ['A14, W4: offline_access', { scope: `offline_access ${scope}` }, 'invalid_scope'],
    ['A15, W4: no scope', { scope: undefined }, 'invalid_scope'],
    ['A15: an empty scope', { scope: '' }, 'invalid_scope'],
    ['A16: a scope with a control character', { scope: `${scope}\n` }, 'invalid_scope'],
    ['A16: a scope with two spaces', { scope: `${scope}  campaigns:read` }, 'invalid_scope'],
    ['A16: a scope in the wrong case', { scope: 'Stats:read' }, 'invalid_scope'],
    ['A22: the resource of another API', { resource: 'https://other.example' }, 'invalid_target'],
    ['A22: the resource with a slash', { resource: `${baseUrl}/` }, 'invalid_target'],
    ['A23: request', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['A23: request_uri', { request_uri: 'https://evil.test/r' }, 'request_uri_not_supported'],
    ['A24: prompt=none', { prompt: 'none' }, 'login_required'],
    ['S15: scope twice', { scope: [scope, scope] }, 'invalid_request'],
    ['S15: code_challenge twice', { code_challenge: ['a', 'b'] }, 'invalid_request'],
    ['A34, W21: response_mode form_post', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['A34, W21: response_mode fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['A34: response_mode web_message', { response_mode: 'web_message' }, 'unsupported_response_mode'],
  ])('%s', async (_, changes, error, ...[description]) => {
    const found = expectRedirect(await ask(changes), error)
    if (description) expect(found.get('error_description')).toMatch(description)
    expect(String(expectHeld(await ask(changes, { headers: opened }), error))).toBe(String(found))
  })

  test('A24, A35: prompt=none: login_required, in a frame by a redirect at once', async () => {
    expectRedirect(await ask({ prompt: 'none' }, { headers: { 'sec-fetch-dest': 'iframe' } }), 'login_required')
  })

  test('A35, regression: an error goes on to the app only with who has allowed it; others read whose app it is, and the host', async () => {
    const stranger = await oauth.makeMember()
    const cookie = await oauth.signIn(stranger)
    const faulty = (headers: Record<string, string>) => ask({ scope: 'no' }, { headers: { cookie, ...headers } })
    const page = await faulty(opened)
    expectHeld(page, 'invalid_scope')
    for (const word of ['Sync', 'Acme Media', '<code>app.example.test</code>']) expect(page.text).toContain(word)
    expectHeld(await faulty({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }), 'invalid_scope')
    await oauth.authorize(app, stranger)
    expectRedirect(await faulty(opened), 'invalid_scope')
    await oauth.removeMember(stranger)
    expectHeld(await faulty(opened), 'invalid_scope')
  })

  test('A34, W21: response_mode twice, or in other letters, never gives a script page', async () => {
    for (const raw of [
      'response_mode=query&response_mode=form_post',
      'response%5Fmode=form_post',
      '&response_mode=%66orm_post',
    ]) {
      const path = `/oauth/authorize?${new URLSearchParams(queryOf(app))}&${raw}`
      const answer = await oauth.raw({ path })
      expect([answer.status, answer.text]).toEqual([303, ''])
      expect(new URL(answer.headers.location ?? '').hash).toBe('')
    }
  })

  test.each(['token', 'id_token', 'code token', 'code id_token'])(
    'A9, XO15: response_type=%s is never a token: unsupported_response_type, where an app that asks so looks for it',
    async (response_type) => {
      const changes = { response_type, nonce: 'n' }
      const { status, headers } = await ask(changes)
      expect(linkIn(await ask(changes, { headers: opened }))).toBe(headers.location)
      const { origin, pathname, search, hash } = new URL(headers.location ?? '')
      expect([status, `${origin}${pathname}`, search]).toEqual([303, redirectUrl, ''])
      expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
        error: 'unsupported_response_type',
        error_description: expect.any(String),
        state: 'xyz',
        iss: authUrl,
      })
    },
  )

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['twice', ['a', 'b']],
  ])('A33, XO12: state %s', async (_, state) => {
    expectRedirect(await ask({ state }), 'invalid_request', { state: null })
  })

  test('A30, S45: the plan of the app’s workspace is below business: unauthorized_client, also when it fell between page and decision', async () => {
    const own = await oauth.makeApp()
    const setPlan = (plan: string) =>
      oauth.admin.query(
        `update auth.workspaces set state = jsonb_set(state, '{plan}', to_jsonb($2::text)) where workspace_id = $1`,
        [...[own.workspaceId, plan]],
      )
    const { uid, cookie, page } = await openConsent(oauth, own, person)
    await setPlan('pro')
    expectRedirect(await ask({}, { of: own }), 'unauthorized_client')
    const decided = await oauth.decide(page, cookie)
    expectRedirect(
      await oauth.raw({ path: decided.headers.location ?? '', headers: { cookie } }),
      'unauthorized_client',
    )
    expect(uid).not.toBeNull()
    expect(await oauth.announced(person.workspaceId)).not.toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ client_id: own.clientId }) }),
    )
  })
})

test('A17: cancel: access_denied, and neither grant nor code', async () => {
  const member = await oauth.makeMember()
  const { back } = await oauth.authorize(app, member, { decision: 'cancel' })
  expectRedirect(back, 'access_denied')
  expect(await oauth.announced(member.workspaceId)).toEqual([])
  const { rows } = await oauth.admin.query(
    `select from auth.engine_records where user_id = $1 or payload ->> 'accountId' = $1`,
    [member.userId],
  )
  expect(rows).toEqual([])
})

test('A18, A19: unknown parameters and those of OpenID are ignored, ones without a value count as left out', async () => {
  const openid = {
    nonce: 'n',
    max_age: '1',
    acr_values: 'x',
    claims: '{',
    id_token_hint: 'x',
    login_hint: 'x',
    registration: 'x',
  }
  expect(isAsked(await ask({ foo: 'bar', ...openid }))).toBe(true)
  expect(isAsked(await ask({ resource: '', prompt: '', response_mode: '', request: '' }))).toBe(true)
  expect(isAsked(await ask({ response_mode: 'query', resource: baseUrl }))).toBe(true)
})

test('A20, A21, XO12: a state of 1,000 characters comes back byte for byte, and a registered query stays', async () => {
  const state = '&=%+é '.repeat(170).slice(0, 1_000)
  const to = 'https://app.example.test/cb?a=1'
  const own = await oauth.makeApp({ redirectUrls: [to, redirectUrl] })
  const { location } = await oauth.authorize(own, person, { query: { state, redirect_uri: to } })
  const { searchParams } = new URL(location ?? '')
  expect(searchParams.get('state')).toBe(state)
  expect(location?.startsWith(`${to}&`)).toBe(true)
  expect(searchParams.get('a')).toBe('1')
})

test('A25, A31: POST and a preflight are 405, for no origin', async () => {
  for (const method of ['POST', 'OPTIONS', 'HEAD']) {
    const headers = { origin: 'https://app.example.test', 'access-control-request-method': 'GET' }
    const answer = await ask({}, { method, headers })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('S40: a target of more than 8 KiB is refused', async () => {
  expect((await ask({ state: 'x'.repeat(9_000) })).status).toBe(414)
})

test('regression: while the database is out of order a person reads that it is our fault, with 503', async () => {
  const mend = await oauth.breakWrites('Interaction')
  const answer = await ask()
  await mend()
  expect([answer.status, answer.headers['retry-after'], answer.headers.location]).toEqual([503, '1', undefined])
  expect(answer.text).toContain('out of order on our side')
  expect(answer.text).not.toContain('not accepted')
})
