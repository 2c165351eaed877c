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

/** Of a change that a test makes. */
export function contextOf(workspaceId: string): AppendContext {
  return {
    workspaceId,
    actor: { type: 'system', id: 'test' },
    correlation: newId('req', Date.now()),
    trace: serverContext(undefined),
  }
}
