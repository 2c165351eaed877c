import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { baseMigrationsDirectory, migrate } from './migrations.ts'
import { createPool, type Pool } from './pool.ts'
import { withTransaction } from './transaction.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  await migrate({
    connectionString: database.urls.services.api.owner,
    schema: 'api',
    directories: [baseMigrationsDirectory],
  })
  pool = createPool({ connectionString: database.urls.services.api.http, applicationName: 'test' })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

describe('a transaction', () => {
  test('runs in its workspace', async () => {
    const { rows } = await withTransaction(pool, { workspaceId: "wsp_'a" }, (tx) =>
      tx.query("select current_setting('app.workspace_id') as workspace, app_now() as now"),
    )
    expect(rows[0]?.workspace).toBe("wsp_'a")
  })
})
