// The redemption of codes, row by row of auth.md 3.2, by raw requests.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { App, Member } from './oauth-people.fixture.ts'
import { type Fields, outcomeOf, redirectUrl, without } from './oauth-requests.fixture.ts'
import { baseUrl, type OAuthService, startOAuth } from './oauth-service.fixture.ts'

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

describe('400 invalid_grant', () => {
  test('T14, S5, XO04: a code that is unknown, another client’s, or older than 60 s', async () => {
    const fields = await code()
    const other = await oauth.makeApp()
    expect(outcomeOf(await token({ ...fields, code: `wdcode_${'x'.repeat(38)}` }))).toEqual([400, 'invalid_grant'])
    const asOther = { ...fields, client_id: other.clientId, client_secret: other.secret }
    expect(outcomeOf(await token(asOther))).toEqual([400, 'invalid_grant'])
    // Of its 60 s a busy machine may need some for the request itself.
    await oauth.moveClock(40_000)
    const young = await token(fields)
    const old = await code()
    await oauth.moveClock(40_000 + 61_000)
    const late = await token(old)
    await oauth.moveClock(0)
    expect([young.status, outcomeOf(late)]).toEqual([200, [400, 'invalid_grant']])
  })

  test('T15, S2, S6, XO02: a wrong, missing or malformed verifier is refused, and the code survives for its owner', async () => {
    const fields = await code()
    const verifiers: [string | undefined, string][] = [
      [randomBytes(32).toString('base64url'), 'invalid_grant'],
      [undefined, 'invalid_grant'],
      ['short', 'invalid_request'],
      [`${'x'.repeat(42)} `, 'invalid_request'],
    ]
    for (const [verifier, error] of verifiers) {
      const { code_verifier: _, ...rest } = fields
      const answer = await token(verifier === undefined ? rest : { ...rest, code_verifier: verifier })
      expect(outcomeOf(answer)).toEqual([400, error])
    }
    expect((await token(fields)).status).toBe(200)
  })

  test('T16, XO04: another redirect_uri than that of the request, or none', async () => {
    const fields = await code()
    expect(outcomeOf(await token({ ...fields, redirect_uri: `${redirectUrl}/` }))).toEqual([400, 'invalid_grant'])
    expect(outcomeOf(await token(without(fields, 'redirect_uri')))).toEqual([400, 'invalid_request'])
    expect((await token(fields)).status).toBe(200)
  })

  test('T17, S3, XO03: a code used twice: its tokens end, and that is told once', async () => {
    const member = await oauth.makeMember()
    const fields = oauth.redemption(app, await oauth.authorize(app, member))
    const first = await token(fields)
    expect(outcomeOf(await token(fields))).toEqual([400, 'invalid_grant'])
    expect(outcomeOf(await token(oauth.refreshing(app, first.json.refresh_token)))).toEqual([400, 'invalid_grant'])
    expect(outcomeOf(await token(fields))).toEqual([400, 'invalid_grant'])
    expect(await oauth.announced(member.workspaceId)).toMatchObject([
      { type: 'AppAuthorized' },
      { type: 'GrantRevoked', data: { reason: 'code_reused' } },
    ])
  })

  test('T19: a hand-made code without a challenge, redeemed with a verifier', async () => {
    const fields = await code()
    await oauth.admin.query(
      `update auth.engine_records set payload = payload - 'codeChallenge' - 'codeChallengeMethod' where kind = 'AuthorizationCode'`,
    )
    expect(outcomeOf(await token(fields))).toEqual([400, 'invalid_grant'])
  })
})

test('W16, regression: a redemption that the database cuts short consumes nothing: it may be tried again, as the answer says', async () => {
  const fields = await code()
  const mend = await oauth.breakWrites('RefreshToken')
  const cut = await token(fields)
  await mend()
  expect(outcomeOf(cut)).toEqual([503, 'temporarily_unavailable'])
  const again = await token(fields)
  expect(again.status).toBe(200)
  expect((await token(oauth.refreshing(app, again.json.refresh_token))).status).toBe(200)
})

test('T34, S27: codes and refresh tokens have 190 random bits, and scanners find them', async () => {
  const authorization = await oauth.authorize(app, person)
  expect(authorization.code).toMatch(/^wdcode_[0-9A-Za-z]{38}$/)
  expect(await refreshToken()).toMatch(/^wdr_[0-9A-Za-z]{38}$/)
  expect(Math.log2(62) * 32).toBeGreaterThan(160)
})

test('T35, S38: a resource of another API is refused, and neither code nor refresh token is consumed', async () => {
  const fields = await code()
  for (const resource of ['https://other.example', `${baseUrl}/`, [baseUrl, 'https://other.example'], 'x']) {
    expect(outcomeOf(await token({ ...fields, resource }))).toEqual([400, 'invalid_target'])
  }
  const first = await token({ ...fields, resource: baseUrl })
  expect(first.status).toBe(200)
  const refreshing = oauth.refreshing(app, first.json.refresh_token)
  expect(outcomeOf(await token({ ...refreshing, resource: 'https://other.example' }))).toEqual([400, 'invalid_target'])
  expect((await token(refreshing)).status).toBe(200)
})
