// For tests: a database of the auth service's own, and its clock.
import { newId } from '@wds/aggregate/new-id'
import type { AppendContext } from '@wds/event-store/event-store'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import type { Pool } from '@wds/postgres/pool'
import { serviceMigrations } from '@wds/service-host/migrations'
import { serverContext } from '@wds/telemetry/spans'

export const createAuthDatabase = (): Promise<TestDatabase> => createTestDatabase({ name: 'auth', make: migrateAll })

function migrateAll({ urls }: TestDatabase): Promise<unknown> {
  const own = new URL('./migrations/', import.meta.url)
  const directories = serviceMigrations({ callers: 'known', own })
  return migrate({ connectionString: urls.services.auth.owner, schema: 'auth', directories })
}

/** Moves the database's clock (`app_now()`) to so much before or after the real one. */
export async function moveClock(admin: Pool, offsetMs: number): Promise<void> {
  await admin.query(`create or replace function auth.app_now() returns timestamptz language plpgsql stable parallel safe
    as $$ begin return clock_timestamp() + ${Math.round(offsetMs)} * interval '1 millisecond'; end $$`)
}

/**
 * Runs what needs the person's row while another transaction holds it. Once as many wait for it as are told, or `run` is over without, that
 * transaction does `meanwhile` (SQL, with the person as $1) and commits.
 */
export async function whileHeld<T>(
  admin: Pool,
  o: { userId: string; waiting?: number; meanwhile?: string },
  run: () => Promise<T>,
): Promise<T> {
  const client = await admin.connect()
  try {
    await client.query('begin')
    await client.query('select from auth.users where user_id = $1 for no key update', [o.userId])
    let isOver = false
    const running = run().finally(() => {
      isOver = true
    })
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const deadline = Date.now() + 60_000
    while (!isOver && ((await admin.query(waits)).rowCount ?? 0) < (o.waiting ?? 1)) {
      if (Date.now() > deadline) throw new Error('nobody waits for the row')
    }
    if (o.meanwhile !== undefined) await client.query(o.meanwhile, [o.userId])
    await client.query('commit')
    return await running
  } finally {
    client.release()
  }
}

/** Of a change that a test makes. */
export function contextOf(workspaceId: string): AppendContext {
  return {
    workspaceId,
    actor: { type: 'system', id: 'test' },
    correlation: newId('req', Date.now()),
    trace: serverContext(undefined),
  }
}
