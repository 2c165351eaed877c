// Revocation, introspection, metadata and hosts, row by row of auth.md 3.3, by raw requests.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import type { App, Member } from './oauth-people.fixture.ts'
import { type Answer, type Fields, formOf, queryOf } from './oauth-requests.fixture.ts'
import { authUrl, baseUrl, type OAuthService, startOAuth } from './oauth-service.fixture.ts'

let oauth: OAuthService
let app: App
let other: App
let person: Member
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp()
  other = await oauth.makeApp()
  person = await oauth.makeMember()
})
afterAll(() => oauth?.stop())

const send = (path: string, fields: Fields, o: object = {}) => oauth.postFromNewAddress(path, fields, o)
const client = (of = app) => ({ client_id: of.clientId, client_secret: of.secret })
const revoke = (token: string, o: Record<string, string> = {}, of = app) =>
  send('/oauth/revoke', { ...client(of), token, ...o })
const introspect = (token: string, o: Record<string, string> = {}, of = app) =>
  send('/oauth/introspect', { ...client(of), token, ...o })
const refresh = (token: string) => send('/oauth/token', oauth.refreshing(app, token))
const done = ({ status, json }: Answer) => [status, json]
const garbage = ['x', 'a.b.c', `wdr_${'x'.repeat(38)}`, `${'a'.repeat(2_000)}`, 'eyJhbGciOiJub25lIn0.e30.']

describe('revocation', () => {
  test('R1, W12: an own refresh token: the grant ends, with its access tokens', async () => {
    const member = await oauth.makeMember()
    const tokens = await oauth.tokens(app, member)
    expect(done(await revoke(tokens.refresh_token))).toEqual([200, {}])
    expect((await refresh(tokens.refresh_token)).json.error).toBe('invalid_grant')
    expect((await introspect(tokens.access_token)).json).toEqual({ active: false })
    expect(await oauth.announced(member.workspaceId)).toMatchObject([
      { type: 'AppAuthorized' },
      { type: 'GrantRevoked', data: { reason: 'revoked_by_app', client_id: app.clientId } },
    ])
    expect(done(await revoke(tokens.refresh_token))).toEqual([200, {}])
  })

  test('R2, S32, W7, W12: an own access token: it alone is denied and told of once, the refresh token lives', async () => {
    const member = await oauth.makeMember()
    const tokens = await oauth.tokens(app, member)
    for (let nth = 0; nth < 2; nth += 1) expect(done(await revoke(tokens.access_token))).toEqual([200, {}])
    expect((await introspect(tokens.access_token)).json).toEqual({ active: false })
    const { jti, exp } = decodeJwt(tokens.access_token)
    const told = (await oauth.announced(member.workspaceId)).filter(({ type }) => type === 'AccessTokenRevoked')
    expect(told).toMatchObject([{ data: { jti, expires: new Date(Number(exp) * 1_000).toISOString() } }])
    const fresh = await refresh(tokens.refresh_token)
    expect((await introspect(fresh.json.access_token)).json.active).toBe(true)
  })

  test.each(garbage)('R3: %j is 200 without effect', async (token) => {
    expect(done(await revoke(token))).toEqual([200, {}])
    expect(done(await revoke(token, { token_type_hint: 'access_token' }))).toEqual([200, {}])
  })

  test('R4, S39: another client’s tokens: 200 without effect', async () => {
    const tokens = await oauth.tokens(app, person)
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect(done(await revoke(token, {}, other))).toEqual([200, {}])
    expect((await introspect(tokens.access_token)).json.active).toBe(true)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })

  test.each(['access_token', 'refresh_token', 'nonsense'])('R6: found all the same with the hint %s', async (hint) => {
    const [a, b] = [await oauth.tokens(app, person), await oauth.tokens(app, person)]
    expect(done(await revoke(a.refresh_token, { token_type_hint: hint }))).toEqual([200, {}])
    expect((await refresh(a.refresh_token)).json.error).toBe('invalid_grant')
    expect(done(await revoke(b.access_token, { token_type_hint: hint }))).toEqual([200, {}])
    expect((await introspect(b.access_token)).json.active).toBe(false)
  })
})

describe.each(['/oauth/revoke', '/oauth/introspect'])('%s', (path) => {
  test('R5, I3: no client_id, no token; a wrong or no secret', async () => {
    const { client_id, client_secret } = client()
    const outcome = async (fields: Record<string, string>) => {
      const { status, json } = await send(path, fields)
      return [status, json.error]
    }
    expect(await outcome({ token: 'x' })).toEqual([400, 'invalid_request'])
    expect(await outcome({ client_id, client_secret })).toEqual([400, 'invalid_request'])
    expect(await outcome({ token: 'x', client_id, client_secret: 'wrong' })).toEqual([401, 'invalid_client'])
    expect(await outcome({ token: 'x', client_id })).toEqual([401, 'invalid_client'])
    const { access_token: token } = await oauth.tokens(app, person)
    expect(await outcome({ token, client_id, client_secret: other.secret })).toEqual([401, 'invalid_client'])
    expect((await introspect(token)).json.active).toBe(true)
  })

  test('R7: GET is 405, JSON is 400', async () => {
    const got = await oauth.raw({ path, host: new URL(baseUrl).host })
    expect([got.status, got.headers.allow]).toEqual([405, 'POST'])
    const sent = await send(
      path,
      {},
      { body: JSON.stringify({ ...client(), token: 'x' }), headers: { 'content-type': 'application/json' } },
    )
    expect([sent.status, sent.json.error]).toEqual([400, 'invalid_request'])
  })

  test('T2: answers are JSON and are not stored', async () => {
    const { headers } = await send(path, { ...client(), token: 'x' }, { headers: { accept: 'text/html' } })
    expect([headers['content-type'], headers['cache-control']]).toEqual(['application/json; charset=utf-8', 'no-store'])
  })
})

describe('introspection', () => {
  test('I1, W7: own live tokens', async () => {
    const tokens = await oauth.tokens(app, person, { scopes: ['stats:read'] })
    const common = {
      active: true,
      scope: 'stats:read',
      client_id: app.clientId,
      sub: person.userId,
      iss: authUrl,
      exp: expect.any(Number),
      iat: expect.any(Number),
    }
    const access = await introspect(tokens.access_token)
    expect(done(access)).toEqual([200, expect.objectContaining({ ...common, aud: baseUrl, token_type: 'Bearer' })])
    const refreshing = await introspect(tokens.refresh_token)
    expect(done(refreshing)).toEqual([200, common])
  })

  test.each(garbage)('I2: %j', async (token) => {
    expect(done(await introspect(token))).toEqual([200, { active: false }])
  })

  test('I2, regression: one of before a change of the role, which every other service refuses', async () => {
    const member = await oauth.makeMember()
    const { access_token, refresh_token } = await oauth.tokens(app, member)
    await oauth.setRole(member, 'viewer')
    expect(done(await introspect(access_token))).toEqual([200, { active: false }])
    const next = await refresh(refresh_token)
    expect((await introspect(next.json.access_token)).json).toMatchObject({ active: true, scope: next.json.scope })
  })

  test('I2: another client’s, an expired one, a consumed one, one whose grant ended', async () => {
    const tokens = await oauth.tokens(app, person)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(done(await introspect(token, {}, other))).toEqual([200, { active: false }])
    }
    await refresh(tokens.refresh_token)
    expect(done(await introspect(tokens.refresh_token))).toEqual([200, { active: false }])
    await refresh(tokens.refresh_token)
    expect(done(await introspect(tokens.access_token))).toEqual([200, { active: false }])
    const late = await oauth.tokens(app, person)
    await oauth.moveClock(31 * 86_400_000)
    const over = await introspect(late.refresh_token)
    await oauth.moveClock(0)
    expect(done(over)).toEqual([200, { active: false }])
  })

  test('S31: a forged or foreign JWT is inactive, and asks nobody anything', async () => {
    const { access_token: real } = await oauth.tokens(app, person)
    const [header = '', payload = '', signature = ''] = real.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = decodeJwt(real)
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const forged = [
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}.${signature}`,
      `${encode({ alg: 'ES256', typ: 'at+jwt', kid, jku: 'https://evil.test' })}.${payload}.${signature}`,
      `${header}.${encode({ ...claims, scope: 'invoices:write' })}.${signature}`,
      `${encode({ alg: 'ES256', typ: 'JWT', kid })}.${payload}.${signature}`,
    ]
    for (const token of forged) expect((await introspect(token)).json).toEqual({ active: false })
    expect((await introspect(real)).json.active).toBe(true)
  })
})

describe('metadata', () => {
  const path = '/.well-known/oauth-authorization-server'

  test('D1, D2: the issuer is the configured one, and no member is OpenID’s', async () => {
    const { status, headers, json } = await oauth.raw({ path })
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json).toEqual({
      issuer: authUrl,
      authorization_endpoint: `${authUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      introspection_endpoint: `${baseUrl}/oauth/introspect`,
      jwks_uri: `${baseUrl}/oauth/jwks`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: app.scopes,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      introspection_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: expect.stringContaining(baseUrl),
    })
  })

  test.each([
    '/.well-known/openid-configuration',
    '/oauth/userinfo',
    '/me',
    '/oauth/par',
    '/oauth/session/end',
    '/session/end/confirm',
    '/request',
  ])('D4, W19: %s is 404', async (none) => {
    for (const host of [authUrl, baseUrl])
      expect((await oauth.raw({ path: none, host: new URL(host).host })).status).toBe(404)
  })

  test('D5, S35: the JWKS has public members only', async () => {
    const { json } = await oauth.raw({ path: '/oauth/jwks', host: new URL(baseUrl).host })
    expect(json).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          kid: expect.any(String),
          x: expect.any(String),
          y: expect.any(String),
        },
      ],
    })
  })
})

describe('hosts', () => {
  test('D3, S16: a foreign host is 421, and each host has its own endpoints', async () => {
    const [auth, base] = [new URL(authUrl).host, new URL(baseUrl).host]
    const paths: [string, string, string][] = [
      ['GET', '/oauth/authorize', auth],
      ['GET', '/oauth/consent/x', auth],
      ['GET', '/.well-known/oauth-authorization-server', auth],
      ['GET', '/oauth/authorize/x', auth],
      ['POST', '/oauth/token', base],
      ['POST', '/oauth/revoke', base],
      ['POST', '/oauth/introspect', base],
      ['GET', '/oauth/jwks', base],
    ]
    for (const [method, path, own] of paths) {
      for (const host of ['evil.test', `${own}:8443`, own === auth ? base : auth]) {
        expect([path, host, (await oauth.raw({ method, path, host })).status]).toEqual([path, host, 421])
      }
      expect((await oauth.raw({ method, path, host: own.toUpperCase() })).status).not.toBe(421)
    }
  })

  test('W20: cookies of an interaction are Secure as a listed proxy says, and each is for its path of this interaction alone', async () => {
    const { uid, answer } = await oauth.ask(queryOf(app))
    const cookies = (answer.headers['set-cookie'] ?? []).map((line) =>
      line.split('; ').map((part) => part.toLowerCase()),
    )
    const paths = cookies.map((parts) => parts.find((part) => part.startsWith('path=')))
    expect(new Set(paths)).toEqual(
      new Set([`path=/oauth/consent/${uid}`, `path=/oauth/authorize/${uid}`].map((path) => path.toLowerCase())),
    )
    expect(cookies.every((parts) => parts.includes('secure') && !parts[0]?.startsWith('__host-'))).toBe(true)
  })

  test('D3, W5: a forged forwarded host changes neither metadata nor the way back', async () => {
    const headers = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
    const metadata = await oauth.raw({ path: '/.well-known/oauth-authorization-server', headers })
    const { answer: asked } = await oauth.ask(queryOf(app), { headers })
    expect(JSON.stringify([metadata.json, asked.headers, metadata.headers])).not.toContain('evil.test')
    const { rows } = await oauth.admin.query(
      "select payload::text as t from auth.engine_records where kind = 'Interaction'",
    )
    expect(JSON.stringify(rows)).not.toMatch(/evil\.test|returnTo/)
  })
})

/** Requests over connections that are open already, `ahead` of their answers on each. Resolves when all are answered. */
async function flood(of: App, { connections, ahead }: { connections: number; ahead: number }): Promise<void> {
  const body = formOf({ ...client(of), token: 'x' })
  const lines = [`host: ${new URL(baseUrl).host}`, 'x-forwarded-proto: https', 'x-forwarded-for: 192.0.2.1']
  const head = [...lines, 'content-type: application/x-www-form-urlencoded', `content-length: ${body.length}`]
  const request = `POST /oauth/introspect HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`
  const asking = Array.from({ length: connections }, async () => {
    const socket = connect(oauth.servers[0]?.port ?? 0, '127.0.0.1')
    socket.write(request.repeat(ahead))
    for (let answered = 0; answered < ahead; ) {
      const [data] = await once(socket, 'data')
      answered += data.toString('latin1').split('HTTP/1.1 ').length - 1
    }
    socket.destroy()
  })
  await Promise.all(asking)
}

test('regression: a good client that asks 80 times at once leaves others some connections of the pool', async () => {
  let waiting = 0
  const look = setInterval(() => {
    waiting = Math.max(waiting, oauth.pool.waitingCount)
  }, 1)
  await flood(app, { connections: 4, ahead: 20 })
  clearInterval(look)
  expect(waiting).toBe(0)
})
