// The console's server: hands out the document and its assets, and has the probes of every service. It knows no database and calls nobody.
import { defaultLimits } from '@wds/http-service/limits'
import { closeListener, createListener, listen } from '@wds/http-service/listener'
import { openManagement } from '@wds/http-service/management'
import { openTelemetry } from '@wds/service-host/open-telemetry'
import { runProcess, type StartedService } from '@wds/service-host/process'
import { isProduction } from '@wds/service-host/profile'
import { SettingsError } from '@wds/settings/settings'
import { settings } from './config.ts'
import { openDocs } from './docs-site.ts'
import { readSite, serveSite } from './site.ts'

const name = 'console'
/** An answer from memory takes no longer. */
const graceMs = 5_000

type Values = ReturnType<typeof settings.parse>

function readSettings(): Values {
  const values = settings.parse(process.env)
  if (!isProduction(values)) return values
  settings.parse(process.env, { refuseUnknownPrefix: 'WDS_' })
  if (!values.WDS_BASE_URL.startsWith('https:'))
    throw new SettingsError(['WDS_BASE_URL must begin with https:// in production'])
  return values
}

async function start(signal: AbortSignal): Promise<StartedService> {
  const values = readSettings()
  const { logger, pages, close } = openTelemetry({ service: name, values })
  const baseUrl = values.WDS_BASE_URL
  const [site, docs] = [readSite(values.WDS_CONSOLE_FOLDER), openDocs(values.WDS_DOCS_FOLDER)]
  const server = createListener(serveSite(site, docs, { baseUrl }), { baseUrl, logger, limits: defaultLimits })
  const { WDS_MANAGEMENT_HOST: managementHost, WDS_MANAGEMENT_PORT: managementPort } = values
  const management =
    managementPort === undefined
      ? null
      : await openManagement({
          host: managementHost,
          port: managementPort,
          baseUrl,
          logger,
          pages,
          ready: () => server.listening && !signal.aborted,
        })
  const port = await listen(server, { host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
  logger.info({ port, settings: settings.printable(values) }, 'the console listens')
  return {
    port,
    stop: async () => {
      await closeListener(server, graceMs)
      await management?.close()
      await close()
    },
  }
}

runProcess({ name, start })
