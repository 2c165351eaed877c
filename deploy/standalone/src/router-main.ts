/** The router as a program of its own, so that a fault in it ends neither the supervisor nor a service. */
import { defineSettings } from '@wds/settings/settings'
import { createRouter } from './router.ts'

const port = { type: 'integer', min: 1, max: 65_535 } as const
const settings = defineSettings({
  WDS_BASE_URL: { type: 'url', meaning: 'Public address, named in problem answers.' },
  WDS_HTTP_PORT: { ...port, meaning: 'Port of the router.' },
  WDS_AUTH_PORT: { ...port, meaning: 'Port of auth.' },
  WDS_API_PORT: { ...port, meaning: 'Port of api.' },
  WDS_CATALOG_PORT: { ...port, meaning: 'Port of catalog.' },
  WDS_DELIVERY_PORT: { ...port, meaning: 'Port of delivery.' },
}).parse(process.env)

const ports = {
  auth: settings.WDS_AUTH_PORT,
  api: settings.WDS_API_PORT,
  catalog: settings.WDS_CATALOG_PORT,
  delivery: settings.WDS_DELIVERY_PORT,
}
const server = createRouter({ baseUrl: settings.WDS_BASE_URL, portOf: (upstream) => ports[upstream] })

const end = () => {
  server.close(() => process.exit(0))
  server.closeIdleConnections()
  setTimeout(() => process.exit(0), 1_500).unref()
}
process.once('SIGTERM', end)
process.once('disconnect', end)
server.once('error', (error) => {
  console.error(`the port ${settings.WDS_HTTP_PORT} cannot be used: ${error.message}`)
  process.exit(1)
})
server.listen(settings.WDS_HTTP_PORT, '127.0.0.1', () =>
  process.send?.({ type: 'ready' }, undefined, {}, () => undefined),
)
