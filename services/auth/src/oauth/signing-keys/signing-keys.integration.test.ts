// Keys that sign access tokens: how they are stored and told of, and what a rotation does.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { checkKeyCanary } from '@wds/service-host/key-canary'
import { reencryptSecrets } from '@wds/service-host/reencrypt-secrets'
import { decodeProtectedHeader } from 'jose'
import { baseUrl, type OAuthService, startOAuth } from '../oauth-service.fixture.ts'
import { loadSigningKeys, pruneSigningKeys, rotateSigningKeys, storedKeys } from './store.ts'

let oauth: OAuthService
beforeAll(async () => {
  oauth = await startOAuth({ processes: 2 })
})
afterAll(() => oauth?.stop())

const kids = async (process = 0) => {
  const answer = await oauth.raw({ process, path: '/oauth/jwks', host: new URL(baseUrl).host })
  return (answer.json.keys as { kid: string }[]).map(({ kid }) => kid)
}
const told = async () => {
  const { rows } = await oauth.admin.query<{ key: string; payload: Buffer }>(
    `select key, payload from auth.outbox where key !~ '^wsp_' order by id`,
  )
  return rows.map(({ key, payload }) => ({ key, ...JSON.parse(String(payload)) }))
}

test('D5, B12: a rotation publishes the next key before it signs, keeps the former one published, and tells of each on the log', async () => {
  const [first = ''] = await kids()
  expect(await kids(1)).toEqual([first])
  const published = await rotateSigningKeys(oauth.pool, oauth.envelope)
  if (published.did !== 'published') throw new Error(published.did)
  const next = published.kid
  expect(await rotateSigningKeys(oauth.pool, oauth.envelope)).toMatchObject({ did: 'wait' })
  const reload = () => Promise.all(oauth.servers.map((server) => server.oauth.keys.reload()))
  await reload()
  expect(await kids()).toEqual([first, next])

  const app = await oauth.makeApp()
  const person = await oauth.makeMember()
  const before = await oauth.tokens(app, person)
  expect(decodeProtectedHeader(before.access_token).kid).toBe(first)
  await oauth.moveClock(10 * 60_000 + 1_000)
  expect(await rotateSigningKeys(oauth.pool, oauth.envelope)).toEqual({ did: 'promoted', kid: next })
  await reload()
  const after = await oauth.tokens(app, person)
  expect(decodeProtectedHeader(after.access_token).kid).toBe(next)
  expect(await kids(1)).toEqual([next, first])
  const introspect = async (token: string) =>
    (await oauth.post('/oauth/introspect', { token, client_id: app.clientId, client_secret: app.secret })).json.active
  expect([await introspect(before.access_token), await introspect(after.access_token)]).toEqual([true, true])

  await pruneSigningKeys(oauth.worker)
  await reload()
  expect(await kids()).toEqual([next, first])
  await oauth.moveClock(130 * 60_000 + 2_000)
  await pruneSigningKeys(oauth.worker)
  await reload()
  expect(await kids()).toEqual([next])
  expect(await introspect(before.access_token)).toBe(false)
  await oauth.moveClock(0)
  const events = (await told()).filter(({ type }) => /SigningKey/.test(type))
  expect(events.map(({ key, type }) => [key, type])).toEqual([
    [first, 'SigningKeyPublished'],
    [next, 'SigningKeyPublished'],
    [first, 'SigningKeyRetired'],
  ])
  expect(Object.keys(events[0].data.jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})

test('S34: what is stored of a key signs nothing without the key-encryption key', async () => {
  const { rows } = await oauth.admin.query<{ private_jwk: string; public_jwk: object }>(
    "select private_jwk, public_jwk from auth.signing_keys where state = 'current'",
  )
  expect(JSON.parse(rows[0]?.private_jwk ?? '')).toMatchObject({ v: 1, kid: 'test' })
  expect(Object.keys(rows[0]?.public_jwk ?? {})).not.toContain('d')
  expect(JSON.stringify(rows)).not.toMatch(/"d"/)
})

test('two processes that start at the same time make one key', async () => {
  const { rows } = await oauth.admin.query("select 1 from auth.signing_keys where state = 'current'")
  expect(rows).toHaveLength(1)
})

test('XP03: reencrypt-secrets leaves keys that sign as before and open by the new key alone', async () => {
  const { pool, worker, admin, envelope } = oauth
  const readAll = async () => (await admin.query('select * from auth.signing_keys order by kid')).rows
  const [before, signing] = [await readAll(), await loadSigningKeys(pool, envelope)]
  const newKey = { kid: 'new', key: randomBytes(32) }
  const both = createEnvelopeEncryption([newKey, oauth.key])
  await checkKeyCanary(worker, { envelope: both, kid: 'new' })
  const run = () =>
    reencryptSecrets({ pool, worker, columns: [storedKeys], envelope: both, kid: 'new', progress: () => undefined })
  expect(await run()).toMatchObject({ read: 1, changed: 1 })
  expect(await loadSigningKeys(pool, createEnvelopeEncryption([newKey]))).toEqual(signing)
  expect(await run()).toMatchObject({ read: 1, changed: 0 })
  const strip = (rows: Record<string, unknown>[]) => rows.map(({ private_jwk: _, ...row }) => row)
  expect(strip(await readAll())).toEqual(strip(before))
})
