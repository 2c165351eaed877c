// The token endpoint, row by row of auth.md 3.2, by raw requests: answers, clients, forms. Codes are in redeem-code, refresh tokens in
// refresh, the races in races.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { listOAuthErrors } from '../oauth-apps/store-errors.ts'
import type { App, Member } from './oauth-people.fixture.ts'
import { type Answer, basic, type Fields, outcomeOf, without } from './oauth-requests.fixture.ts'
import { authUrl, baseUrl, type OAuthService, startOAuth } from './oauth-service.fixture.ts'

let oauth: OAuthService
let app: App
let person: Member
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp()
  person = await oauth.makeMember()
})
afterAll(() => oauth?.stop())

const token = (fields: Fields, o: object = {}) => oauth.postFromNewAddress('/oauth/token', fields, o)
const code = async () => oauth.redemption(app, await oauth.authorize(app, person))
const refreshToken = async () => (await oauth.tokens(app, person)).refresh_token

// `user_context` comes from a middleware of ours: one that was added behind `callback()` would not be heard (W17).
test('T1, W17: a valid code gives tokens and says whose they are', async () => {
  const authorization = await oauth.authorize(app, person, { scopes: ['stats:read', 'campaigns:read'] })
  const answer = await token(oauth.redemption(app, authorization))
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^wdr_[0-9A-Za-z]{38}$/),
      scope: 'stats:read campaigns:read',
      user_context: {
        workspace: { id: person.workspaceId, name: 'Acme Media', slug: 'acme-media', plan: 'business' },
        user: { id: person.userId, name: 'Ada' },
      },
    },
  ])
  const access = answer.json.access_token
  expect(decodeProtectedHeader(access)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
  const claims = decodeJwt(access)
  expect(claims).toEqual({
    iss: authUrl,
    aud: baseUrl,
    sub: person.userId,
    client_id: app.clientId,
    scope: 'stats:read campaigns:read',
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
    workspace_id: person.workspaceId,
    grant_id: expect.stringMatching(/^grt_/),
    member_rev: 1,
  })
  expect(Number(claims.exp) - Number(claims.iat)).toBe(3600)
})

describe('T2, T29: every answer is JSON and is not stored; errors are in plain ASCII and tell nothing of the inside', () => {
  const cases: [string, () => Promise<Answer>][] = [
    ['tokens', async () => token(await code())],
    ['a wrong secret', async () => token({ ...(await code()), client_secret: 'x' })],
    ['a wrong code', async () => token({ ...(await code()), code: 'wdcode_x' })],
    ['a browser', async () => token(await code(), { headers: { accept: 'text/html,application/xhtml+xml' } })],
    ['a hostile origin', async () => token(await code(), { headers: { origin: 'https://"evil\\"é.example' } })],
    ['a hostile scope', async () => token({ ...oauth.refreshing(app, await refreshToken()), scope: 'a"b\\c' })],
    ['no form', async () => token({}, { body: '{}', headers: { 'content-type': 'application/json' } })],
  ]
  test.each(cases)('%s', async (_, ask) => {
    const { headers, json, status } = await ask()
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    if (status === 200) return
    expect(Object.keys(json).filter((name) => name !== 'scope')).toEqual(['error', 'error_description'])
    for (const value of Object.values(json)) expect(value).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
    expect(JSON.stringify(json)).not.toMatch(/consumed|not found|mismatch|expired|at \//)
  })
})

describe('400 invalid_request', () => {
  test('T3: no client_id and no authentication', async () => {
    expect(outcomeOf(await token(without(await code(), 'client_id', 'client_secret')))).toEqual([
      400,
      'invalid_request',
    ])
  })
  test('T8, XO16: the secret by Basic and in the body', async () => {
    const headers = { authorization: basic(app.clientId, app.secret) }
    expect(outcomeOf(await token(await code(), { headers }))).toEqual([400, 'invalid_request'])
  })
  test('T10, XO16: a JSON body', async () => {
    const body = JSON.stringify(await code())
    const answer = await token({}, { body, headers: { 'content-type': 'application/json' } })
    expect(outcomeOf(answer)).toEqual([400, 'invalid_request'])
  })
  test.each([
    ['missing', undefined],
    ['twice', ['authorization_code', 'authorization_code']],
  ])('T12, XO16: grant_type %s', async (_, value) => {
    const fields = without(await code(), 'grant_type')
    const sent = value === undefined ? fields : { ...fields, grant_type: value }
    expect(outcomeOf(await token(sent))).toEqual([400, 'invalid_request'])
  })
  test.each(['code', 'redirect_uri', 'code_verifier', 'client_id', 'client_secret'])(
    'S15, XO16: %s twice',
    async (name) => {
      const fields = await code()
      const twice: [string, string][] = [...Object.entries(fields), [name, fields[name] ?? '']]
      expect(outcomeOf(await token(twice))).toEqual([400, 'invalid_request'])
      expect((await token(fields)).status).toBe(200)
    },
  )
  test('T30: a body over 56 KiB', async () => {
    const filler = { filler: 'x'.repeat(57 * 1024) }
    expect(outcomeOf(await token({ ...(await code()), ...filler }))).toEqual([400, 'invalid_request'])
    expect((await token({ ...(await code()), filler: 'x'.repeat(50 * 1024) })).status).toBe(200)
  })
})

describe('401 invalid_client', () => {
  const unknown = { client_id: 'cli_00000000000000000000000000', client_secret: 'x' }

  // The last one is what the engine holds as the client's secret: nothing is compared with it (W8).
  test('T4, T5, W8: without a secret, with a wrong one or one of another app, in the same words as for an unknown client', async () => {
    const fields = await code()
    const other = await oauth.makeApp()
    const answers = [
      await token({ ...fields, ...unknown }),
      await token(without(fields, 'client_secret')),
      await token({ ...fields, client_secret: 'wds_wrong' }),
      await token({ ...fields, client_secret: other.secret }),
      await token({ ...fields, client_secret: 'x'.repeat(64) }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual(answers[0]?.json)
      expect(answer.json.error).toBe('invalid_client')
    }
    expect((await token(fields)).status).toBe(200)
  })

  test('T6, T7, W18: by Basic, a wrong secret is challenged and the right one accepted, also of a client that does not form-encode', async () => {
    expect(app.clientId + app.secret).toMatch(/^\w+$/)
    const fields = without(await code(), 'client_id', 'client_secret')
    const refused = await token(fields, { headers: { authorization: basic(app.clientId, 'wrong') } })
    expect(outcomeOf(refused)).toEqual([401, 'invalid_client'])
    expect(refused.headers['www-authenticate']).toMatch(/^Basic realm="/)
    expect((await token(fields, { headers: { authorization: basic(app.clientId, app.secret) } })).status).toBe(200)
  })

  test('T9: a secret in the query is not used and not logged', async () => {
    const fields = without(await code(), 'client_secret')
    const path = `/oauth/token?client_id=${app.clientId}&client_secret=${app.secret}`
    expect(outcomeOf(await token(fields, { path }))).toEqual([401, 'invalid_client'])
    expect(outcomeOf(await token(without(fields, 'client_id'), { path }))).toEqual([400, 'invalid_request'])
    expect(oauth.log.join('')).not.toContain(app.secret)
  })
})

test('T11, W11: GET is 405 with the method that is allowed', async () => {
  const answer = await oauth.raw({ path: '/oauth/token', host: new URL(baseUrl).host })
  expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
})

test.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code', 'x'])(
  'T13, XO15: the grant type %s is 400 unsupported_grant_type',
  async (grantType) => {
    expect(outcomeOf(await token({ ...(await code()), grant_type: grantType }))).toEqual([
      400,
      'unsupported_grant_type',
    ])
  },
)

test('T32, S37, W22: a browser’s origin is refused, a preflight is 405, and no answer is for other origins', async () => {
  const host = new URL(baseUrl).host
  const answers = [
    await token(await code(), { headers: { origin: 'https://app.example.test' } }),
    await token({ ...(await code()), client_id: 'cli_x' }, { headers: { origin: 'https://app.example.test' } }),
    await oauth.raw({
      method: 'OPTIONS',
      path: '/oauth/token',
      host,
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    }),
    await token(await code()),
    await oauth.post('/oauth/revoke', { token: 'x', client_id: app.clientId, client_secret: app.secret }),
    await oauth.post('/oauth/introspect', { token: 'x', client_id: app.clientId, client_secret: app.secret }),
    await oauth.raw({ path: '/oauth/jwks', host, headers: { origin: 'https://a.example' } }),
    await oauth.raw({ path: '/.well-known/oauth-authorization-server', headers: { origin: 'https://a.example' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 405, 200, 200, 200, 200, 200])
  expect(answers[0]?.json.error).toBe('invalid_request')
  for (const { headers } of answers) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('W27: the true reason is kept for the app’s developers, without any secret', async () => {
  const own = await oauth.makeApp()
  const fields = oauth.redemption(own, await oauth.authorize(own, person))
  await token({ ...fields, code_verifier: randomBytes(32).toString('base64url') })
  await token({ ...fields, client_secret: 'wds_not_the_secret' })
  await token({ ...fields, resource: 'https://other.example' })
  const kept = async () => {
    const { workspaceId, appId } = own
    return withTransaction(oauth.pool, { workspaceId }, (tx) => listOAuthErrors(tx, workspaceId, appId))
  }
  for (const until = Date.now() + 60_000; (await kept()).length < 3 && Date.now() < until; );
  const errors = await kept()
  expect(errors.map(({ endpoint, error, reason }) => [endpoint, error, reason]).sort()).toEqual([
    ['token', 'invalid_client', 'invalid secret provided'],
    ['token', 'invalid_grant', 'code_verifier does not match code_challenge'],
    ['token', 'invalid_target', 'the resource is another than the API of this server'],
  ])
  const text = JSON.stringify(errors)
  for (const secret of [fields.code, fields.code_verifier, fields.client_secret, 'wds_not_the_secret']) {
    expect(text).not.toContain(secret)
  }
})

test('S29, S33: what a client presents stands neither in the log nor in the database', async () => {
  const authorization = await oauth.authorize(app, person)
  const fields = oauth.redemption(app, authorization)
  const { rows: tables } = await oauth.admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r'`,
  )
  const dump = async () => {
    const texts = tables.map(({ name }) => oauth.admin.query<{ t: string }>(`select t::text as t from auth.${name} t`))
    return JSON.stringify((await Promise.all(texts)).map(({ rows }) => rows))
  }
  const before = await dump()
  const first = await token(fields)
  const second = await token(oauth.refreshing(app, first.json.refresh_token))
  const after = await dump()
  const values = [
    ...[
      fields.code,
      fields.code_verifier,
      authorization.uid,
      app.secret,
      ...authorization.cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1)),
    ],
    ...[first, second].flatMap(({ json }) => [json.access_token, json.refresh_token]),
  ]
  for (const value of values) {
    for (const text of [before, after, oauth.log.join('')]) expect(text).not.toContain(value)
  }
})
