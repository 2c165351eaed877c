// While a service cannot see the end of the log it judges by what auth says (auth.md 5.7), here of a service that knows nothing by itself but
// the signing keys: each way in which a credential ends is asked for in its place.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type AccessDirectory, createAccessDirectory } from '@wds/access/access-directory'
import { makeApiKey } from '@wds/access/api-key'
import { createAuthClient } from '@wds/access/auth-client'
import { keepConfirmed } from '@wds/access/log-end.fixture'
import { consumeAuthEvents } from '@wds/access/projection'
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { withTransaction } from '@wds/postgres/transaction'
import { createLogger } from '@wds/telemetry/logger'
import { disableAccount } from '../accounts/end-account.ts'
import { contextOf } from '../auth-database.fixture.ts'
import { cutGrants, endGrants } from '../oauth/grants/end-grants.ts'
import type { App, Member } from '../oauth/oauth-people.fixture.ts'
import { authUrl, baseUrl, type OAuthService } from '../oauth/oauth-service.fixture.ts'
import { type OAuthAndSettings, startOAuthAndSettings } from '../oauth-and-settings.fixture.ts'
import { oauthApps } from '../oauth-apps/aggregate.ts'
import type { OAuthAppCommand } from '../oauth-apps/domain/oauth-app.ts'

let both: OAuthAndSettings
let oauth: OAuthService
let confirming: ReturnType<typeof keepConfirmed>
const opened: AccessDirectory[] = []
beforeAll(async () => {
  both = await startOAuthAndSettings()
  oauth = both.oauth
  confirming = keepConfirmed(oauth.worker)
})
afterEach(() => Promise.all(opened.splice(0).map((one) => one.stop())))
afterAll(async () => {
  await confirming?.stop()
  await both?.stop()
})

/** A process that never sees the end of the log after its start. */
async function open(url: string | null = both.operator.url): Promise<AccessDirectory> {
  const auth = url === null ? undefined : createAuthClient({ token: () => both.operator.token, url })
  const directory = createAccessDirectory({
    pool: oauth.pool,
    issuer: authUrl,
    audience: baseUrl,
    auth,
    pollMs: 20,
    confirmedForMs: -1,
    logger: createLogger({ service: 'test', level: 'silent' }),
  })
  opened.push(directory)
  await directory.start()
  await directory.whenLoaded()
  return directory
}
async function judge(credential: string, by?: AccessDirectory) {
  const result = await (by ?? (await open())).authenticate(`Bearer ${credential}`, '127.0.0.1')
  return result.ok ? 'accepted' : result.problem
}

async function commandApp(app: App, command: OAuthAppCommand): Promise<void> {
  const { workspaceId } = app
  await withTransaction(oauth.pool, { workspaceId }, async (tx) => {
    const loaded = await load(tx, oauthApps, app.appId, { lock: true })
    if (loaded === null) throw new Error('no app')
    await executeOrFail(tx, oauthApps, { context: contextOf(workspaceId), loaded, command })
  })
}
const revoke = (app: App, token: string) =>
  oauth.post('/oauth/revoke', { client_id: app.clientId, client_secret: app.secret, token })

type Made = { app: App; person: Member; tokens: { access_token: string; refresh_token: string } }
const ends: Record<string, (made: Made) => Promise<unknown>> = {
  'it was revoked alone': ({ app, tokens }) => revoke(app, tokens.access_token),
  'its grant was revoked': ({ app, tokens }) => revoke(app, tokens.refresh_token),
  'its app was suspended': ({ app }) => commandApp(app, { type: 'suspend' }),
  'a scope of it was taken from its app': ({ app }) =>
    commandApp(app, { type: 'update', patch: { scopes: ['stats:read'] } }),
  'its member has another role': ({ person }) => oauth.setRole(person, 'admin'),
  'its member was removed': ({ person }) => oauth.removeMember(person),
  'its person was disabled': ({ person: { userId } }) =>
    withTransaction(oauth.pool, { workspaceId: null, userId }, (tx) =>
      disableAccount(tx, { userId, grants: { cut: cutGrants, end: endGrants }, by: contextOf('') }),
    ),
}

describe('5.7: an access token of an app', () => {
  test.each(Object.entries(ends))('is refused once %s, and others are not', async (_what, end) => {
    const make = async (): Promise<Made> => {
      const [app, person] = [await oauth.makeApp(), await oauth.makeMember()]
      return { app, person, tokens: await oauth.tokens(app, person) }
    }
    const [one, other] = [await make(), await make()]
    expect(await judge(one.tokens.access_token)).toBe('accepted')
    await end(one)
    expect(await judge(one.tokens.access_token)).toBe('invalid_token')
    expect(await judge(other.tokens.access_token)).toBe('accepted')
  })

  test('one that is not ours costs auth no question, and one that memory refuses neither', async () => {
    const directory = await open('http://127.0.0.1:9')
    expect(await judge('eyJhbGciOiJub25lIn0.e30.', directory)).toBe('invalid_token')
    expect(await judge(`${makeApiKey(randomBytes).slice(0, -1)}!`, directory)).toBe('invalid_request')
  })
})

describe('5.7: a token of the settings pages', () => {
  const consoleEnds: Record<
    string,
    (person: Member, call: Awaited<ReturnType<OAuthAndSettings['callAs']>>) => Promise<unknown>
  > = {
    'its session has ended': (_, call) => call('/v1/session/end-all', { method: 'POST' }),
    'its member has another role': (person) => oauth.setRole(person, 'admin'),
    'its member was removed': (person) => oauth.removeMember(person),
    'its workspace was deleted': (_, call) => call('/v1/workspace', { method: 'DELETE' }),
  }
  test.each(Object.entries(consoleEnds))('is refused once %s', async (_what, end) => {
    const person = await oauth.makeMember()
    const call = await both.callAs(person)
    const { json } = await call('/v1/session/token', { method: 'POST' })
    expect(await judge(json.access_token)).toBe('accepted')
    await end(person, call)
    expect(await judge(json.access_token)).toBe('invalid_token')
  })
})

describe('5.7: a key', () => {
  const path = '/v1/api-keys'
  const newKey = { name: 'importer', scopes: ['stats:read'], expires_in_days: 30 }
  /** A key that the projection has, and will not hear of again. */
  async function known() {
    const call = await both.callAs(await oauth.makeMember())
    const { json } = await call(path, { body: newKey })
    const { rows } = await oauth.admin.query<{ event_id: string; payload: Buffer; workspace_id: string }>(
      `select event_id, payload, workspace_id from auth.outbox where headers ->> 'event_type' = 'ApiKeyCreated'`,
    )
    const records = rows.map(({ event_id: eventId, payload, workspace_id: key }) => ({
      topic: 'auth.events',
      partition: 0,
      offset: 0n,
      headers: {},
      key,
      eventId,
      payload,
    }))
    await withTransaction(oauth.worker, { workspaceId: null }, (tx) => consumeAuthEvents(tx, records))
    return { call, id: json.id as string, key: json.api_key as string }
  }

  test('that the projection has is judged by what auth says: it is revoked, its ranges are others, or it goes on', async () => {
    const [one, other, third] = [await known(), await known(), await known()]
    for (const { key } of [one, other, third]) expect(await judge(key)).toBe('accepted')
    await one.call(`${path}/${one.id}`, { method: 'DELETE' })
    await other.call(`${path}/${other.id}`, { method: 'PATCH', body: { cidrs: ['203.0.113.0/24'] } })
    expect([await judge(one.key), await judge(other.key), await judge(third.key)]).toEqual([
      ...['invalid_token', 'invalid_token', 'accepted'],
    ])
  })

  test('that was made meanwhile serves at its first call, and one that was invented is refused', async () => {
    const call = await both.callAs(await oauth.makeMember())
    const { json } = await call(path, { body: newKey })
    expect([await judge(json.api_key), await judge(makeApiKey(randomBytes))]).toEqual(['accepted', 'invalid_token'])
  })

  test('and a token, with auth away too: nobody can tell, which is no refusal', async () => {
    const { key } = await known()
    const token = (await oauth.tokens(await oauth.makeApp(), await oauth.makeMember())).access_token
    const directory = await open()
    expect(await judge(token, directory)).toBe('accepted')
    for (const url of ['http://127.0.0.1:9', null]) {
      const lonely = await open(url)
      for (const one of [key, makeApiKey(randomBytes)]) {
        await expect(judge(one, lonely)).rejects.toMatchObject({ code: 'access_unconfirmed' })
      }
    }
  })
})
