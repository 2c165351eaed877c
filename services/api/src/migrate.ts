// Applies the migrations of this service's schema as its owner, in order. It never runs beside serving.
import { migrationsDirectory as accessMigrations } from '@wds/access/key-projection'
import { migrationsDirectory as consumerMigrations } from '@wds/event-log/consumer'
import { migrationsDirectory as eventStoreMigrations } from '@wds/event-store/event-store'
import { migrationsDirectory as idempotencyMigrations } from '@wds/http-service/idempotency'
import { baseMigrationsDirectory, migrate } from '@wds/postgres/migrations'

/** Where the migrations of schema `api` stand, in order. */
export const apiMigrations: URL[] = [
  baseMigrationsDirectory,
  eventStoreMigrations,
  consumerMigrations,
  accessMigrations,
  idempotencyMigrations,
  new URL('./migrations/', import.meta.url),
]

/** Names of the migrations applied. */
export function migrateApi(connectionString: string): Promise<string[]> {
  return migrate({ connectionString, schema: 'api', directories: apiMigrations })
}
