// The migrations of the service's schema, in the order of their names: packages first, then its own.
import { migrationsDirectory as accessMigrations } from '@wds/access/key-projection'
import { migrationsDirectory as consumerMigrations } from '@wds/event-log/consumer'
import { migrationsDirectory as eventStoreMigrations } from '@wds/event-store/event-store'
import { migrationsDirectory as idempotencyMigrations } from '@wds/http-service/idempotency'
import { baseMigrationsDirectory } from '@wds/postgres/migrations'

/** Every folder that `migrate` takes. */
export const migrationDirectories: URL[] = [
  baseMigrationsDirectory,
  eventStoreMigrations,
  consumerMigrations,
  accessMigrations,
  idempotencyMigrations,
  new URL('./migrations/', import.meta.url),
]
