// What requests cost that prove no client: anybody can send them, and an app's client id is public (auth.md T31, S40).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { App } from './oauth-people.fixture.ts'
import { basic, outcomeOf, queryOf, redirectUrl } from './oauth-requests.fixture.ts'
import { type OAuthService, startOAuth } from './oauth-service.fixture.ts'

let oauth: OAuthService
let app: App
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp()
})
afterAll(() => oauth?.stop())

const send = (fields: Record<string, string>, address: string, headers: Record<string, string> = {}) =>
  oauth.post('/oauth/token', { client_id: app.clientId, ...fields }, { address, headers })

test.each([
  ['a foreign resource', { resource: 'https://other.example' }, () => ({})],
  ['a broken header', { grant_type: 'refresh_token' }, () => ({ authorization: 'Basic !' })],
  ['two secrets', { client_secret: 'x' }, () => ({ authorization: basic(app.clientId, app.secret) })],
])('T31, regression: %s is 400 ten times a minute, and then 429 without another row', async (name, fields, headers) => {
  const address = `192.0.2.${name.length}`
  const statuses = []
  // A minute may end once on the way.
  for (let sent = 0; sent < 22; sent += 1) statuses.push((await send(fields, address, headers())).status)
  expect([...new Set(statuses)].sort()).toEqual([400, 429])
  expect(statuses.slice(0, 10)).not.toContain(429)
})

describe('T31, S27, XO10: failed client authentications', () => {
  const at = (address: string) => ({ address })

  test('after ten in a minute the pair of client and address is 429; the client at another address is not', async () => {
    const own = await oauth.makeApp()
    const first = await oauth.tokens(own, await oauth.makeMember())
    const right = oauth.refreshing(own, first.refresh_token)
    const wrong = { ...right, client_secret: 'wrong' }
    const answers = []
    for (let nth = 0; nth < 11; nth += 1) answers.push(await oauth.post('/oauth/token', wrong, at('192.0.2.7')))
    // A minute may have ended on the way.
    const again =
      answers.at(-1)?.status === 429 ? answers.at(-1) : await oauth.post('/oauth/token', wrong, at('192.0.2.7'))
    expect(answers.slice(0, 10).every(({ status }) => status === 401)).toBe(true)
    expect(again?.json).toEqual({ error: 'too_many_requests', error_description: expect.any(String) })
    expect(Number(again?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await oauth.post('/oauth/revoke', { ...wrong, token: 'x' }, at('192.0.2.7'))).status).toBe(429)
    expect((await oauth.post('/oauth/token', right, at('192.0.2.8'))).status).toBe(200)
  })

  test('regression: a client id in percent escapes (Basic) is the client that it means', async () => {
    const own = await oauth.makeApp()
    const spell = (nth: number) =>
      [...own.clientId].map((c, at) => (at === nth ? `%${c.charCodeAt(0).toString(16)}` : c)).join('')
    const statuses = []
    // A minute may end on the way.
    for (let nth = 0; nth < 22 && statuses.at(-1) !== 429; nth += 1) {
      const authorization = `Basic ${Buffer.from(`${spell(nth % 12)}:wrong`).toString('base64')}`
      const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
      statuses.push(
        (await oauth.post('/oauth/token', fields, { ...at('192.0.2.10'), headers: { authorization } })).status,
      )
    }
    expect(statuses.slice(0, 10).every((status) => status === 401)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
  })

  test('after sixty of one address, whatever clients it names, all are 429', async () => {
    const statuses = []
    // A minute may end on the way.
    for (let nth = 0; nth < 122 && statuses.at(-1) !== 429; nth += 1) {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: `cli_${nth}`, client_secret: 'x' }
      statuses.push((await oauth.post('/oauth/token', fields, at('192.0.2.9'))).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true)
  })
})

test('T31: a client that proves who it is may err as often as it likes', async () => {
  const fields = { grant_type: 'refresh_token', refresh_token: 'wdr_x', client_secret: app.secret }
  for (let sent = 0; sent < 12; sent += 1) {
    expect(outcomeOf(await send(fields, '192.0.2.30'))).toEqual([400, 'invalid_grant'])
  }
})

test('regression: a zero character, which the database refuses, is the sender’s fault', async () => {
  const nobody = { client_id: 'cli_\u0000', grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'x' }
  expect(outcomeOf(await send(nobody, '192.0.2.31'))).toEqual([401, 'invalid_client'])
  const foreign = { ...nobody, resource: 'https://other.example' }
  expect(outcomeOf(await send(foreign, '192.0.2.31'))).toEqual([400, 'invalid_target'])
  const asked = async (query: object) => (await oauth.ask({ ...queryOf(app), ...query })).answer
  const back = new URL((await asked({ state: 'a\u0000b' })).headers.location ?? 'none:')
  expect([back.origin + back.pathname, back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
    ...[redirectUrl, 'invalid_request', 'a\u0000b'],
  ])
  expect((await asked({ client_id: 'cli_\u0000' })).status).toBe(400)
})
