// Describes the catalog service and runs it; the only file that knows every adapter. `migrate` as first argument applies the
// migrations and ends.
import { runService } from '@wds/service-host/run-service'
import type { Service } from '@wds/service-host/service'
import { settings } from './config.ts'
import { announceEventTypes, republishEventTypes } from './event-types/announce-event-types.ts'
import { catalogEntries } from './event-types/domain/catalog-entry.ts'
import { catalogRoutes } from './event-types/routes.ts'
import { migrationDirectories } from './migration-directories.ts'

const catalog: Service<ReturnType<typeof settings.parse>> = {
  name: 'catalog',
  readSettings: (env, options) => settings.parse(env, options),
  printSettings: (values) => settings.printable(values),
  openapi: new URL('./', import.meta.url),
  migrations: migrationDirectories,
  callers: 'anyone',
  // It answers from memory: the pool of its HTTP side never connects.
  connections: { http: 2, worker: 4 },
  worker: async ({ pool, logger }) => {
    const announced = await announceEventTypes(pool, catalogEntries)
    logger.info({ announced: announced.length }, 'event types announced')
  },
  republish: republishEventTypes(catalogEntries),
  http: ({ cursors }) => ({ routes: catalogRoutes({ cursors }) }),
}

if (import.meta.main) runService(catalog)
