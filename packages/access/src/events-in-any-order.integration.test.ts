// The log keeps the order of a stream, but for what it lost: that is told again behind what came later (bring-back-lost-records), and a dead
// letter that is replayed comes late. What the tables hold then is what they would hold without.

import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { LogRecord } from '@wds/event-log/port'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { consumeAuthEvents, migrationsDirectory } from './projection.ts'

let database: TestDatabase
let worker: Pool
let eventNumber = 0

beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, worker: connectionString } = database.urls.services.api
  await migrate({ connectionString: owner, schema: 'api', directories: [migrationsDirectory] })
  worker = createPool({ connectionString, applicationName: 'test' })
})
afterAll(async () => {
  await worker?.end()
  await database?.drop()
})

interface Told {
  type: string
  data: object
}
function recordOf({ type, data }: Told): LogRecord {
  eventNumber += 1
  const eventId = `evt_${String(eventNumber).padStart(10, '0')}`
  const payload = Buffer.from(JSON.stringify({ id: eventId, type, created: new Date().toISOString(), data }))
  return { topic: 'auth.events', partition: 0, offset: 0n, key: 'wsp_1', eventId, headers: {}, payload }
}

/** Each in a batch of its own, since a batch sorts kinds. */
async function consume(records: readonly LogRecord[]): Promise<void> {
  for (const record of records) {
    await withTransaction(worker, { workspaceId: null }, (tx) => consumeAuthEvents(tx, [record]))
  }
}

function permutationsOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((first, at) => permutationsOf(all.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

test('regression: rotations and changes of a key leave the same, in whatever order they are told', async () => {
  const outcomeOf = async (order: (behind: LogRecord[]) => LogRecord[]) => {
    const key_id = `key_${randomUUID()}`
    const digest = (text: string) => digestOf(`${key_id} ${text}`)
    const rotated = (text: string, previous_ends: string) => ({
      type: 'ApiKeyRotated',
      data: { key_id, digest: digest(text), previous_ends },
    })
    const rights = { key_id, workspace_id: 'wsp_1' }
    const [created, ...behind] = [
      {
        type: 'ApiKeyCreated',
        data: { ...rights, digest: digest('first'), scopes: ['stats:read'], cidrs: [], expires: null },
      },
      rotated('second', '2999-02-02T00:00:00Z'),
      { type: 'ApiKeyChanged', data: { ...rights, scopes: ['invoices:read'], cidrs: [] } },
      rotated('third', '2999-01-01T00:00:00Z'),
      { type: 'ApiKeyChanged', data: { ...rights, scopes: ['invoices:read'], cidrs: ['10.0.0.0/8'] } },
    ].map(recordOf) as [LogRecord, ...LogRecord[]]
    await consume([created, ...order(behind), ...behind])
    const { rows } = await worker.query(
      'select digest, scopes, cidrs, ends_at, revoked_at from access_keys where key_id = $1',
      [key_id],
    )
    const names = new Map(['first', 'second', 'third'].map((text) => [digest(text), text]))
    return Object.fromEntries(rows.map(({ digest: bytes, ...row }) => [names.get(bytes.toString('hex')), row]))
  }
  const own = { scopes: ['invoices:read'], cidrs: ['10.0.0.0/8'], revoked_at: null }
  const [first, last] = [
    { ...own, ends_at: new Date('2999-01-01T00:00:00Z') },
    { ...own, ends_at: null },
  ]
  for (const order of permutationsOf([0, 1, 2, 3])) {
    const outcome = await outcomeOf((behind) => order.map((at) => behind[at] as LogRecord))
    expect([order, outcome]).toEqual([order, { first, second: first, third: last }])
  }
})

test('denials and signing keys are the same in whatever order they are told, also twice', async () => {
  const jwk = { kty: 'EC', crv: 'P-256', alg: 'ES256', x: 'x'.repeat(43), y: 'y'.repeat(43) }
  const outcomeOf = async (order: (events: LogRecord[]) => LogRecord[]) => {
    const mark = randomUUID()
    const ids = { client_id: `cli_${mark}`, user_id: `usr_${mark}`, workspace_id: `wsp_${mark}` }
    const records = [
      { type: 'OAuthAppChanged', data: { ...ids, scopes: ['stats:read', 'invoices:read'], scopes_removed: true } },
      { type: 'OAuthAppSuspended', data: ids },
      { type: 'MemberRoleChanged', data: { ...ids, member_rev: 2 } },
      { type: 'SigningKeyPublished', data: { kid: mark, jwk: { ...jwk, kid: mark } } },
      { type: 'OAuthAppReinstated', data: ids },
      { type: 'OAuthAppChanged', data: { ...ids, scopes: ['stats:read', 'campaigns:read'], scopes_removed: true } },
      { type: 'MemberRemoved', data: { ...ids, member_rev: 3 } },
      { type: 'SigningKeyRetired', data: { kid: mark } },
    ].map(recordOf)
    await consume([...order(records), ...order(records)])
    const { rows } = await worker.query(
      `select kind, lifted, rev_min, scopes from access_denials where id like '%' || $1 order by kind`,
      [mark],
    )
    const { rowCount } = await worker.query('select from access_signing_keys where kid = $1 and retired_at is null', [
      mark,
    ])
    return { denials: rows, liveKeys: rowCount }
  }
  const none = { lifted: false, rev_min: null, scopes: null }
  const wanted = {
    denials: [
      { ...none, kind: 'client', lifted: true },
      { ...none, kind: 'member', rev_min: 3 },
      { ...none, kind: 'scopes', scopes: ['stats:read'] },
    ],
    liveKeys: 0,
  }
  // Kinds do not meet each other: that each pair comes in both orders is enough.
  for (let at = 0; at < 8; at += 1) {
    const turn = (records: LogRecord[]) => [...records.slice(at), ...records.slice(0, at)]
    expect(await outcomeOf(turn)).toEqual(wanted)
    expect(await outcomeOf((records) => turn(records).reverse())).toEqual(wanted)
  }
})
