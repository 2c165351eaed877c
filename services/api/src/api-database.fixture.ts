// For tests: a database with the schema of this service, which the first suite of a run makes.
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { migrationDirectories } from './migration-directories.ts'

export const createApiDatabase = (): Promise<TestDatabase> => createTestDatabase({ name: 'api', make: migrateAll })

function migrateAll({ urls }: TestDatabase): Promise<unknown> {
  return migrate({ connectionString: urls.services.api.owner, schema: 'api', directories: migrationDirectories })
}
