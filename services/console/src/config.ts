// Every setting of the console's server. It has no database, no log and no secret.
import { join } from 'node:path'
import { serviceSettings } from '@wds/service-host/service-settings'
import { defineSettings } from '@wds/settings/settings'

const shared = serviceSettings({ port: 8086 })

export const settings = defineSettings({
  WDS_BASE_URL: shared.WDS_BASE_URL,
  WDS_HTTP_HOST: shared.WDS_HTTP_HOST,
  WDS_HTTP_PORT: shared.WDS_HTTP_PORT,
  WDS_MANAGEMENT_HOST: shared.WDS_MANAGEMENT_HOST,
  WDS_MANAGEMENT_PORT: shared.WDS_MANAGEMENT_PORT,
  WDS_PROFILE: shared.WDS_PROFILE,
  WDS_LOG_LEVEL: shared.WDS_LOG_LEVEL,
  WDS_CONSOLE_FOLDER: {
    type: 'string',
    default: join(import.meta.dirname, '../dist/site'),
    meaning: 'Folder with the built pages, as `src/build.ts` prints it.',
  },
  WDS_DOCS_FOLDER: {
    type: 'string',
    default: join(import.meta.dirname, '../dist/docs'),
    meaning: 'Folder with the documentation that is served at `/docs/`, as `npm run docs` prints it.',
  },
})
