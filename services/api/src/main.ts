// Starts the service, or applies its migrations with `migrate`.
import { runService } from '@wds/http-service/process'
import { apiSettings, migrateSettings } from './config.ts'
import { migrateApi } from './migrate.ts'
import { startApi } from './start-api.ts'

if (process.argv[2] === 'migrate') {
  try {
    const { WDS_OWNER_DATABASE_URL } = migrateSettings.parse(process.env)
    for (const name of await migrateApi(WDS_OWNER_DATABASE_URL)) process.stdout.write(`${name}\n`)
  } catch (error) {
    process.stderr.write(`api: ${(error as Error).message}\n`)
    process.exitCode = 1
  }
} else {
  runService({ name: 'api', start: (signal) => startApi(apiSettings.parse(process.env), signal) })
}
