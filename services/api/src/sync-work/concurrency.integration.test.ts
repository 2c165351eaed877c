// Who meets whom on one integration: a cancel and a batch under way, a change of settings between two attempts, runs of
// one day in any order.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { WakeSignal } from '@wds/pacing/wait'
import { withTransaction } from '@wds/postgres/transaction'
import { createProgress } from '@wds/telemetry/progress'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { sweepRejects } from '../imports/store-rejects.ts'
import { stageRows, sweepStaging } from '../stats/store-staging.ts'
import { claimWork, keepLease } from '../work-queue/store.ts'
import { failAttempt, sweepEnded } from './end-attempt.ts'
import { openAttempt } from './open-attempt.ts'
import { recordsOf } from './records-of.ts'
import { stageRecords } from './stage-records.ts'
import { runWorker, workOnce } from './worker.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

/** Ends what a test that failed still holds: the worker would wait for ever. */
let letGo: () => Promise<void> = async () => undefined
afterEach(() => letGo())

const signal = new AbortController().signal

async function integration(extra: object): Promise<string> {
  const json = { name: 'One', brand_slug: 'acme', schedule: null, ...extra }
  const answer = await fixture.call('POST', '/v1/integrations', { json })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return String(answer.body.id)
}

/** The due work under a lease, its attempt open. */
async function open() {
  const claim = { leaseMs: 60_000, leaseToken: 'test', perWorkspace: 2 }
  const work = await withTransaction(fixture.workerPool, { workspaceId: null }, (tx) => claimWork(tx, claim))
  const attempt = work && (await openAttempt(fixture.worker, work))
  if (!attempt) throw new Error('no work')
  return attempt
}

async function loseLease(): Promise<void> {
  await fixture.adminPool.query(`update api.due_work set lease_until = clock_timestamp() - interval '1 second'`)
}

async function staged(): Promise<number> {
  const { rows } = await fixture.adminPool.query('select 1 from api.stats_staging')
  return rows.length
}

test('regression: a cancel that meets a batch under way leaves nothing staged', async () => {
  const id = await integration({ provider: 'demo', settings: { campaigns: 1, countries: ['DE'] } })
  const run = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
  const attempt = await open()
  let canceling: Promise<{ status: number }> | undefined
  await withTransaction(fixture.workerPool, { workspaceId: attempt.work.workspaceId }, async (tx) => {
    expect(await keepLease(tx, attempt.work, 60_000)).toBe(true)
    canceling = fixture.call('POST', `/v1/sync-runs/${run.body.id}/cancel`)
    await untilSomebodyWaits()
    const [first] = recordsOf(fixture.worker, attempt, signal) as Iterable<{ line: number; checked: never }>
    const { row } = (first as unknown as { checked: { row: Parameters<typeof stageRows>[3][number] } }).checked
    const key = { rowKey: 'key', workspaceDay: row.day, approximate: false }
    await stageRows(tx, attempt.work.workspaceId, attempt.run.id, [{ ...row, ...key }])
  })
  expect((await canceling)?.status).toBe(200)
  await sweepEnded(fixture.worker, attempt.work, attempt.run.id)
  expect(await staged()).toBe(0)
})

test('regression: a cancel does not wait for staged rows to be removed', async () => {
  const id = await integration({ provider: 'demo', settings: { campaigns: 20, countries: ['DE'] } })
  const run = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
  const attempt = await open()
  const records = recordsOf(fixture.worker, attempt, signal)
  const staging = stageRecords({
    pool: fixture.workerPool,
    leaseMs: 60_000,
    recordsMax: 1500,
    attempt,
    records,
    signal,
  })
  await expect(staging).rejects.toMatchObject({ code: 'feed_too_large' })
  expect(await staged()).toBe(1000)
  await withTransaction(fixture.adminPool, { workspaceId: null }, async (tx) => {
    await tx.query('select 1 from api.stats_staging for update')
    const canceled = await fixture.call('POST', `/v1/sync-runs/${run.body.id}/cancel`)
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
  })
  await sweepStaging(fixture.workerPool)
  expect(await staged()).toBe(0)
})

async function untilSomebodyWaits(): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (await somebodyWaits()) return
  }
  throw new Error('nobody waits')
}

async function somebodyWaits(): Promise<boolean> {
  const { rows } = await fixture.adminPool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

/** A worker that waits while it makes rows of a new integration visible; `release` lets it go on. */
async function whileRowsAreWritten() {
  const id = await integration({ provider: 'csv_upload' })
  const path = `/v1/imports?type=stats&integration_id=${id}`
  const send = (clicks: number) => fixture.call('POST', path, { csv: `date,clicks\n2026-01-01,${clicks}\n` })
  await send(1)
  await fixture.work()
  const created = await send(2)
  const client = await fixture.adminPool.connect()
  await client.query('begin')
  await client.query('select 1 from api.stats_rows where integration_id = $1 for update', [id])
  const working = fixture.work()
  const release = async () => {
    letGo = async () => undefined
    await client.query('rollback')
    client.release()
    await working
  }
  letGo = release
  await untilSomebodyWaits()
  const clicks = async () => {
    const query = `from=2026-01-01&to=2026-01-01&metrics=clicks&filter[integration]=${id}`
    const { body } = await fixture.call('GET', `/v1/stats?${query}`)
    return (body.data as { clicks: number }[])[0]?.clicks
  }
  return { id, send, created, release, clicks }
}

test('regression: while an import makes its rows visible its integration is changed and takes further imports', async () => {
  const { id, send, created, release, clicks } = await whileRowsAreWritten()
  const waiting = await send(3)
  const patched = await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { name: 'Other' } })
  // Neither waited for the worker, which still waits itself.
  expect([waiting.status, patched.status, await clicks(), await somebodyWaits()]).toEqual([202, 200, 1, true])
  await release()
  await fixture.work()
  for (const { body } of [created, waiting]) {
    const done = await fixture.call('GET', `/v1/imports/${body.id}`)
    const run = await fixture.call('GET', `/v1/sync-runs/${done.body.sync_run_id}`)
    expect([done.body.status, run.body.attempt]).toEqual(['completed', 1])
  }
  const found = await fixture.call('GET', `/v1/integrations/${id}`)
  expect([found.body.name, found.body.status, await clicks()]).toEqual(['Other', 'active', 3])
})

test('regression: a cancel while rows are made visible does not wait, and nothing of them is seen', async () => {
  const { created, send, release, clicks } = await whileRowsAreWritten()
  const canceled = await fixture.call('POST', `/v1/imports/${created.body.id}/cancel`)
  expect([canceled.status, canceled.body.status, await somebodyWaits()]).toEqual([200, 'canceled', true])
  await release()
  expect(await clicks()).toBe(1)
  await send(4)
  await fixture.work()
  expect([await clicks(), await staged()]).toEqual([4, 0])
})

test('an upload keeps the mapping it was read with, whatever is changed between its attempts', async () => {
  const mapping = (clicks: string) => [
    { to: 'date', from: 'date' },
    { to: 'clicks', from: clicks },
  ]
  const id = await integration({ provider: 'csv_upload', settings: { mapping: mapping('a') } })
  const lines = Array.from({ length: 1500 }, () => '2026-01-01,1,1000')
  const csv = `date,a,b\n${lines.join('\n')}\n`
  const created = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  const attempt = await open()
  const records = (async function* () {
    let count = 0
    for await (const record of recordsOf(fixture.worker, attempt, signal)) {
      if (count++ === 1200) throw new Error('killed')
      yield record
    }
  })()
  const staging = stageRecords({ pool: fixture.workerPool, leaseMs: 60_000, attempt, records, signal })
  await expect(staging).rejects.toThrow('killed')
  await loseLease()
  const settings = { mapping: mapping('b') }
  expect((await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { settings } })).status).toBe(200)
  await fixture.workUntil(async () => {
    const { body } = await fixture.call('GET', `/v1/imports/${created.body.id}`)
    return body.status === 'completed'
  })
  const { body } = await fixture.call(
    'GET',
    `/v1/stats?from=2026-01-01&to=2026-01-01&metrics=clicks&filter[integration]=${id}`,
  )
  expect(body.data).toMatchObject([{ clicks: 1500 }])
})

test('a run speaks about each of its covered days, also those without rows, and an earlier run is silent there', async () => {
  const id = await integration({ provider: 'csv_upload', window_mode: 'replace' })
  const upload = async (csv: string) => {
    const path = `/v1/imports?type=stats&integration_id=${id}&covers_from=2026-01-01&covers_to=2026-01-03`
    await fixture.call('POST', path, { csv })
    await fixture.work()
  }
  await upload('date,clicks\n2026-01-02,1\n')
  const seen = async () => {
    const sql = 'select day::text, run_seq::integer from api.stats_days_seen where integration_id = $1 order by day'
    const { rows } = await fixture.adminPool.query<{ day: string; run_seq: number }>(sql, [id])
    return rows.map((row) => [row.day.slice(-2), row.run_seq])
  }
  expect(await seen()).toEqual([
    ['01', 1],
    ['02', 1],
    ['03', 1],
  ])
  await upload('date,clicks\n2026-01-02,1\n')
  expect((await seen()).map(([, runSeq]) => runSeq)).toEqual([2, 2, 2])
  // A run whose number was given out before those two comes last.
  await fixture.adminPool.query('update api.stats_days_seen set run_seq = 9 where integration_id = $1', [id])
  await upload('date,clicks\n2026-01-02,7\n2026-01-03,7\n')
  const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs?limit=1`)
  expect(body.data).toMatchObject([{ status: 'succeeded', rows_skipped: 2, rows_inserted: 0, rows_deleted: 0 }])
  expect((await seen()).map(([, runSeq]) => runSeq)).toEqual([9, 9, 9])
})

test('a file with a rejected line speaks only about the days of its rows', async () => {
  const id = await integration({ provider: 'csv_upload', window_mode: 'replace' })
  const path = `/v1/imports?type=stats&integration_id=${id}&covers_from=2026-01-01&covers_to=2026-01-03`
  await fixture.call('POST', path, { csv: 'date,clicks\n2026-01-02,1\n2026-01-03,x\n' })
  await fixture.work()
  const sql = 'select day::text from api.stats_days_seen where integration_id = $1 and run_seq > 0'
  expect((await fixture.adminPool.query(sql, [id])).rows).toEqual([{ day: '2026-01-02' }])
  const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs`)
  expect(body.data).toMatchObject([{ window: { from: '2026-01-01', to: '2026-01-03' }, deletes_skipped: true }])
})

test('an integration that is deleted in mid-run leaves no work, no staged rows and no body behind', async () => {
  const id = await integration({ provider: 'csv_upload' })
  const lines = Array.from({ length: 1500 }, (_, index) => `2026-01-01,c${index},1`)
  const csv = `date,campaign,clicks\n${lines.join('\n')}\n`
  const created = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  const waiting = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  const attempt = await open()
  const records = (async function* () {
    let count = 0
    for await (const record of recordsOf(fixture.worker, attempt, signal)) {
      if (count++ === 1200) expect((await fixture.call('DELETE', `/v1/integrations/${id}`)).status).toBe(204)
      yield record
    }
  })()
  const staging = stageRecords({ pool: fixture.workerPool, leaseMs: 60_000, attempt, records, signal })
  await expect(staging).rejects.toThrow()
  await sweepEnded(fixture.worker, attempt.work, attempt.run.id)
  await fixture.work()
  for (const table of ['stats_staging', 'run_checkpoints', 'due_work', 'import_chunks', 'schedules']) {
    expect([table, (await fixture.adminPool.query(`select 1 from api.${table}`)).rows.length]).toEqual([table, 0])
  }
  for (const { body } of [created, waiting]) {
    expect((await fixture.call('GET', `/v1/imports/${body.id}`)).body.status).toBe('canceled')
  }
})

/** A worker with four slots that would look again after a minute only. */
function fourSlots() {
  const stop = new AbortController()
  const loop = { signal: stop.signal, progress: createProgress(), wake: new WakeSignal() }
  const ended = runWorker({ ...fixture.worker, ...loop, concurrency: 4, pollMs: 60_000 })
  return {
    async stop() {
      stop.abort()
      await ended
    },
  }
}

test('slots that are idle look for work once for all of them', async () => {
  let looks = 0
  const count = () => {
    looks += 1
  }
  fixture.workerPool.on('acquire', count)
  const worker = fourSlots()
  for (const deadline = Date.now() + 60_000; looks === 0 && Date.now() < deadline; ) await somebodyWaits()
  await worker.stop()
  fixture.workerPool.off('acquire', count)
  expect(looks).toBe(1)
})

test('what waits is taken without a pause, also what waits for another piece of its integration', async () => {
  const paths: string[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const id = await integration({ provider: 'csv_upload' })
    for (const clicks of [1, 2]) {
      const path = `/v1/imports?type=stats&integration_id=${id}`
      const { body } = await fixture.call('POST', path, { csv: `date,clicks\n2026-01-01,${clicks}\n` })
      paths.push(`/v1/imports/${body.id}`)
    }
  }
  const worker = fourSlots()
  const statuses = async () =>
    (await Promise.all(paths.map((path) => fixture.call('GET', path)))).map(({ body }) => body.status)
  const isOver = async () => (await statuses()).every((status) => status === 'completed')
  for (const deadline = Date.now() + 60_000; !(await isOver()) && Date.now() < deadline; );
  await worker.stop()
  expect(await statuses()).toEqual(paths.map(() => 'completed'))
})

test('a worker that is stopped in mid-run releases it, and the next one goes on without a failed attempt', async () => {
  const id = await integration({ provider: 'csv_upload' })
  const lines = Array.from({ length: 6000 }, (_, index) => `2026-01-01,c${index},1`)
  const csv = `date,campaign,clicks\n${lines.join('\n')}\n`
  const created = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  const stop = new AbortController()
  const working = workOnce({ ...fixture.worker, signal: stop.signal })
  const linesDone = async () => {
    const { rows } = await fixture.adminPool.query<{ lines: number }>('select lines from api.run_checkpoints')
    return rows[0]?.lines ?? 0
  }
  for (const deadline = Date.now() + 60_000; (await linesDone()) === 0 && Date.now() < deadline; );
  stop.abort()
  await working
  const done = await linesDone()
  expect(done).toBeLessThan(6000)
  const running = await fixture.call('GET', `/v1/imports/${created.body.id}`)
  expect(running.body).toMatchObject({ status: 'running', lines: done, accepted: done, rejected: 0, unchanged: 0 })
  await fixture.work()
  const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
  expect(found.body).toMatchObject({ status: 'completed', lines: 6000, accepted: 6000 })
  const run = await fixture.call('GET', `/v1/sync-runs/${found.body.sync_run_id}`)
  expect(run.body).toMatchObject({ status: 'succeeded', attempt: 1, rows_inserted: 6000 })
})

test('regression: a run that makes too many rows itself ends there, too', async () => {
  const id = await integration({ provider: 'demo', settings: { campaigns: 20 } })
  const run = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
  const attempt = await open()
  const records = recordsOf(fixture.worker, attempt, signal)
  const staging = stageRecords({
    pool: fixture.workerPool,
    leaseMs: 60_000,
    attempt,
    records,
    signal,
    recordsMax: 1500,
  })
  await expect(staging).rejects.toMatchObject({ code: 'feed_too_large' })
  await failAttempt(fixture.worker, attempt, { code: 'feed_too_large', line: null })
  await sweepEnded(fixture.worker, attempt.work, attempt.run.id)
  const found = await fixture.call('GET', `/v1/sync-runs/${run.body.id}`)
  expect(found.body).toMatchObject({ status: 'failed', error: { code: 'feed_too_large' } })
  expect(await staged()).toBe(0)
})

test('regression: an upload of too many rows ends there, and its rejects are aged out', async () => {
  const id = await integration({ provider: 'csv_upload' })
  const lines = Array.from({ length: 1600 }, (_, index) => `2026-01-01,${index % 20 === 0 ? 'x' : 1}`)
  const csv = `date,clicks\n${lines.join('\n')}\n`
  const { body } = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  const attempt = await open()
  const records = recordsOf(fixture.worker, attempt, signal)
  const staging = stageRecords({
    pool: fixture.workerPool,
    leaseMs: 60_000,
    attempt,
    records,
    signal,
    recordsMax: 1500,
  })
  await expect(staging).rejects.toMatchObject({ code: 'feed_too_large', line: 1502 })
  await sweepStaging(fixture.workerPool)
  expect(await staged()).toBe(1)
  await failAttempt(fixture.worker, attempt, { code: 'feed_too_large', line: 1502 })
  // As after a worker that did not live to do it.
  await sweepStaging(fixture.workerPool)
  expect(await staged()).toBe(0)
  await sweepEnded(fixture.worker, attempt.work, attempt.run.id)
  const found = await fixture.call('GET', `/v1/imports/${body.id}`)
  const counts = { lines: 1000, rejected: 50 }
  expect(found.body).toMatchObject({ ...counts, status: 'failed', error: { code: 'feed_too_large', line: 1502 } })
  const kept = async () => (await fixture.call('GET', `/v1/imports/${body.id}/errors`)).text.split('\n').length - 1
  expect(await kept()).toBe(50)
  await fixture.adminPool.query(
    `insert into api.import_rejects (workspace_id, import_id, line, code, detail, stored_at)
     select $1, $2, n, 'bad_date', '', now() - interval '31 days' from generate_series(2000, 13000) n`,
    [fixture.workspaces.a, body.id],
  )
  await sweepRejects(fixture.workerPool)
  expect(await kept()).toBe(50)
})

test('of two workers one takes the integration, and replays of one file in parallel end as one', async () => {
  const id = await integration({ provider: 'csv_upload' })
  const csv = 'date,campaign,clicks\n2026-01-01,a,1\n2026-01-01,b,2\n'
  const path = `/v1/imports?type=stats&integration_id=${id}`
  await Promise.all(Array.from({ length: 6 }, () => fixture.call('POST', path, { csv })))
  await Promise.all(Array.from({ length: 4 }, () => fixture.work()))
  await fixture.work()
  const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs`)
  const runs = body.data as { run_seq: number; status: string; rows_inserted: number; rows_unchanged: number }[]
  expect(runs.map(({ run_seq }) => run_seq).sort()).toEqual([1, 2, 3, 4, 5, 6])
  expect(runs.every(({ status }) => status === 'succeeded')).toBe(true)
  const counts = runs.map(({ rows_inserted, rows_unchanged }) => [rows_inserted, rows_unchanged])
  expect(counts.sort()).toEqual([
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [2, 0],
  ])
})

test('of 110 imports sent at once 100 may wait; the others get 429 and leave nothing; a replay still gets its answer', async () => {
  const id = await integration({ provider: 'csv_upload' })
  const path = `/v1/imports?type=stats&integration_id=${id}`
  const send = (index: number) =>
    fixture.call('POST', path, { csv: 'date,clicks\n2026-01-01,1\n', headers: { 'idempotency-key': `many-${index}` } })
  const answers = await Promise.all(Array.from({ length: 110 }, (_, index) => send(index)))
  const taken = answers.flatMap(({ status }, index) => (status === 202 ? [index] : []))
  expect(taken).toHaveLength(100)
  const refused = answers.filter(({ status }) => status !== 202)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['429 quota_exceeded']))
  expect((await fixture.adminPool.query('select 1 from api.import_chunks')).rows).toHaveLength(100)
  const again = await send(taken[0] ?? 0)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true'])
  expect((await fixture.call('DELETE', `/v1/integrations/${id}`)).status).toBe(204)
})

test('regression: uploads of one workspace that wait for the database leave connections for another one', async () => {
  const id = await integration({ provider: 'csv_upload' })
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    await client.query('lock table api.import_chunks in exclusive mode')
    const path = `/v1/imports?type=stats&integration_id=${id}`
    let ended = 0
    const uploads = Array.from({ length: 12 }, async () => {
      const { status } = await fixture.call('POST', path, { csv: 'date,clicks\n2026-01-01,1\n' })
      ended += 1
      return status
    })
    await untilSomebodyWaits()
    for (let at = 0; at < 10; at++) {
      expect((await fixture.call('GET', '/v1/integrations', { as: 'b' })).status).toBe(200)
    }
    expect(ended).toBe(0)
    await client.query('rollback')
    expect(new Set(await Promise.all(uploads))).toEqual(new Set([202]))
  } finally {
    client.release(true)
  }
  expect((await fixture.call('DELETE', `/v1/integrations/${id}`)).status).toBe(204)
})
