// What the tests of the adapters share: a service's database with the tables of a consumer, members that can be stopped, waits.
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { migrationsDirectory } from './consumer.ts'
import { conformanceEffectsSql } from './effects-table.ts'

/** A database with the consumer's tables and `effects` in the schema of delivery. */
export async function prepareConsumerDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  const { owner } = database.urls.services.delivery
  await migrate({
    connectionString: owner,
    schema: 'delivery',
    directories: [migrationsDirectory],
  })
  await query(owner, `${conformanceEffectsSql}; grant select, insert on effects to wds_delivery_worker`)
  return database
}

export async function query(connectionString: string, sql: string, values?: unknown[]) {
  const pool = createPool({ connectionString, applicationName: 'test', max: 1 })
  try {
    return await (values ? pool.query(sql, values) : pool.query(sql))
  } finally {
    await pool.end()
  }
}

/** A pool whose work waits while it is stalled, as that of a stopped process does. */
export function stallable(pool: Pool): { pool: Pool; stall(): void; resume(): void } {
  let gate: Promise<void> | null = null
  let open: () => void = () => undefined
  const proxy = new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'query' && name !== 'connect') return typeof value === 'function' ? value.bind(target) : value
      return async (...args: unknown[]) => {
        if (gate) await gate
        return value.apply(target, args)
      }
    },
  })
  return {
    pool: proxy,
    stall() {
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    resume() {
      gate = null
      open()
    },
  }
}
