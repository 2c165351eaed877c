/** The router as a program of its own, so that a fault in it ends neither the supervisor nor a service. */
import { closeListener, listen } from '@wds/http-service/listener'
import { defineSettings } from '@wds/settings/settings'
import { watchEventLoop } from '@wds/telemetry/event-loop-delay'
import { createLogger } from '@wds/telemetry/logger'
import { createRouter, type PortSetting, portSetting, upstreams } from './router.ts'

// A child ends within 2 s when its supervisor is gone.
const graceMs = 1_500

const port = { type: 'integer', min: 1, max: 65_535 } as const
const settings = defineSettings({
  WDS_BASE_URL: { type: 'url', meaning: 'Public address, named in problem answers.' },
  WDS_HTTP_PORT: { ...port, meaning: 'Port of the router.' },
  ...Object.fromEntries(upstreams.map((name) => [portSetting(name), { ...port, meaning: `Port of ${name}.` }])),
} as Record<'WDS_HTTP_PORT' | PortSetting, typeof port & { meaning: string }> & {
  WDS_BASE_URL: { type: 'url'; meaning: string }
}).parse(process.env)

const logger = createLogger({ service: 'router' })
const server = createRouter({
  baseUrl: settings.WDS_BASE_URL,
  logger,
  portOf: (upstream) => settings[portSetting(upstream)],
})

const end = () => void closeListener(server, graceMs).then(() => process.exit(0))
process.once('SIGTERM', end)
process.once('disconnect', end)
try {
  await listen(server, { host: '127.0.0.1', port: settings.WDS_HTTP_PORT })
  watchEventLoop(logger)
  process.send?.({ type: 'ready' }, undefined, {}, () => undefined)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
