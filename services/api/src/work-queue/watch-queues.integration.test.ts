// What wakes the loops of the worker: each queue, and nothing where nothing is due.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { WakeSignal } from '@wds/pacing/wait'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { createApiDatabase } from '../api-database.fixture.ts'
import { lookAtQueues } from './store-queues.ts'
import { createDueSignals, watchQueues } from './watch-queues.ts'

let database: TestDatabase
let worker: Pool
let admin: Pool
beforeAll(async () => {
  database = await createApiDatabase()
  worker = createPool({
    connectionString: database.urls.services.api.worker,
    applicationName: 'test-worker',
    max: 2,
  })
  admin = createPool({
    connectionString: database.adminUrl,
    applicationName: 'test-admin',
    max: 1,
    statementTimeoutMs: 0,
  })
  // Rows of the queues alone: what they belong to is not looked at.
  await admin.query('set session_replication_role = replica; set search_path = api')
})
afterAll(async () => {
  await Promise.all([worker?.end(), admin?.end()])
  await database?.drop()
})
afterEach(async () => {
  await admin.query(`truncate due_work, import_work, schedules, stats_calendars, stats_wakes, stats_day_work, anomaly_day_work,
    automation_ticks, automation_work`)
})

const [soon, due] = ["app_now() + interval '1 hour'", "app_now() - interval '1 s'"]
const work = (at: string, lease: string) =>
  `insert into due_work (workspace_id, work_id, kind, integration_id, correlation, traceparent, due, lease_until)
   values ('wsp_x', 'run_x', 'run', 'int_x', '', '', ${at}, ${lease})`
const schedule = (at: string, delay: string, expiry: string) =>
  `insert into schedules (workspace_id, integration_id, due, delay_due, expiry_due) values ('wsp_x', 'int_x', ${at}, ${delay}, ${expiry})`
const file = (at: string) =>
  `insert into import_work (workspace_id, import_id, correlation, traceparent, due) values ('wsp_x', 'imp_x', '', '', ${at})`
const calendar = (at: string) =>
  `insert into stats_calendars (workspace_id, time_zone, first_day, due) values ('wsp_x', 'UTC', '2026-01-01', ${at})`
const day = (table: string, at: string) =>
  `insert into ${table} (workspace_id, day, due) values ('wsp_x', '2026-01-01', ${at})`
const tick = (at: string) =>
  `insert into automation_ticks (workspace_id, rule_id, due) values ('wsp_x', 'rul_x', ${at})`
const evaluation = (at: string) =>
  `insert into automation_work (workspace_id, rule_id, evaluation_key, rule_version, subject_id, depth, due)
   values ('wsp_x', 'rul_x', 'k', 1, 'int_x', 0, ${at})`

test.each([
  ['nothing', 'select 1', []],
  ['work', work(due, 'null'), ['work']],
  ['work of a process that was lost', work(due, due), ['work']],
  ['work under a lease', work(due, soon), []],
  ['work that waits for its instant', work(soon, 'null'), []],
  ['a file', file(due), ['files']],
  ['a file that failed a while ago', file(soon), []],
  ['a sync by its schedule', schedule(due, soon, soon), ['schedules']],
  ['a sync that did not succeed', schedule(soon, due, 'null'), ['schedules']],
  ['credentials that end', schedule(soon, 'null', due), ['schedules']],
  ['a sync that is due later', schedule(soon, 'null', 'null'), []],
  ['a day that begins', calendar(due), ['calendars']],
  ['another time zone', "insert into stats_wakes (workspace_id) values ('wsp_x')", ['calendars']],
  ['a day that goes on', calendar(soon), []],
  ['a day of stats', day('stats_day_work', due), ['days']],
  ['a day of stats that waits for somebody', day('stats_day_work', 'null'), []],
  ['a day to be searched for anomalies', day('anomaly_day_work', due), ['anomalies']],
  ['a tick of a rule', tick(due), ['rules']],
  ['a rule that may fire', evaluation(due), ['rules']],
  ['a rule that looks later', `${tick(soon)}; ${evaluation(soon)}`, []],
])('%s is seen by the loop that it is for', async (_, insert, seen) => {
  await admin.query(insert)
  expect(await lookAtQueues(worker)).toEqual(seen)
})

test('a loop that rests for an hour is woken by what comes due, also where its process was not told of it', async () => {
  const stop = new AbortController()
  const due = createDueSignals({ work: new WakeSignal() })
  const logger = createLogger({ service: 'test', level: 'silent' })
  const watching = watchQueues({
    pool: worker,
    due,
    pollMs: 5,
    logger,
    signal: stop.signal,
    progress: createProgress(),
  })
  try {
    const woken = due.days.wait(3_600_000)
    await admin.query(day('stats_day_work', "app_now() + interval '50 ms'"))
    expect(await woken).toBe(true)
  } finally {
    stop.abort()
    await watching
  }
})
