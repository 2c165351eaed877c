// From auth's events to the decision about access tokens, over a real database with the roles of a service.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { AuthEvents, AuthEventType } from '@wds/contracts/auth-events'
import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { createLogger } from '@wds/telemetry/logger'
import { type AccessDirectory, createAccessDirectory } from './access-directory.ts'
import { keepConfirmed } from './log-end.fixture.ts'
import { consumeAuthEvents, migrationsDirectory, pruneAccess } from './projection.ts'
import { audience, issuer, makeSigningKey, sign, type TestSigningKey } from './token.fixture.ts'

const logger = createLogger({ service: 'test', level: 'silent' })
const minuteMs = 60_000
let database: TestDatabase
let httpPool: Pool
let workerPool: Pool
let directory: AccessDirectory
let key: TestSigningKey
let eventNumber = 0
let confirming: ReturnType<typeof keepConfirmed>
/** Of the ids of one test. */
let mark = ''

beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, http, worker } = database.urls.services.api
  await migrate({ connectionString: owner, schema: 'api', directories: [migrationsDirectory] })
  httpPool = createPool({ connectionString: http, applicationName: 'test' })
  workerPool = createPool({ connectionString: worker, applicationName: 'test' })
  confirming = keepConfirmed(workerPool)
  directory = await open()
  key = await makeSigningKey('k1')
  await consume(event('SigningKeyPublished', { kid: 'k1', jwk: key.jwk }))
  await becomes(await token(), 'accepted')
})
afterAll(async () => {
  await directory?.stop()
  await confirming?.stop()
  await httpPool?.end()
  await workerPool?.end()
  await database?.drop()
})
beforeEach(() => {
  mark = randomUUID().slice(0, 8)
})

async function open(pool = httpPool): Promise<AccessDirectory> {
  const confirmedForMs = Number.POSITIVE_INFINITY
  const opened = createAccessDirectory({ pool, pollMs: 20, logger, issuer, audience, confirmedForMs })
  await opened.start()
  await opened.whenLoaded()
  return opened
}

/** `createdMs`: now unless told. */
function event<T extends AuthEventType>(type: T, data: AuthEvents[T], createdMs = Date.now()): LogRecord {
  eventNumber += 1
  const eventId = `evt_${String(eventNumber).padStart(10, '0')}`
  const payload = Buffer.from(JSON.stringify({ id: eventId, type, created: new Date(createdMs).toISOString(), data }))
  return { topic: 'auth.events', partition: 0, offset: 0n, key: 'wsp_1', eventId, headers: {}, payload }
}
const consume = (...records: LogRecord[]) =>
  withTransaction(workerPool, { workspaceId: null }, (tx) => consumeAuthEvents(tx, records))

const ids = () => ({
  workspace_id: `wsp_${mark}`,
  user_id: `usr_${mark}`,
  client_id: `cli_${mark}`,
  grant_id: `grt_${mark}`,
  app_id: `app_${mark}`,
})
/** A token of this test's user, app, grant and workspace. */
function token(claims: Record<string, unknown> = {}, atMs = Date.now()): Promise<string> {
  const { user_id: sub, client_id, workspace_id, grant_id } = ids()
  return sign(key, { atMs, claims: { sub, client_id, workspace_id, grant_id, ...claims } })
}

async function judge(text: string, by = directory) {
  const result = await by.authenticate(`Bearer ${text}`, '127.0.0.1')
  return result.ok ? 'accepted' : result.problem
}
async function becomes(text: string, wanted: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while ((await judge(text)) !== wanted) {
    if (performance.now() > deadline) throw new Error(`not ${wanted} in time`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
/** Waits until what was consumed before is in memory. */
async function taken(): Promise<void> {
  const jti = randomUUID()
  const marker = await token({
    jti,
    grant_id: 'grt_marker',
    client_id: 'cli_marker',
    sub: 'usr_m',
    workspace_id: 'wsp_m',
  })
  const of = { workspace_id: 'wsp_m', user_id: 'usr_m', client_id: 'cli_marker', grant_id: 'grt_marker' }
  await consume(event('AccessTokenRevoked', { ...of, jti, expires: new Date(Date.now() + minuteMs).toISOString() }))
  await becomes(marker, 'invalid_token')
}

const ends: { [what: string]: () => { of: LogRecord; others: Record<string, unknown>[] } } = {
  'the grant': () => ({
    of: event('GrantRevoked', { ...ids(), reason: 'ended_by_user' }),
    others: [{ grant_id: 'grt_other' }],
  }),
  'the session of a token of the settings pages': () => ({
    of: event('SessionEnded', { session_id: ids().grant_id, user_id: ids().user_id, reason: 'signed_out' }),
    others: [{ grant_id: 'ses_other' }],
  }),
  'the app, suspended': () => ({ of: event('OAuthAppSuspended', ids()), others: [{ client_id: 'cli_other' }] }),
  'the app, deleted': () => ({ of: event('OAuthAppDeleted', ids()), others: [{ client_id: 'cli_other' }] }),
  'the person, disabled': () => ({
    of: event('UserDisabled', { user_id: ids().user_id }),
    others: [{ sub: 'usr_other' }],
  }),
  'the member, removed': () => ({
    of: event('MemberRemoved', { ...ids(), member_rev: 2 }),
    others: [{ sub: 'usr_other' }, { workspace_id: 'wsp_other' }, { member_rev: 3 }],
  }),
  'the role, changed': () => ({
    of: event('MemberRoleChanged', { ...ids(), role: 'viewer', member_rev: 2 }),
    others: [{ sub: 'usr_other' }, { workspace_id: 'wsp_other' }, { member_rev: 2 }],
  }),
  'the workspace, deleted': () => ({
    of: event('WorkspaceDeleted', ids()),
    others: [{ workspace_id: 'wsp_other' }],
  }),
  'a scope, taken from the app': () => ({
    of: event('OAuthAppChanged', { ...ids(), scopes: ['invoices:read'], scopes_removed: true }),
    others: [{ client_id: 'cli_other' }, { scope: 'invoices:read' }],
  }),
}

describe('access tokens', () => {
  test.each(Object.entries(ends))(
    'XO14: the end of %s refuses its tokens at the next look, and no others',
    async (_, make) => {
      const { of, others } = make()
      const text = await token()
      const rest = await Promise.all(others.map((claims) => token(claims)))
      for (const each of [text, ...rest]) expect(await judge(each)).toBe('accepted')
      await consume(of)
      await becomes(text, 'invalid_token')
      for (const [at, each] of rest.entries()) expect([others[at], await judge(each)]).toEqual([others[at], 'accepted'])
      // Whoever starts later knows it, too.
      const late = await open()
      expect([await judge(text, late), ...(await Promise.all(rest.map((each) => judge(each, late))))]).toEqual([
        'invalid_token',
        ...rest.map(() => 'accepted'),
      ])
      await late.stop()
    },
  )

  test('S32, XO14: one token is revoked alone', async () => {
    const [jti, expires] = [randomUUID(), new Date(Date.now() + 60 * minuteMs).toISOString()]
    const [revoked, other] = [await token({ jti }), await token()]
    expect([await judge(revoked), await judge(other)]).toEqual(['accepted', 'accepted'])
    await consume(event('AccessTokenRevoked', { ...ids(), jti, expires }))
    await becomes(revoked, 'invalid_token')
    expect(await judge(other)).toBe('accepted')
  })

  test('an app that is reinstated is let in again, and an older suspension that comes again changes nothing', async () => {
    const text = await token()
    const suspended = event('OAuthAppSuspended', ids())
    await consume(suspended)
    await becomes(text, 'invalid_token')
    await consume(event('OAuthAppReinstated', ids()))
    await becomes(text, 'accepted')
    await consume(suspended)
    await taken()
    expect(await judge(text)).toBe('accepted')
  })

  test('a role that was changed twice, told in the other order, stays at the later', async () => {
    const [first, second] = [2, 3].map((member_rev) =>
      event('MemberRoleChanged', { ...ids(), role: 'admin', member_rev }),
    ) as [LogRecord, LogRecord]
    const [old, fresh] = [await token({ member_rev: 2 }), await token({ member_rev: 3 })]
    await consume(second, first)
    await becomes(old, 'invalid_token')
    expect(await judge(fresh)).toBe('accepted')
  })

  test('a scope that was taken and given back is not given back to the tokens of before', async () => {
    const later = Date.now() + 6_000
    const [text, fresh] = [await token(), await token({}, later)]
    await consume(event('OAuthAppChanged', { ...ids(), scopes: [], scopes_removed: true }))
    await becomes(text, 'invalid_token')
    await consume(event('OAuthAppChanged', { ...ids(), scopes: ['stats:read'] }))
    await taken()
    expect([await judge(text), await judge(fresh)]).toEqual(['invalid_token', 'accepted'])
  })

  test('a denial lasts as long as a token of before, with the tolerance of clocks, and is gone after 1 h 1 min', async () => {
    const agoMs = 61 * minuteMs
    const text = await token()
    await consume(event('GrantRevoked', { ...ids(), reason: 'ended_by_user' }, Date.now() - agoMs))
    await taken()
    expect(await judge(text)).toBe('accepted')
    const soon = Date.now() - agoMs + minuteMs
    await consume(event('GrantRevoked', { ...ids(), reason: 'ended_by_user' }, soon))
    await becomes(text, 'invalid_token')
    const admin = createPool({
      connectionString: database.adminUrl,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
    })
    const row = async () =>
      (await admin.query('select from api.access_denials where id = $1', [ids().grant_id])).rowCount
    await pruneAccess(workerPool)
    expect(await row()).toBe(1)
    // A minute later by the database's clock.
    const { http, worker } = database.urls.services.api
    const [httpThen, workerThen] = [http, worker].map((url) => {
      const options = encodeURIComponent(`-c app.clock_offset_ms=${minuteMs}`)
      return createPool({ connectionString: `${url}?options=${options}`, applicationName: 'test', max: 1 })
    }) as [Pool, Pool]
    const then = await open(httpThen)
    expect(await judge(text, then)).toBe('accepted')
    await then.stop()
    await pruneAccess(workerThen)
    expect(await row()).toBe(0)
    await Promise.all([admin, httpThen, workerThen].map((pool) => pool.end()))
  })

  test('B12: a key of auth is known from its event, also after a restart, until it is retired', async () => {
    const next = await makeSigningKey(`k_${mark}`)
    const text = await sign(next, { atMs: Date.now() })
    expect(await judge(text)).toBe('invalid_token')
    const published = event('SigningKeyPublished', { kid: next.jwk.kid, jwk: next.jwk })
    await consume(published)
    await becomes(text, 'accepted')
    const restarted = await open()
    expect(await judge(text, restarted)).toBe('accepted')
    await restarted.stop()
    await consume(event('SigningKeyRetired', { kid: next.jwk.kid }), published)
    await taken()
    // Not one that was verified within the last minute.
    const other = await sign(next, { atMs: Date.now() })
    expect(await judge(other)).toBe('invalid_token')
  })

  test('B12, regression: a key of auth that is told of behind its end never lives', async () => {
    const { jwk, ...rest } = await makeSigningKey(`k_late_${mark}`)
    await consume(event('SigningKeyRetired', { kid: jwk.kid }))
    await consume(event('SigningKeyPublished', { kid: jwk.kid, jwk }))
    await taken()
    expect(await judge(await sign({ jwk, ...rest }, { atMs: Date.now() }))).toBe('invalid_token')
  })

  test('malformed events are poison', async () => {
    const bad = [
      event('GrantRevoked', { ...ids(), grant_id: 7 as never, reason: 'expired' }),
      event('MemberRemoved', { ...ids(), member_rev: 'x' as never }),
      event('SigningKeyPublished', { kid: 'k', jwk: { ...key.jwk, crv: 'P-384' as never } }),
      event('OAuthAppChanged', { ...ids(), scopes_removed: true }),
    ]
    for (const record of bad) await expect(consume(record)).rejects.toThrow(PoisonRecord)
  })

  test('the HTTP role may only read, and the worker role may not delete', async () => {
    for (const table of ['access_denials', 'access_signing_keys']) {
      await expect(httpPool.query(`update ${table} set seq = 0`)).rejects.toThrow('permission denied')
      for (const pool of [httpPool, workerPool]) {
        await expect(pool.query(`delete from ${table}`)).rejects.toThrow('permission denied')
      }
    }
  })
})
