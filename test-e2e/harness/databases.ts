/** The databases of a stack: one for each service, or one for all of them, as the platform's operator would make them. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { logMigrations } from '@wds/event-log/postgres-log'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { createTestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { type ProvisionedUrls, provision, type ServiceName, serviceNames } from '@wds/provision/provision'
import pg from 'pg'
import { root } from './standalone.ts'

export interface StackDatabases {
  /** Superuser's address of the database of each service. */
  adminUrls: Record<ServiceName, string>
  urls: Record<ServiceName, ProvisionedUrls['services'][ServiceName]>
  drop(): Promise<unknown>
}

interface Database {
  adminUrl: string
  urls: ProvisionedUrls
  drop(): Promise<unknown>
}

/** Makes the databases with their schemas; without `apart` all services share one, and the log is in it. */
export async function makeDatabases(o: {
  apart: boolean
  /** Null: they are in the Postgres of the test run. */
  postgres: PostgresServer | null
}): Promise<StackDatabases> {
  const groups: ServiceName[][] = o.apart ? serviceNames.map((service) => [service]) : [[...serviceNames]]
  const made = await Promise.all(
    groups.map(async (services) => {
      const name = o.apart ? `stack_${services[0]}` : 'stack'
      const make = ({ urls }: Pick<Database, 'urls'>) => migrateAll(urls, { services, withLog: !o.apart })
      return {
        services,
        database: await (o.postgres ? createIn(o.postgres, { name, make }) : createTestDatabase({ name, make })),
      }
    }),
  )
  const each = <T>(pick: (database: Database, service: ServiceName) => T) =>
    Object.fromEntries(
      made.flatMap(({ services, database }) => services.map((service) => [service, pick(database, service)])),
    ) as Record<ServiceName, T>
  return {
    urls: each(({ urls }, service) => urls.services[service]),
    adminUrls: each(({ adminUrl }) => adminUrl),
    drop: () => Promise.all(made.map(({ database }) => database.drop())),
  }
}

const passwords = new Map<string, string>()

function passwordOf(role: string): string {
  const known = passwords.get(role) ?? randomBytes(18).toString('base64url')
  passwords.set(role, known)
  return known
}

async function createIn(
  postgres: PostgresServer,
  { name, make }: { name: string; make(database: Pick<Database, 'urls'>): Promise<void> },
): Promise<Database> {
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const adminUrl = Object.assign(new URL(postgres.adminUrl), { pathname: `/${name}` }).href
  const urls = await provision({ adminUrl, passwordOf })
  await make({ urls })
  return { adminUrl, urls, drop: async () => undefined }
}

async function migrateAll(urls: ProvisionedUrls, o: { services: ServiceName[]; withLog: boolean }): Promise<void> {
  if (o.withLog) await migrate({ connectionString: urls.log.owner, schema: 'log', directories: logMigrations })
  await Promise.all(o.services.map((service) => migrateService(service, urls.services[service].owner)))
}

/** In this process: the command of a service would load all of it, in each of a run's workers. */
async function migrateService(service: ServiceName, connectionString: string): Promise<void> {
  const file = pathToFileURL(join(root, 'services', service, 'src/migration-directories.ts')).href
  const { migrationDirectories }: { migrationDirectories: URL[] } = await import(file)
  await migrate({ connectionString, schema: service, directories: migrationDirectories })
}
