/** Brings the schemas to what the code needs. Skipped when the stamp says that nothing changed since the last start. */
import { join } from 'node:path'
import { digestOfSources } from '@wds/build-once/digest-of-sources'
import { type ProvisionedUrls, provision, serviceNames } from '@wds/provision/provision'
import type { DataFolder } from './data-folder.ts'
import { serviceUrl } from './services.ts'
import { StartError } from './start-error.ts'

/** What the schemas are made of: every migration, every function of the database, and the code that makes roles. */
const sources = ['{packages,services}/*/src/*migrations/**/*.sql', 'packages/provision/src/provision.ts']

/** In this process: a command of the service would load all of the service for it. */
async function migrateService(name: (typeof serviceNames)[number], urls: ProvisionedUrls): Promise<void> {
  const directories: { migrationDirectories: URL[] } = await import(serviceUrl(name, 'migration-directories.ts'))
  await migrateSchema(name, urls.services[name].owner, directories.migrationDirectories)
}

async function migrateSchema(schema: string, connectionString: string, directories: URL[]): Promise<void> {
  const { migrate } = await import('@wds/postgres/migrations')
  await migrate({ connectionString, schema, directories }).catch((error: Error) => {
    throw new StartError(`the migrations of ${schema} failed: ${error.message}`)
  })
}

/** @returns the address of the database for each role. */
export async function prepareDatabase(adminUrl: string, data: DataFolder): Promise<ProvisionedUrls> {
  const stamp = digestOfSources(join(import.meta.dirname, '../../..'), sources)
  const known = JSON.parse(data.read('migrated') ?? '{}') as {
    stamp?: string
    adminUrl?: string
    urls?: ProvisionedUrls
  }
  if (known.stamp === stamp && known.adminUrl === adminUrl && known.urls !== undefined) return known.urls
  const urls = await provision({ adminUrl, passwordOf: data.passwordOf })
  // What migrates is loaded only when there is something to do: a start with nothing new is faster by what it weighs.
  const { logMigrations } = await import('@wds/event-log/postgres-log')
  await migrateSchema('log', urls.log.owner, logMigrations)
  await Promise.all(serviceNames.map((name) => migrateService(name, urls)))
  data.write('migrated', JSON.stringify({ stamp, adminUrl, urls }))
  return urls
}
