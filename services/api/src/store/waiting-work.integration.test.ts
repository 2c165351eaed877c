// What metrics say of sync work that waits.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { migrationDirectories } from '../migration-directories.ts'
import { readWaitingWork } from './waiting-work.ts'

let database: TestDatabase
let worker: Pool
let admin: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const urls = database.urls.services.api
  await migrate({ connectionString: urls.owner, schema: 'api', directories: migrationDirectories })
  worker = createPool({ connectionString: urls.worker, applicationName: 'test-worker', max: 2 })
  admin = createPool({ connectionString: database.adminUrl, applicationName: 'test-admin', max: 2 })
}, 60_000)
afterAll(async () => {
  await Promise.all([worker?.end(), admin?.end()])
  await database?.drop()
})

test('waiting, running and deferred work are told apart; the age is that of the oldest waiting piece', async () => {
  expect(await readWaitingWork(worker)).toEqual({ waiting: 0, running: 0, deferred: 0, oldestWaitingSeconds: 0 })
  const pieces: [string, number, number | null][] = [
    ['lost', -95, -5],
    ['waits', -25, null],
    ['runs', -500, 30],
    ['later', 60, null],
  ]
  const client = await admin.connect()
  // Rows of the queue alone: what they belong to is not looked at.
  await client.query('set session_replication_role = replica')
  for (const [id, due, lease] of pieces) {
    await client.query(
      `insert into api.due_work (workspace_id, work_id, kind, integration_id, correlation, traceparent, due, lease_until)
       values ('wsp_x', $1, 'run', 'int_' || $1, 'req_x', '', now() + $2 * interval '1 s', now() + $3 * interval '1 s')`,
      [id, due, lease],
    )
  }
  client.release(true)
  const work = await readWaitingWork(worker)
  expect(work).toMatchObject({ waiting: 2, running: 1, deferred: 1 })
  expect(Math.floor(work.oldestWaitingSeconds / 10)).toBe(9)
})
