// Names the migrations that the packages bring into a service's schema. Which of them a service has depends on whether it
// knows its callers: one that answers everybody keeps no keys, no stored answers and no consumer.
import { migrationsDirectory as accessMigrations } from '@wds/access/key-projection'
import { migrationsDirectory as consumerMigrations } from '@wds/event-log/consumer'
import { migrationsDirectory as eventStoreMigrations } from '@wds/event-store/event-store'
import { migrationsDirectory as idempotencyMigrations } from '@wds/http-service/idempotency'
import { migrationsDirectory as quotaMigrations } from '@wds/http-service/quota-store'
import { baseMigrationsDirectory } from '@wds/postgres/migrations'

const always = [
  baseMigrationsDirectory,
  eventStoreMigrations,
  quotaMigrations,
  new URL('./migrations/', import.meta.url),
]

/** Folders with the SQL of a service's schema; `own` is the service's. The names of the files decide the order. */
export function serviceMigrations(o: { callers: 'known' | 'anyone'; own: URL }): URL[] {
  const ofCallers = [consumerMigrations, accessMigrations, idempotencyMigrations]
  return [...always, ...(o.callers === 'known' ? ofCallers : []), o.own]
}
