// I12: the rows of workspaces, members, keys, apps and grants are the fold of their streams; one that is not is found, and written anew (F53).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { aggregatesOf } from '@wds/aggregate/concept'
import { checkRows, type RowDifference } from '@wds/aggregate/row-check'
import { type OAuthAndSettings, startOAuthAndSettings } from './oauth-and-settings.fixture.ts'
import { concepts } from './resources.ts'

let both: OAuthAndSettings
let revoked: string
beforeAll(async () => {
  both = await startOAuthAndSettings()
  const { oauth, callAs } = both
  const [app, person] = [await oauth.makeApp(), await oauth.makeMember()]
  const tokens = await oauth.tokens(app, person)
  await oauth.post('/oauth/token', oauth.refreshing(app, tokens.refresh_token))
  await oauth.setRole(person, 'admin')
  const call = await callAs(person)
  const key = { name: 'importer', scopes: ['stats:read'], expires_in_days: 30 }
  const made = [await call('/v1/api-keys', { body: key }), await call('/v1/api-keys', { body: key })]
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  revoked = made[1]?.json.id
  const done = [
    await call(`/v1/api-keys/${made[0]?.json.id}/rotate`, { method: 'POST' }),
    await call(`/v1/api-keys/${revoked}`, { method: 'DELETE' }),
  ]
  expect(done.map(({ status }) => status)).toEqual([200, 204])
})
afterAll(() => both?.stop())

const aggregates = aggregatesOf(concepts)

async function run(rebuild: boolean): Promise<RowDifference[]> {
  const found: RowDifference[] = []
  const report = (difference: RowDifference) => void found.push(difference)
  await checkRows({ pool: both.oauth.worker, aggregates, rebuild, report })
  return found
}

/** Every table as a whole. */
async function stored(): Promise<object[][]> {
  const tables = aggregates.map(({ table }) => both.oauth.admin.query(`select * from auth.${table} order by 1, 2`))
  return (await Promise.all(tables)).map(({ rows }) => rows)
}

/** As the one whom no constraint stops. */
async function spoil(statements: readonly string[]): Promise<void> {
  const client = await both.oauth.admin.connect()
  for (const text of ['begin', `set local session_replication_role = 'replica'`, ...statements, 'commit'])
    await client.query(text)
  client.release(true)
}

test('I12: rows of every aggregate are the fold of their streams', async () => {
  expect(await run(false)).toEqual([])
  expect((await stored()).map((rows) => rows.length > 0)).toEqual(aggregates.map(() => true))
})

test.each([
  ['the state', `state = state || '{"spoilt": true}'`],
  ['the version', 'version = version + 1'],
  ['the status', `status = 'spoilt'`],
])('F53: %s of rows, spoilt by hand, is found, and mended', async (_, set) => {
  const before = await stored()
  await spoil(aggregates.map(({ table }) => `update auth.${table} set ${set}`))
  const found = await run(false)
  expect([found.length, new Set(found.map(({ kind }) => kind))]).toEqual([before.flat().length, new Set(['differs'])])
  expect((await run(true)).filter(({ unmended }) => unmended !== null)).toEqual([])
  expect(await stored()).toEqual(before)
})

test('F53: lost rows are made of their streams; that of a revoked key stays away once it is old', async () => {
  const before = await stored()
  await spoil(aggregates.map(({ table }) => `delete from auth.${table}`))
  const found = await run(true)
  expect([found.length, found.filter(({ unmended }) => unmended !== null)]).toEqual([before.flat().length, []])
  expect(await stored()).toEqual(before)
  await spoil([
    `update auth.stream_events set created = created - interval '32 days' where stream_id = '${revoked}'`,
    `delete from auth.api_keys where key_id = '${revoked}'`,
  ])
  expect(await run(false)).toEqual([])
})
