// An upload from its bytes to rows, stats and announcements, through the public door and the real database.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { loadStream } from '@wds/event-store/event-store'
import { isolatedTables } from '@wds/postgres/isolated-tables'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { tablesOfEveryService } from '@wds/service-host/tables-of-every-service'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { sweepChunks } from '../imports/store-chunks.ts'
import { storedBody } from '../imports/stored-body.ts'
import { concepts } from '../resources.ts'
import { csvRecords } from '../sources/csv-source.ts'
import { openAttempt } from '../sync-work/open-attempt.ts'
import { stageRecords } from '../sync-work/stage-records.ts'
import { claimWork } from '../work-queue/store.ts'

/** Tables without a policy by workspace, each with its reason. */
const globalTables: Record<string, string> = {
  ...tablesOfEveryService,
  automation_denials: 'which rights of grants, apps and people ended, in whatever workspace',
}

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const file =
  'date,campaign,country,currency,clicks,signups,ftds,cpa_commission\n2026-01-01,c1,DE,EUR,100,10,2,30.50\n2026-01-01,c2,,EUR,50,5,1,15.005\n2026-01-02,c1,DE,USD,7,,0,-1\n'

const integration = (extra: object = {}) => fixture.createIntegration({ name: 'Uploads', ...extra })

async function upload(id: string, csv: string | Buffer, o: { query?: string; headers?: Record<string, string> } = {}) {
  const path = `/v1/imports?type=stats&integration_id=${id}${o.query ?? ''}`
  return fixture.call('POST', path, withoutUndefined({ csv, headers: o.headers }))
}

async function announced(integrationId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
  const events = rows.map((row) => JSON.parse(row.payload.toString('utf8')))
  const imports = await fixture.call('GET', `/v1/imports?integration_id=${integrationId}`)
  const ids = (imports.body.data as { id: string }[]).map((found) => found.id)
  return events.filter(({ data }) => data.integration_id === integrationId || ids.includes(data.import_id))
}

describe('an upload', () => {
  test('becomes rows, sums and exactly the documented events', async () => {
    const id = await integration()
    const created = await upload(id, file)
    expect([created.status, created.body.status]).toEqual([202, 'queued'])
    await fixture.work()
    const found = await fixture.call('GET', String(created.headers.get('location')))
    expect(found.body).toMatchObject({ status: 'completed', lines: 3, accepted: 3, rejected: 0, unchanged: 0 })
    const run = await fixture.call('GET', `/v1/sync-runs/${found.body.sync_run_id}`)
    expect(run.body).toMatchObject({ status: 'succeeded', rows_ingested: 3, rows_inserted: 3, trigger: 'upload' })
    const stats = await fixture.call(
      'GET',
      `/v1/stats?from=2026-01-01&to=2026-01-02&group_by=day&filter[integration]=${id}`,
    )
    expect(stats.body.data).toMatchObject([
      {
        day: '2026-01-01',
        currency: 'EUR',
        clicks: 150,
        signups: 15,
        ftds: 3,
        commission: 4550,
        conversion_rate: 0.02,
      },
      { day: '2026-01-02', currency: 'USD', clicks: 7, signups: 0, commission: -100, epc: -14.285714 },
    ])
    const events = await announced(id)
    expect(events.map((event) => event.type)).toEqual([
      'integration.created',
      'sync.started',
      'campaign.created',
      'campaign.created',
      'sync.completed',
      'integration.updated',
      'import.completed',
    ])
    const completed = events.find((event) => event.type === 'sync.completed')?.data ?? {}
    expect(Object.keys(completed).sort()).toEqual([
      'brand_slug',
      'duration_ms',
      'integration_id',
      'rows_ingested',
      'status',
    ])
    expect(completed).toMatchObject({ integration_id: id, brand_slug: 'acme', status: 'success', rows_ingested: 3 })
  })

  test('C72: the same file again changes nothing and reports unchanged', async () => {
    const id = await integration()
    for (const unchanged of [0, 3]) {
      const created = await upload(id, file)
      await fixture.work()
      const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
      expect(found.body).toMatchObject({ status: 'completed', accepted: 3, unchanged })
    }
  })

  test('C73: a header with an unknown or missing column stores nothing', async () => {
    const id = await integration()
    for (const csv of ['date,colour\n2026-01-01,1\n', 'clicks\n1\n', '', 'date\n2026-01-01\n']) {
      const answer = await upload(id, csv)
      expect([answer.status, answer.body.code]).toEqual([422, 'unknown_column'])
    }
    const { rows } = await fixture.adminPool.query('select 1 from api.imports where integration_id = $1', [id])
    expect(rows).toHaveLength(0)
  })

  test('C71: a bad line is rejected with line and code, the others are stored', async () => {
    const id = await integration()
    const created = await upload(id, `date,clicks\n2026-01-01,1\nyesterday,1\n2026-01-03,x\n`)
    await fixture.work()
    const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
    expect(found.body).toMatchObject({ status: 'completed_with_errors', lines: 3, accepted: 1, rejected: 2 })
    const errors = await fixture.call('GET', `/v1/imports/${created.body.id}/errors`)
    const lines = errors.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { line: 3, code: 'bad_date', pointer: '/date' },
      { line: 4, code: 'bad_number', pointer: '/clicks' },
    ])
  })

  test('with more than a fifth of its lines rejected stores nothing and fails once', async () => {
    const id = await integration()
    const lines = Array.from({ length: 20 }, (_, index) => `2026-01-01,${index < 5 ? 'x' : index}`)
    const created = await upload(id, `date,clicks\n${lines.join('\n')}\n`)
    await fixture.work()
    const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
    expect(found.body).toMatchObject({ status: 'failed', error: { code: 'too_many_rejects' } })
    const types = (await announced(id)).map((event) => event.type)
    expect(types).toEqual(['integration.created', 'sync.started', 'sync.failed', 'sync.completed', 'import.failed'])
    const stats = await fixture.call('GET', `/v1/stats?from=2026-01-01&to=2026-01-01&filter[integration]=${id}`)
    expect(stats.body.data).toEqual([])
  })

  test('that is no CSV stores nothing', async () => {
    const id = await integration()
    const created = await upload(id, 'date,clicks\n2026-01-01,1\n2026-01-02,"1\n')
    await fixture.work()
    const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
    expect(found.body).toMatchObject({ status: 'failed', error: { code: 'invalid_body' } })
  })

  test('C30: one Idempotency-Key makes one import', async () => {
    const id = await integration()
    const headers = { 'idempotency-key': `k-${id}` }
    const first = await upload(id, file, { headers })
    const again = await upload(id, file, { headers })
    expect([again.status, again.body.id]).toEqual([202, first.body.id])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    await fixture.work()
    const list = await fixture.call('GET', `/v1/imports?integration_id=${id}`)
    expect(list.body.data).toHaveLength(1)
    const { rows } = await fixture.adminPool.query('select 1 from api.import_chunks')
    expect(rows).toHaveLength(0)
  })

  test('C72: a worker lost between checkpoints loses and doubles nothing', async () => {
    const id = await integration({ settings: { combine: 'sum' } })
    const lines = Array.from({ length: 2500 }, (_, index) => `2026-01-0${(index % 2) + 1},c${index % 7},1`)
    const created = await upload(id, `date,campaign,clicks\n${lines.join('\n')}\n`)
    await loseWorkerAfterFirstBatch()
    await fixture.work()
    const waiting = await fixture.call('GET', `/v1/imports/${created.body.id}`)
    if (waiting.body.status === 'running') await untilWorked(String(created.body.id))
    const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
    expect(found.body).toMatchObject({ status: 'completed', lines: 2500, accepted: 2500 })
    const stats = await fixture.call(
      'GET',
      `/v1/stats?from=2026-01-01&to=2026-01-02&metrics=clicks&filter[integration]=${id}`,
    )
    expect(stats.body.data).toMatchObject([{ clicks: 2500 }])
    const types = (await announced(id)).map((event) => event.type)
    expect(types.filter((type) => type === 'sync.completed')).toHaveLength(1)
    expect(types).toContain('sync.attempt_failed')
  })
})

/** A worker that stages one batch of the due import and is never heard of again. */
async function loseWorkerAfterFirstBatch(): Promise<void> {
  const worker = { ...fixture.worker, leaseMs: 60_000 }
  const claim = { leaseMs: worker.leaseMs, leaseToken: 'lost', perWorkspace: 2 }
  const work = await withTransaction(worker.pool, { workspaceId: null }, (tx) => claimWork(tx, claim))
  const attempt = work && (await openAttempt(worker, work))
  if (!attempt?.found) throw new Error('no work')
  const { found } = attempt
  const rules = {
    granularity: 'day',
    zone: 'UTC',
    currency: 'EUR',
    onUnknownCampaign: 'create',
    knowsCampaign: () => false,
    today: '2026-12-31',
  } as const
  const { workspaceId } = attempt.work
  const bytes = storedBody({ pool: worker.pool, workspaceId, importId: found.id })
  const records = csvRecords({ bytes, mapping: null, rules })
  const signal = new AbortController()
  const cut = (async function* () {
    let count = 0
    for await (const record of records) {
      if (count++ === 1500) throw new Error('killed')
      yield record
    }
  })()
  const staging = stageRecords({
    pool: worker.pool,
    leaseMs: worker.leaseMs,
    attempt,
    records: cut,
    signal: signal.signal,
  })
  await expect(staging).rejects.toThrow('killed')
  await fixture.adminPool.query(`update api.due_work set lease_until = clock_timestamp() - interval '1 second'`)
}

async function untilWorked(importId: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    await fixture.work()
    const found = await fixture.call('GET', `/v1/imports/${importId}`)
    if (found.body.status !== 'running') return
  }
}

describe('isolation and projections', () => {
  test('C13: another workspace gets the 404 of a missing id', async () => {
    const id = await integration()
    for (const path of [`/v1/integrations/${id}`, `/v1/integrations/${id}/sync-runs`]) {
      expect((await fixture.call('GET', path, { as: 'b' })).status).toBe(404)
    }
    const path = `/v1/imports?type=stats&integration_id=${id}`
    expect((await fixture.call('POST', path, { as: 'b', csv: file })).status).toBe(404)
  })

  test('every stored row is the fold of its stream', async () => {
    const aggregates = concepts.flatMap(({ aggregate }) => aggregate ?? [])
    const stored = new Set<string>()
    for (const kind of aggregates) {
      const { rows } = await fixture.adminPool.query<{ id: string; state: object; version: number }>(
        `select id, state, version from api.${kind.table}`,
      )
      if (rows.length > 0) stored.add(kind.table)
      const workspaceId = fixture.workspaces.a
      for (const row of rows) {
        const stream = await withTransaction(fixture.workerPool, { workspaceId }, (tx) =>
          loadStream(tx, kind.decider as never, { workspaceId, streamType: kind.streamType, streamId: row.id }),
        )
        expect({ state: stream.state, version: stream.version }).toEqual({ state: row.state, version: row.version })
      }
    }
    expect([...stored]).toEqual(expect.arrayContaining(['integrations', 'sync_runs', 'imports']))
  })

  test('every table forces row-level security and shows nothing without a workspace, or is a listed exception', async () => {
    const { isolated, open } = await isolatedTables(fixture.adminPool, 'api')
    expect(open).toEqual(Object.keys(globalTables).sort())
    for (const name of isolated) {
      const { rows: seen } = await fixture.pool.query(`select 1 from ${name} limit 1`).catch(() => ({ rows: [] }))
      expect([name, seen.length]).toEqual([name, 0])
    }
  })
})

test('regression: uploads that became no import go after a day, one by one: one that cannot be removed keeps none before it', async () => {
  const { adminPool, workspaces } = fixture
  const queued = (await upload(await integration(), file)).body.id
  await adminPool.query(
    `insert into api.import_chunks select $1, id, seq, 'x', now() - age::interval
       from (values ('older', '27 hours'), ('old', '26 hours'), ('young', '23 hours')) uploads (id, age), generate_series(0, 2) seq`,
    [workspaces.a],
  )
  const age = "update api.import_chunks set stored_at = now() - interval '3 days' where import_id = $1"
  await adminPool.query(age, [queued])
  const left = async () => {
    const { rows } = await adminPool.query('select distinct import_id from api.import_chunks order by 1')
    return rows.map((row) => row.import_id)
  }
  const options = { connectionString: fixture.workerUrl, applicationName: 'sweep', max: 1 }
  const impatient = createPool({ ...options, statementTimeoutMs: 100 })
  const client = await adminPool.connect()
  try {
    await client.query('begin')
    await client.query("select 1 from api.import_chunks where import_id = 'old' for update")
    await expect(sweepChunks(impatient)).rejects.toThrow('statement timeout')
    expect(await left()).toEqual([queued, 'old', 'young'].sort())
  } finally {
    await client.query('rollback')
    client.release()
    await impatient.end()
  }
  await sweepChunks(fixture.workerPool)
  expect(await left()).toEqual([queued, 'young'].sort())
  await fixture.work()
})
