// Names the migrations that the packages bring into a service's schema. Which of them a service has depends on whether it
// knows its callers: one that answers everybody keeps no keys, no stored answers and no consumer.
import { migrationsDirectory as accessMigrations } from '@wds/access/projection'
import { migrationsDirectory as consumerMigrations } from '@wds/event-log/consumer'
import { migrationsDirectory as eventStoreMigrations } from '@wds/event-store/event-store'
import { migrationsDirectory as idempotencyMigrations } from '@wds/http-service/idempotency'
import { migrationsDirectory as quotaMigrations } from '@wds/http-service/quota-store'

const always = [eventStoreMigrations, quotaMigrations, new URL('./migrations/', import.meta.url)]

/** Folders with the SQL of a service's schema; `own` is the service's. Migrations are applied in the order of the folders. */
export function serviceMigrations(o: { callers: 'known' | 'anyone'; own: URL }): URL[] {
  const ofCallers = [consumerMigrations, accessMigrations, idempotencyMigrations]
  return [...always, ...(o.callers === 'known' ? ofCallers : []), o.own]
}
