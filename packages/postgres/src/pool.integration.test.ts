import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { createPool, ownConnection, type Pool } from './pool.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool({ connectionString: database.urls.services.api.worker, applicationName: 'test', max: 2 })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

test('an own connection keeps its settings when it is made again, and nobody else has them', async () => {
  const own = ownConnection(pool, 'loop', { enable_sort: 'off', jit: 'off' })
  const asked = async (of: Pool) => {
    const { rows } = await of.query(
      `select pg_backend_pid() as pid, current_setting('enable_sort') as sort, current_setting('jit') as jit`,
    )
    return rows[0] as { pid: number; sort: string; jit: string }
  }
  const first = await asked(own)
  await expect(own.query('select pg_terminate_backend($1)', [first.pid])).rejects.toThrow()
  const second = await asked(own)
  expect(second.pid).not.toBe(first.pid)
  for (const { sort, jit } of [first, second]) expect([sort, jit]).toEqual(['off', 'off'])
  expect(await asked(pool)).toMatchObject({ sort: 'on' })
})
