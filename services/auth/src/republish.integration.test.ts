// After the log lost everything, what is announced once more is what was announced the first time, and whoever reads it judges as before.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { consumeAuthEvents } from '@wds/access/projection'
import { makeId } from '@wds/contracts/ids'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { pruneKept } from '@wds/event-store/kept-announcements'
import { rangeOf } from '@wds/event-store/republish'
import { withTransaction } from '@wds/postgres/transaction'
import { type AuthService, hiddenOf, startAuth } from './auth-service.fixture.ts'
import { loadSigningKeys, pruneSigningKeys, rotateSigningKeys } from './oauth/signing-keys/store.ts'
import { prune } from './prune.ts'
import { republishAnnouncements } from './republish.ts'

const envelope = createEnvelopeEncryption([{ kid: 'test', key: randomBytes(32) }])
let auth: AuthService
beforeAll(async () => {
  auth = await startAuth({ envelope })
})
afterAll(() => auth?.stop())

const range = rangeOf('2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z')
const again = (topic = 'auth.events') => republishAnnouncements({ pool: auth.worker, topic, ...range })

interface Row {
  event_id: string
  workspace_id: string
  topic: string
  key: string
  headers: Record<string, string>
  payload: Buffer
}

/** Takes what a relay would carry, in the order of its ids. */
async function takeOutbox(): Promise<Row[]> {
  const columns = 'event_id, workspace_id, topic, key, headers, payload'
  const { rows } = await auth.worker.query<Row & { [column: string]: unknown }>(
    `delete from auth.outbox returning ${columns}`,
  )
  return rows.sort((a, b) => (a.event_id < b.event_id ? -1 : 1))
}

/** Signing keys are rotated, and the first one is over. */
async function rotate(): Promise<void> {
  await rotateSigningKeys(auth.pool, envelope)
  await auth.moveClock(11 * 60_000)
  await rotateSigningKeys(auth.pool, envelope)
  await auth.moveClock(3 * 3_600_000)
  await pruneSigningKeys(auth.worker)
  await auth.moveClock(0)
}

test('people, sessions and signing keys come again byte for byte, with their ids and headers, as everything of workspaces does', async () => {
  const { workspaceId, owner, browser } = await auth.ownedWorkspace()
  await browser.submit('/sign-out', hiddenOf(await browser.call('/sign-in')))
  const gone = await auth.makePerson()
  await auth.join(workspaceId, gone.userId, 'viewer')
  await auth.signedIn(gone.userId, workspaceId)
  await auth.operate('/internal/people/disable', { body: { email: gone.email } })
  await rotate()
  const first = await takeOutbox()
  const types = new Set(first.map(({ headers }) => headers.event_type))
  const ofPeople = ['UserRegistered', 'UserDisabled', 'SessionStarted', 'SessionEnded']
  for (const type of [...ofPeople, 'SigningKeyPublished', 'SigningKeyRetired', 'MemberAdded', 'WorkspaceCreated'])
    expect([type, types.has(type)]).toEqual([type, true])

  expect((await again()).records).toBe(first.length)
  // They wait already.
  expect((await again()).records).toBe(0)
  const second = await takeOutbox()
  expect(second).toEqual(first)
  expect((await again('workspace.events')).records).toBe(0)

  // A projection that begins with nothing but these.
  const { admin } = auth
  await admin.query('delete from auth.access_denials')
  await admin.query('delete from auth.access_signing_keys')
  const records = second.map(({ event_id: eventId, ...row }, at) => ({
    ...row,
    eventId,
    partition: 0,
    offset: BigInt(at),
  }))
  await withTransaction(auth.worker, { workspaceId: null }, (tx) => consumeAuthEvents(tx, records))
  const denied = await admin.query<{ kind: string; id: string }>('select kind, id from auth.access_denials')
  expect(denied.rows).toContainEqual({ kind: 'user', id: gone.userId })
  expect(denied.rows.some(({ kind }) => kind === 'grant')).toBe(true)
  expect(denied.rows).not.toContainEqual({ kind: 'user', id: owner.userId })
  const { published } = await loadSigningKeys(auth.pool, envelope)
  const known = await admin.query<{ kid: string }>('select kid from auth.access_signing_keys where retired_at is null')
  expect(known.rows.map(({ kid }) => kid)).toEqual(published.map(({ kid }) => kid))
})

test('what is kept of sessions goes after 8 days, of people and keys never; nobody but the worker reads it', async () => {
  const kept = async () => {
    const { rows } = await auth.admin.query<{ event_id: string }>('select event_id from auth.kept_announcements')
    return rows.map(({ event_id }) => event_id)
  }
  const young = await kept()
  const put = async (type: string, days: number) => {
    const id = makeId('evt', Date.now() - days * 86_400_000, randomBytes(10))
    const values = [id, JSON.stringify({ event_type: type })]
    await auth.admin.query(`insert into auth.kept_announcements values ($1, '', 't', 'k', $2, '')`, values)
    return id
  }
  await put('SessionStarted', 8.01)
  await put('SessionEnded', 8.01)
  const staying = [
    await put('SessionEnded', 7.9),
    await put('UserRegistered', 900),
    await put('SigningKeyRetired', 900),
  ]
  await prune(auth.worker)
  expect((await kept()).sort()).toEqual([...young, ...staying].sort())
  await pruneKept(auth.worker)
  expect((await kept()).sort()).toEqual([...young, ...staying.slice(0, 1)].sort())
  await expect(auth.pool.query('select from auth.kept_announcements')).rejects.toThrow(/permission denied/)
})
