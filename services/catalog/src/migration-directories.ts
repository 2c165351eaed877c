// Names the migrations of the catalog's schema, in order: what the packages bring and its own.
import { migrationsDirectory as eventStoreMigrations } from '@wds/event-store/event-store'
import { baseMigrationsDirectory } from '@wds/postgres/migrations'

/** Folders with the SQL of schema `catalog`. Keys and idempotency have none here: no route takes a token or writes. */
export const migrationDirectories: URL[] = [
  baseMigrationsDirectory,
  eventStoreMigrations,
  new URL('./migrations/', import.meta.url),
]
