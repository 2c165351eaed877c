// Apps as rows: what the OAuth server finds of a client at each request, and what of it is stored.

import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { digestOf } from '@wds/access/digest'
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import { createAuthDatabase } from '../auth-database.fixture.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { oauthApps } from './aggregate.ts'
import { clientSecretPattern, makeClientSecret } from './client-secret.ts'
import type { OAuthAppCommand } from './domain/oauth-app.ts'
import { registerApp } from './register-app.ts'
import { findClient, insertSecret, noteSecretUse } from './store.ts'
import { errorsMax, listOAuthErrors, recordOAuthError } from './store-errors.ts'
import { readLogo } from './store-logo.ts'

let database: TestDatabase
let pool: Pool
let admin: Pool

beforeAll(async () => {
  database = await createAuthDatabase()
  const { http } = database.urls.services.auth
  pool = createPool({ connectionString: http, applicationName: 'test', max: 4 })
  admin = createPool({ connectionString: database.adminUrl, applicationName: 'test', max: 1, statementTimeoutMs: 0 })
})
afterAll(async () => {
  await Promise.all([pool, admin].map((one) => one?.end()))
  await database?.drop()
})

const contextOf = (workspaceId: string): AppendContext => ({
  workspaceId,
  actor: { type: 'user', id: 'usr_1' },
  correlation: 'c',
  trace: serverContext(undefined),
})

/** A workspace with an app of two redirect URLs. */
async function makeApp() {
  const { workspaceId } = await createWorkspace(pool, { name: 'Acme', plan: 'business', keyName: 'k', scopes: null })
  const png = randomBytes(300)
  const logo = { png, digest: hash('sha256', png, 'buffer') }
  const fields = { name: 'Acme Sync', redirect_urls: ['https://a.example/cb', 'https://a.example/cb?x=1'] }
  const made = await withTransaction(pool, { workspaceId }, async (tx) =>
    registerApp(tx, {
      context: contextOf(workspaceId),
      nowMs: await dbNow(tx),
      app: { fields: { ...fields, scopes: ['stats:read'] }, state: 'live', logo },
    }),
  )
  if (!made.ok || made.value.state.status === 'none') throw new Error('refused')
  return { workspaceId, logo, secret: made.secret, ...made.value.state }
}

async function command(app: { workspaceId: string; app_id: string }, ...commands: OAuthAppCommand[]): Promise<void> {
  const { workspaceId, app_id } = app
  for (const command of commands) {
    await withTransaction(pool, { workspaceId }, async (tx) => {
      const loaded = (await load(tx, oauthApps, app_id, { lock: true })) ?? blank(oauthApps, { nowMs: 0 })
      await executeOrFail(tx, oauthApps, { context: contextOf(workspaceId), loaded, command })
    })
  }
}

describe('a client', () => {
  test('is found by its id with all that its app is, and its secret by its digest alone', async () => {
    const app = await makeApp()
    expect(await findClient(pool, app.client_id)).toEqual({
      appId: app.app_id,
      clientId: expect.stringMatching(/^cli_[0-9A-HJKMNP-TV-Z]{26}$/),
      workspaceId: app.workspaceId,
      workspaceName: 'Acme',
      plan: 'business',
      name: 'Acme Sync',
      state: 'live',
      scopes: ['stats:read'],
      redirectUrls: ['https://a.example/cb', 'https://a.example/cb?x=1'],
      secrets: [{ id: expect.stringMatching(/^sec_/), digest: digestOf(app.secret), ends: null, isNoted: false }],
      logoDigest: app.logo.digest.toString('hex'),
    })
    expect(await findClient(pool, 'cli_00000000000000000000000000')).toBeNull()
  })

  test('T34, S27: has a secret of 40 random characters, which scanners find and nothing stores', async () => {
    const app = await makeApp()
    expect(app.secret).toMatch(new RegExp(`^${clientSecretPattern.replaceAll('\\b', '')}$`))
    expect(Math.log2(62) * 40).toBeGreaterThan(238)
    const { rows } = await admin.query(
      'select data::text from auth.stream_events union all select state::text from auth.oauth_apps',
    )
    expect(JSON.stringify(rows)).not.toContain(app.secret)
    expect(JSON.stringify(rows)).not.toContain(digestOf(app.secret).toString('hex'))
  })

  test('S41: is suspended, reinstated and gone at the next request', async () => {
    const app = await makeApp()
    const state = async () => (await findClient(pool, app.client_id))?.state ?? null
    await command(app, { type: 'suspend' })
    expect(await state()).toBe('suspended')
    await command(app, { type: 'reinstate' })
    expect(await state()).toBe('live')
    await command(app, { type: 'delete' })
    expect(await state()).toBeNull()
    expect(await readLogo(pool, app.logo.digest)).toBeNull()
    const { rows } = await admin.query('select from auth.client_secrets where app_id = $1', [app.app_id])
    expect(rows).toEqual([])
  })

  test('T33: has both secrets until the end of the old one', async () => {
    const app = await makeApp()
    const { workspaceId, app_id: appId } = app
    const second = makeClientSecret()
    const secretId = newId('sec', Date.now())
    await withTransaction(pool, { workspaceId }, async (tx) => {
      const loaded = await load(tx, oauthApps, appId, { lock: true })
      if (loaded === null) throw new Error('no app')
      const add = { type: 'add_secret', secretId, overlapMs: 3_600_000, nowMs: loaded.nowMs } as const
      await executeOrFail(tx, oauthApps, { context: contextOf(workspaceId), loaded, command: add })
      await insertSecret(tx, { workspaceId, appId, secretId, digest: second.digest })
    })
    const digestsAfter = async (ms: number) => {
      const url = new URL(database.urls.services.auth.http)
      url.searchParams.set('options', `-c app.clock_offset_ms=${ms}`)
      const later = createPool({ connectionString: url.href, applicationName: 'test', max: 1 })
      const client = await findClient(later, app.client_id)
      await later.end()
      return client?.secrets.map(({ digest }) => digest.toString('hex'))
    }
    const [first, other] = [digestOf(app.secret).toString('hex'), second.digest.toString('hex')]
    expect(await digestsAfter(3_500_000)).toEqual([first, other])
    expect(await digestsAfter(3_600_000)).toEqual([other])
    const nowMs = Date.now()
    await command(app, { type: 'end_secret', secretId, nowMs })
    expect(await digestsAfter(0)).toEqual([first])
  })
})

describe('of an app', () => {
  test('the last use of a secret is known to the minute, and written once a minute', async () => {
    const app = await makeApp()
    const client = await findClient(pool, app.client_id)
    const use = { workspaceId: app.workspaceId, appId: app.app_id, secretId: client?.secrets[0]?.id ?? '' }
    const seen = async () => {
      await noteSecretUse(pool, use)
      const found = 'select last_used, xmin::text from auth.client_secrets where app_id = $1'
      return (await admin.query<{ last_used: Date; xmin: string }>(found, [app.app_id])).rows[0]
    }
    const first = await seen()
    expect(Date.now() - (first?.last_used.getTime() ?? 0)).toBeLessThan(120_000)
    expect(first?.last_used.getSeconds()).toBe(0)
    // A minute may pass between two of them, but not between each two of three.
    const [second, third] = [await seen(), await seen()]
    expect(first?.xmin === second?.xmin || second?.xmin === third?.xmin).toBe(true)
    // Whoever finds the client knows that it need not be written.
    const isNoted = async () => (await findClient(pool, app.client_id))?.secrets[0]?.isNoted
    const notedOnce = async () => {
      await seen()
      return isNoted()
    }
    expect([await notedOnce(), await notedOnce()]).toContain(true)
    await admin.query("update auth.client_secrets set last_used = last_used - interval '1 minute' where app_id = $1", [
      app.app_id,
    ])
    expect(await isNoted()).toBe(false)
  })

  test('another workspace sees its logo by the digest, and nothing else', async () => {
    const app = await makeApp()
    const other = await makeApp()
    expect(await readLogo(pool, app.logo.digest)).toEqual(app.logo.png)
    await recordOAuthError(pool, {
      clientId: app.client_id,
      endpoint: 'token',
      requestId: 'r',
      error: 'e',
      reason: 'x',
    })
    await withTransaction(pool, { workspaceId: other.workspaceId }, async (tx) => {
      for (const table of ['oauth_apps', 'client_secrets', 'oauth_errors']) {
        const { rows } = await tx.query(`select from ${table} where workspace_id = $1`, [app.workspaceId])
        expect([table, rows.length]).toEqual([table, 0])
      }
      await expect(tx.query('delete from oauth_app_logos where app_id = $1', [app.app_id])).resolves.toMatchObject({
        rowCount: 0,
      })
    })
  })

  test('the last 100 errors are kept, the newest first, each with its true reason', async () => {
    const app = await makeApp()
    for (let at = 0; at < errorsMax + 3; at++) {
      const error = { clientId: app.client_id, endpoint: 'token', error: 'invalid_grant' } as const
      await recordOAuthError(pool, { ...error, requestId: `req_${at}`, reason: `the code expired ${at}` })
    }
    await recordOAuthError(pool, {
      clientId: 'cli_unknown',
      endpoint: 'token',
      requestId: 'r',
      error: 'e',
      reason: 'nobody has it',
    })
    const { workspaceId, app_id } = app
    const kept = await withTransaction(pool, { workspaceId }, (tx) => listOAuthErrors(tx, workspaceId, app_id))
    expect(kept.length).toBe(errorsMax)
    expect(kept[0]).toMatchObject({ requestId: 'req_102', error: 'invalid_grant', reason: 'the code expired 102' })
    expect(kept.at(-1)?.requestId).toBe('req_3')
  })
})
