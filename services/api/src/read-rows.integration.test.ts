// I12: each read row is the fold of its stream; one that is not is found, and written anew (F53).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { blank, executeOrFail } from '@wds/aggregate/aggregate'
import { aggregatesOf } from '@wds/aggregate/concept'
import { checkRows, type RowDifference } from '@wds/aggregate/row-check'
import { readOpenApi } from '@wds/http-service/openapi'
import { smallestBody } from '@wds/http-service/smallest-body'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { finding } from './anomalies/domain/finding.fixture.ts'
import { anomalies } from './anomalies/resource.ts'
import { type Fixture, startFixture } from './api-service.fixture.ts'
import type { Firing } from './automation-rules/domain/firing.ts'
import { firings } from './automation-rules/firings.ts'
import { concepts } from './resources.ts'

let fixture: Fixture
let uploads: string
beforeAll(async () => {
  fixture = await startFixture()
  uploads = await fixture.createIntegration({ name: 'Uploads' })
  await upload('2026-01-01,c1,EUR,100\n2026-01-02,c1,EUR,1\n')
  await upload('2026-01-01,c1,EUR,150\nnonsense,c1,EUR,1\n')
  const other = await fixture.createIntegration({ name: 'Other' })
  await fixture.call('DELETE', `/v1/integrations/${other}`)
  const invoice = { brand_slug: 'acme', period: { from: '2026-01-01', to: '2026-01-31' }, currency: 'EUR' }
  expect((await fixture.call('POST', '/v1/invoices', { json: invoice })).status).toBe(201)
  const plan = { name: 'Standard', type: 'revshare', revshare_bps: 3_000 }
  const { body: made } = await fixture.call('POST', '/v1/commission-plans', { json: plan })
  const sub = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', plan_id: made.id, invite: false }
  const { body: subAffiliate } = await fixture.call('POST', '/v1/sub-affiliates', { json: sub })
  const headers = { 'idempotency-key': 'once' }
  const earned = { json: { amount: 500, month: '2026-01' }, headers }
  expect((await fixture.call('POST', `/v1/sub-affiliates/${subAffiliate.id}/adjustments`, earned)).status).toBe(201)
  const rule = {
    name: 'Silent',
    trigger: { type: 'schedule', every_minutes: 5 },
    subject_type: 'campaign',
    window: 'today',
    conditions: [{ metric: 'signups', op: 'gt', value: 0 }],
    actions: [{ type: 'notify_webhook' }],
  }
  const saved = await fixture.call('POST', '/v1/automation-rules', { json: rule })
  expect(saved.status).toBe(201)
  await fixture.call('PATCH', '/v1/settings', { as: 'owner', json: { max_wait_hours: 20 } })
  // The days become ready, and their month is closed.
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  const later = createPool({ connectionString: url, applicationName: 'test-later', max: 2 })
  await fixture.days(later)
  await later.end()
  const payout = { json: { sub_affiliate_id: subAffiliate.id }, headers }
  expect((await fixture.call('POST', '/v1/payouts', payout)).status).toBe(201)
  const anomaly = blank(anomalies, { nowMs: Date.now() })
  const context = {
    workspaceId: fixture.workspaces.a,
    correlation: 'req_1',
    trace: { traceparent: '' },
    actor: { type: 'system', id: 'test' } as const,
  }
  await withTransaction(fixture.workerPool, { workspaceId: fixture.workspaces.a }, (tx) =>
    executeOrFail(tx, anomalies, { context, loaded: anomaly, command: { type: 'detect', finding } }),
  )
  const firing: Firing = {
    rule_id: String(saved.body.id),
    rule_version: 1,
    rule_name: 'Silent',
    trigger_type: 'schedule',
    evaluation_key: '1:0:cmp_1',
    subject_type: 'campaign',
    subject_id: 'cmp_1',
    brand_slug: 'acme',
    evidence: [],
    actions: [],
    action_types: ['notify_webhook'],
    status: 'simulated',
  }
  await withTransaction(fixture.workerPool, { workspaceId: fixture.workspaces.a }, (tx) =>
    executeOrFail(tx, firings, {
      context,
      loaded: blank(firings, { nowMs: Date.now() }),
      command: { type: 'record', firing },
    }),
  )
  await makeTheOthers()
})
afterAll(() => fixture?.stop())

async function upload(rows: string): Promise<void> {
  const path = `/v1/imports?type=stats&integration_id=${uploads}`
  const { status } = await fixture.call('POST', path, { csv: `date,campaign,currency,clicks\n${rows}` })
  expect(status).toBe(202)
  await fixture.work()
}

/** One of each resource of which there is none yet and whose smallest body is enough. */
async function makeTheOthers(): Promise<void> {
  const { document, operations } = readOpenApi(new URL('./', import.meta.url))
  for (const aggregate of aggregates) {
    const { rows } = await fixture.adminPool.query(`select from api.${aggregate.table} limit 1`)
    if (rows.length > 0 || !('path' in aggregate)) continue
    const { path } = aggregate
    const schema = operations.find((one) => one.method === 'POST' && one.path === path)?.body?.content[
      'application/json'
    ]
    const { text } = await fixture.call('POST', String(path), { json: smallestBody(document, schema) as object })
    expect(JSON.parse(text)).toHaveProperty('id')
  }
}

const aggregates = aggregatesOf(concepts)

async function run(o: { rebuild: boolean }) {
  const found: RowDifference[] = []
  const report = (difference: RowDifference) => found.push(difference)
  const count = await checkRows({ pool: fixture.workerPool, aggregates, report, ...o })
  return { count, found }
}

/** Every table as a whole, operational columns included. */
async function stored() {
  const tables = aggregates.map(({ table }) => fixture.adminPool.query(`select * from api.${table} order by 1, 2`))
  return (await Promise.all(tables)).map(({ rows }) => rows)
}

/** As the one who may do everything, and whom no constraint stops. */
async function spoil(statements: readonly string[]): Promise<void> {
  const client = await fixture.adminPool.connect()
  try {
    for (const text of ['begin', `set local session_replication_role = 'replica'`, ...statements, 'commit'])
      await client.query(text)
  } finally {
    client.release(true)
  }
}

test('I12: rows of every aggregate are the fold of their streams', async () => {
  const { count, found } = await run({ rebuild: false })
  expect([found, count.differences]).toEqual([[], 0])
  const rows = await stored()
  expect(rows.every((table) => table.length > 0)).toBe(true)
  expect(count.rows).toBe(rows.flat().length)
})

/** A column of a table that is derived from the state, and another value of its type; of all others it is the status. */
const derived: Record<string, string> = {
  integrations: `tags = '{spoilt}'`,
  imports: `import_type = 'spoilt'`,
  sync_runs: 'run_seq = run_seq + 100',
  stats_days: `time_zone = 'Asia/Tokyo'`,
  anomalies: `day = '2026-11-21'`,
  automation_rules: `enabled = 'spoilt'`,
  automation_firings: `subject_id = 'spoilt'`,
  payouts: `held = 'spoilt'`,
}
const change = (set: string) => aggregates.map(({ table }) => `update api.${table} set ${set}`)

test.each([
  ['the version', ['version'], change('version = version + 1')],
  ['the state', ['state.spoilt'], change(`state = state || '{"spoilt": true}'`)],
  [
    'its times',
    ['created', 'updated'],
    change(`created = created - interval '1 s', updated = updated + interval '1 s'`),
  ],
  [
    'a derived column',
    null,
    aggregates.map(({ table }) => `update api.${table} set ${derived[table] ?? `status = 'spoilt'`}`),
  ],
])('F53: %s of rows, spoilt by hand, is found, and mended', async (_, columns, statements) => {
  const before = await stored()
  await spoil(statements)
  const spoilt = await stored()
  const checked = await run({ rebuild: false })
  expect(checked.count.differences).toBe(before.flat().length)
  expect(new Set(checked.found.map(({ streamType }) => streamType)).size).toBe(aggregates.length)
  for (const { kind, columns: differing } of checked.found) {
    expect(kind).toBe('differs')
    if (columns !== null) expect(differing.toSorted()).toEqual(columns)
  }
  // A check changes nothing.
  expect(await stored()).toEqual(spoilt)
  const { count } = await run({ rebuild: true })
  expect([count.differences, count.mended]).toEqual([before.flat().length, before.flat().length])
  expect(await stored()).toEqual(before)
  expect((await run({ rebuild: false })).found).toEqual([])
})

test('F53: rows that are lost, all of them, are made of their streams; runs go on with numbers of their own', async () => {
  const before = await stored()
  await spoil(aggregates.map(({ table }) => `delete from api.${table}`))
  const { count, found } = await run({ rebuild: true })
  expect(found.every(({ kind, unmended }) => kind === 'missing' && unmended === null)).toBe(true)
  expect(count.mended).toBe(before.flat().length)
  expect(await stored()).toEqual(before)
  await upload('2026-01-03,c1,EUR,7\n')
  const runs = (await fixture.call('GET', '/v1/sync-runs')).body.data as { status: string; run_seq: number }[]
  expect(runs.map(({ status, run_seq }) => [status, run_seq])).toEqual([
    ['succeeded', 3],
    ['succeeded', 2],
    ['succeeded', 1],
  ])
})

test('a row without a stream is told, and stays', async () => {
  const id = 'int_01JZZZZZZZZZZZZZZZZZZZZZZZ'
  await spoil([
    `insert into api.integrations select workspace_id, '${id}', version, status, provider, brand_slug, tags, state, 0, created, updated
       from api.integrations where id = '${uploads}'`,
  ])
  const { count, found } = await run({ rebuild: true })
  expect(found).toMatchObject([{ id, kind: 'no_stream', unmended: 'there is no stream to make it of' }])
  expect([count.differences, count.mended]).toEqual([1, 0])
  await spoil([`delete from api.integrations where id = '${id}'`])
})

test('while the service works, a check finds nothing and a rebuild refuses nobody', async () => {
  let ended = false
  const checks = async (rebuild: boolean): Promise<void> => {
    while (!ended) expect((await run({ rebuild })).found).toEqual([])
  }
  const writes = async (nth: number): Promise<void> => {
    for (let round = 0; round < 10; round += 1) {
      const patch = { json: { name: `name ${nth} ${round}` } }
      expect((await fixture.call('PATCH', `/v1/integrations/${uploads}`, patch)).status).toBe(200)
      if (nth === 0) await upload(`2026-01-04,c${round},EUR,1\n`)
    }
  }
  const writing = Promise.all([0, 1, 2].map(writes)).finally(() => {
    ended = true
  })
  await Promise.all([writing, checks(false), checks(true)])
})
