/** The databases of a stack: one for each service, or one for all of them, as the platform's operator would make them. */
import { randomBytes } from 'node:crypto'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { type ProvisionedUrls, provision, type ServiceName, serviceNames } from '@wds/provision/provision'
import pg from 'pg'

export interface StackDatabases {
  /** Superuser's address of the database of each service. */
  adminUrls: Record<ServiceName, string>
  urls: Record<ServiceName, ProvisionedUrls['services'][ServiceName]>
  /** Owner of the log in Postgres, in the database of delivery. */
  logOwner: string
}

const passwords = new Map<string, string>()

function passwordOf(role: string): string {
  const known = passwords.get(role) ?? randomBytes(18).toString('base64url')
  passwords.set(role, known)
  return known
}

/** Makes the databases with roles and schemas; without `apart` all services share one. */
export async function makeDatabases(postgres: PostgresServer, o: { apart: boolean }): Promise<StackDatabases> {
  const databaseUrl = (name: string) => Object.assign(new URL(postgres.adminUrl), { pathname: `/${name}` }).href
  const nameOf = (service: ServiceName) => (o.apart ? `wds_${service}` : 'wds')
  const names = [...new Set(serviceNames.map(nameOf))]
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  for (const name of names) await admin.query(`create database ${name}`)
  await admin.end()
  const provisioned = new Map<string, ProvisionedUrls>()
  for (const name of names) provisioned.set(name, await provision({ adminUrl: databaseUrl(name), passwordOf }))
  const of = (service: ServiceName) => provisioned.get(nameOf(service)) as ProvisionedUrls
  const each = <T>(make: (service: ServiceName) => T) =>
    Object.fromEntries(serviceNames.map((service) => [service, make(service)])) as Record<ServiceName, T>
  return {
    urls: each((service) => of(service).services[service]),
    adminUrls: each((service) => databaseUrl(nameOf(service))),
    logOwner: of('delivery').log.owner,
  }
}
