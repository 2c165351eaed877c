// What other services are told of keys on the internal listener, and that a fresh key serves at its first call.
import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createAccessDirectory } from '@wds/access/access-directory'
import { makeApiKey } from '@wds/access/api-key'
import { createAuthClient } from '@wds/access/auth-client'
import { createLogger } from '@wds/telemetry/logger'
import { type AuthService, startAuth } from '../auth-service.fixture.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const path = '/v1/api-keys'
const newKey = { name: 'importer', scopes: ['stats:read'], cidrs: ['10.0.0.0/8'], expires_in_days: 30 }
const digestOf = (key: string) => hash('sha256', key, 'hex')
const introspect = async (key: string) =>
  (await auth.operate('/internal/introspect', { body: { digest: digestOf(key) } })).json.key

test('a key is told of from its commit on, with its rights, until it is revoked', async () => {
  const { browser, workspaceId } = await auth.ownedWorkspace()
  const { json: made } = await browser.write(path, { body: newKey })
  const rights = { key_id: made.id, workspace_id: workspaceId, scopes: ['stats:read'], cidrs: ['10.0.0.0/8'] }
  expect(await introspect(made.api_key)).toEqual({ ...rights, expires: made.expires })
  await browser.write(`${path}/${made.id}`, { method: 'PATCH', body: { cidrs: [], scopes: ['campaigns:read'] } })
  expect(await introspect(made.api_key)).toMatchObject({ cidrs: [], scopes: ['campaigns:read'] })
  expect(await introspect(makeApiKey(randomBytes))).toBeNull()
  await browser.write(`${path}/${made.id}`, { method: 'DELETE' })
  expect(await introspect(made.api_key)).toBeNull()
})

test('both texts of a rotated key, the older one until the end of the overlap; none after the end of the key', async () => {
  const { browser } = await auth.ownedWorkspace()
  const { json: made } = await browser.write(path, { body: newKey })
  const { json: rotated } = await browser.write(`${path}/${made.id}/rotate`, { body: { overlap_hours: 1 } })
  expect(await introspect(rotated.api_key)).toMatchObject({ key_id: made.id, expires: made.expires })
  expect(Date.parse((await introspect(made.api_key)).expires)).toBeLessThan(Date.parse(made.expires))
  await auth.moveClock(3_601_000)
  expect([await introspect(made.api_key), (await introspect(rotated.api_key))?.key_id]).toEqual([null, made.id])
  await auth.moveClock(31 * 86_400_000)
  expect(await introspect(rotated.api_key)).toBeNull()
  await auth.moveClock(0)
})

test('a deleted workspace takes its keys along', async () => {
  const { browser } = await auth.ownedWorkspace()
  const { json: made } = await browser.write(path, { body: newKey })
  expect(await introspect(made.api_key)).not.toBeNull()
  expect((await browser.write('/v1/workspace', { method: 'DELETE' })).status).toBe(204)
  expect(await introspect(made.api_key)).toBeNull()
})

test('what is no digest is refused, and nothing is told without the service token', async () => {
  const { status } = await auth.operate('/internal/introspect', { body: { digest: 'x' } })
  expect(status).toBe(422)
  const internal = auth.internalUrl
  const body = JSON.stringify({ digest: '0'.repeat(64) })
  const ask = (url: string, authorization = '') =>
    fetch(`${url}/internal/introspect`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization },
    })
  expect([(await ask(internal)).status, (await ask(internal, 'Bearer x')).status]).toEqual([401, 401])
  expect((await ask(auth.url, `Bearer ${auth.serviceToken}`)).status).toBe(404)
})

test('a service that follows no log yet accepts a fresh key at its first call, and tells a fault from a refusal', async () => {
  const { browser } = await auth.ownedWorkspace()
  const { json: made } = await browser.write(path, { body: { ...newKey, cidrs: [] } })
  const open = (url: string) =>
    createAccessDirectory({
      pool: auth.pool,
      logger: createLogger({ service: 'test', level: 'silent' }),
      issuer: 'x',
      audience: 'x',
      auth: createAuthClient({ url, token: () => auth.serviceToken }),
    })
  const [following, alone] = [open(auth.internalUrl), open('http://127.0.0.1:9')]
  await Promise.all([following, alone].map((one) => one.start().then(one.whenLoaded)))
  const judge = (by: typeof following, key: string) => by.authenticate(`Bearer ${key}`, '10.0.0.1')
  expect(await judge(following, made.api_key)).toMatchObject({ ok: true, client: { id: made.id } })
  expect(await judge(following, makeApiKey(randomBytes))).toEqual({ ok: false, problem: 'invalid_token' })
  await expect(judge(alone, made.api_key)).rejects.toMatchObject({ code: 'keys_unavailable' })
  await Promise.all([following.stop(), alone.stop()])
})

test('regression: what each service asks every second does not bury the other lines of the log, unless it goes wrong', async () => {
  const polled = '/internal/unpublished'
  const asked = await auth.operate(polled)
  const refused = await auth.operate(`${polled}?since=0`)
  const healthy = await fetch(`${auth.url}/healthz`)
  expect([asked.status, refused.status, healthy.status]).toEqual([200, 400, 200])
  const lines = () =>
    auth.log.map((line) => JSON.parse(line)).filter(({ route }) => route === polled || route === '/healthz')
  const deadline = performance.now() + 60_000
  while (lines().length === 0 && performance.now() < deadline) await new Promise(setImmediate)
  // Its line comes behind theirs.
  expect(lines()).toMatchObject([{ route: polled, status: 400, level: 'info' }])
})
