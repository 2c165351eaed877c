/** The databases of a stack: one for each service, or one for all of them, as the platform's operator would make them. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
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
  /** Root of the sources whose migrations make the schemas; default: of these. */
  sources?: string
}): Promise<StackDatabases> {
  const groups: ServiceName[][] = o.apart ? serviceNames.map((service) => [service]) : [[...serviceNames]]
  const made = await Promise.all(
    groups.map(async (services) => {
      const version = o.sources === undefined ? '' : '_old'
      const name = `stack${o.apart ? `_${services[0]}` : ''}${version}`
      const { sources } = o
      const make = ({ urls }: Pick<Database, 'urls'>) => migrateAll(urls, { services, withLog: !o.apart, sources })
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

async function migrateAll(
  urls: ProvisionedUrls,
  o: { services: ServiceName[]; withLog: boolean; sources: string | undefined },
): Promise<void> {
  if (o.withLog) await migrate({ connectionString: urls.log.owner, schema: 'log', directories: logMigrations })
  const { sources } = o
  await Promise.all(
    o.services.map((service) => {
      const { owner } = urls.services[service]
      return sources === undefined ? migrateService(service, owner) : migrateBy(sources, service, owner)
    }),
  )
}

/** By the command of other sources. */
async function migrateBy(sources: string, service: ServiceName, owner: string): Promise<void> {
  const program = join(sources, 'services', service, 'src/main.ts')
  const env = { PATH: process.env.PATH ?? '', WDS_OWNER_DATABASE_URL: owner }
  await promisify(execFile)(process.execPath, [program, 'migrate'], { env })
}

/** In this process: the command of a service would load all of it, in each of a run's workers. */
async function migrateService(service: ServiceName, connectionString: string): Promise<void> {
  const file = pathToFileURL(join(root, 'services', service, 'src/migration-directories.ts')).href
  const { migrationDirectories }: { migrationDirectories: URL[] } = await import(file)
  await migrate({ connectionString, schema: service, directories: migrationDirectories })
}
