// Tenant isolation and append-only, proven over the catalog (security.md 4).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isolatedTables } from '@wds/postgres/isolated-tables'
import { withTransaction } from '@wds/postgres/transaction'
import { tablesOfEveryService } from '@wds/service-host/tables-of-every-service'
import { recordAudit } from './audit/audit.ts'
import { pruneAudit } from './audit/store.ts'
import { type AuthService, startAuth } from './auth-service.fixture.ts'
import { membershipOf, workspacesOf } from './members/store.ts'

/** Tables without a policy by workspace, each with its reason. */
const globalTables: Record<string, string> = {
  ...tablesOfEveryService,
  users: 'a person belongs to several workspaces',
  passwords: 'of people',
  identities: 'of people',
  sessions: 'of people: a cookie names no workspace',
  invitations: 'found by the digest of a link that names no workspace',
  password_links: 'found by the digest of a link that names no workspace',
  sign_in_attempts: 'counts by digests of accounts, networks and browsers',
  known_browsers: 'of people',
  engine_records: 'found by the digest of a token before its workspace is known',
  signing_keys: 'sign for every workspace',
  client_failures: 'counts by digests of clients and addresses',
  api_key_digests: 'digest to key: found before the workspace is known',
  kept_announcements: 'events of people, sessions and signing keys, as the log has them',
  oauth_clients: 'client id to workspace: read before the workspace is known',
}

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

test('every table is protected by forced row-level security, or is a listed exception', async () => {
  const { open } = await isolatedTables(auth.admin, 'auth')
  expect(open).toEqual(Object.keys(globalTables).sort())
})

test('XT06: a transaction sees the rows of its workspace, or of its person, and nothing of others', async () => {
  const [mine, other] = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
  const seen = (o: { workspaceId: string | null; userId?: string }) =>
    withTransaction(auth.pool, o, async (tx) => {
      const all = ['workspaces', 'memberships', 'api_keys', 'audit_log'].map(async (table) => {
        const { rows } = await tx.query<{ workspace_id: string }>(`select workspace_id from ${table}`)
        return rows.map(({ workspace_id }) => workspace_id)
      })
      return (await Promise.all(all)).flat()
    })
  expect(new Set(await seen({ workspaceId: mine.workspaceId }))).toEqual(new Set([mine.workspaceId]))
  expect(await seen({ workspaceId: null })).toEqual([])
  expect(await seen({ workspaceId: null, userId: mine.owner.userId })).toEqual([mine.workspaceId, mine.workspaceId])
  expect(await seen({ workspaceId: null, userId: '' })).toEqual([])
  // The person is gone with the transaction, on whatever connection.
  for (let round = 0; round < 20; round += 1) expect(await seen({ workspaceId: null })).toEqual([])
  expect(new Set(await seen({ workspaceId: other.workspaceId, userId: mine.owner.userId }))).toEqual(
    new Set([mine.workspaceId, other.workspaceId]),
  )
})

test("a person's own rows can be read and not written", async () => {
  const { workspaceId, owner } = await auth.ownedWorkspace()
  await withTransaction(auth.pool, { workspaceId: null, userId: owner.userId }, async (tx) => {
    expect(await workspacesOf(tx)).toMatchObject([{ id: workspaceId, role: 'owner' }])
    expect((await tx.query(`update memberships set role = 'viewer'`)).rowCount).toBe(0)
    expect((await tx.query(`update workspaces set status = 'deleted'`)).rowCount).toBe(0)
  })
  await withTransaction(auth.pool, { workspaceId }, async (tx) => {
    expect(await membershipOf(tx, workspaceId, owner.userId)).toEqual({ role: 'owner', rev: 1 })
  })
})

test('the HTTP role sees of the outbox when which event was put, and nothing of what it says or of whom', async () => {
  await auth.ownedWorkspace()
  expect((await auth.pool.query('select id, event_id, put_at from outbox')).rowCount).toBeGreaterThan(0)
  for (const column of ['workspace_id', 'key', 'headers', 'payload']) {
    await expect(auth.pool.query(`select ${column} from outbox`)).rejects.toThrow('permission denied')
  }
  await expect(auth.pool.query('delete from outbox')).rejects.toThrow('permission denied')
})

test('uses of keys are seen in their workspace, and the worker sees the keys that are idle alone', async () => {
  const [mine, other] = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
  for (const { workspaceId } of [mine, other])
    await auth.worker.query('insert into api_key_uses (workspace_id, key_id, last_used) values ($1, $2, now())', [
      ...[workspaceId, `key_of_${workspaceId}`],
    ])
  const { rows } = await withTransaction(auth.pool, { workspaceId: mine.workspaceId }, (tx) =>
    tx.query('select workspace_id from api_key_uses'),
  )
  expect(rows).toEqual([{ workspace_id: mine.workspaceId }])
  expect((await auth.worker.query('select from api_keys')).rowCount).toBe(0)
  await auth.moveClock(366 * 86_400_000)
  expect((await auth.worker.query('select from api_keys')).rowCount).toBeGreaterThan(1)
  expect((await auth.worker.query("update api_keys set status = 'revoked'")).rowCount).toBe(0)
  await auth.moveClock(0)
})

test('the audit log is added to, never changed, and kept for a year', async () => {
  const { workspaceId } = await auth.ownedWorkspace()
  await withTransaction(auth.pool, { workspaceId }, (tx) =>
    recordAudit(tx, {
      actor: 'user:usr_1',
      address: '127.0.0.1',
      userAgent: null,
      requestId: 'req_1',
      action: 'something',
      object: null,
    }),
  )
  const entries = async () =>
    (await auth.admin.query('select action from auth.audit_log where workspace_id = $1 order by id', [workspaceId]))
      .rows
  expect((await entries()).map(({ action }) => action)).toContain('member_added')
  for (const sql of ['delete from audit_log', `update audit_log set action = 'x'`]) {
    await expect(withTransaction(auth.pool, { workspaceId }, (tx) => tx.query(sql))).rejects.toThrow(
      'permission denied',
    )
  }
  const count = (await entries()).length
  await auth.moveClock(364 * 86_400_000)
  // Whatever the statement asks for.
  await auth.worker.query('delete from audit_log')
  expect(await entries()).toHaveLength(count)
  await auth.moveClock(366 * 86_400_000)
  await pruneAudit(auth.worker)
  expect(await entries()).toHaveLength(0)
  await auth.moveClock(0)
})
