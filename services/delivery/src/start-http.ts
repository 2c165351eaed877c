// Starts what the HTTP role does: the routes, judged by openapi.yaml, and the keys in memory.
import { createKeyDirectory } from '@wds/access/key-projection'
import { type EnvelopeEncryption, readKeyFile } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService } from '@wds/http-service/service'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import type { Settings } from './config.ts'
import { routesOf } from './http/routes.ts'
import type { CheckUrl } from './http/subscription-fields.ts'

export async function startHttp(o: {
  values: Settings
  pool: Pool
  logger: Logger
  envelope: EnvelopeEncryption
  checkUrl: CheckUrl
  /** Called after a commit that made a delivery due. */
  onDue(): void
}): Promise<{ port: number; stop(): Promise<void> }> {
  const { values, pool, logger, envelope } = o
  const keys = createKeyDirectory({ pool, logger })
  await keys.start()
  const cursors = createCursors([readKeyFile(values.WDS_CURSOR_KEY_FILE)])
  const http = createHttpService({
    openapi: new URL('../openapi.yaml', import.meta.url),
    routes: routesOf({
      cursors,
      envelope,
      checkUrl: o.checkUrl,
      attemptsMax: values.WDS_DELIVERY_ATTEMPTS,
      onDue: o.onDue,
    }),
    baseUrl: values.WDS_BASE_URL,
    pool,
    authenticator: keys,
    envelope,
    logger,
  })
  const listener = await http.listen({ host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
  logger.info({ port: listener.port }, 'listening')
  return {
    port: listener.port,
    async stop() {
      await listener.close({ graceMs: 5_000 })
      await keys.stop()
    },
  }
}
