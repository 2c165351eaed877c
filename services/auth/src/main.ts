/** Describes the auth service and runs it; the only file that knows every adapter. `migrate` as first argument applies the migrations and ends. */
import type { AddressInfo } from 'node:net'
import { fromStreams } from '@wds/event-store/republish'
import { serviceMigrations } from '@wds/service-host/migrations'
import { runService } from '@wds/service-host/run-service'
import { readToken } from '@wds/service-host/secret-files'
import type { HttpContext, Service } from '@wds/service-host/service'
import { settings } from './config.ts'
import { announceAgain, createWorkspace } from './http/create-workspace.ts'
import { createInternalListener } from './http/internal-listener.ts'
import { routes } from './http/routes.ts'
import { pruneRevokedKeys } from './store/api-keys.ts'

type Values = ReturnType<typeof settings.parse>

const auth: Service<Values> = {
  name: 'auth',
  readSettings: (env, options) => settings.parse(env, options),
  openapi: new URL('../openapi.yaml', import.meta.url),
  migrations: serviceMigrations({ callers: 'known', own: new URL('./migrations/', import.meta.url) }),
  callers: 'known',
  connections: { http: 10, worker: 6 },
  // Tokens carry times of this clock, which the other services judge by theirs (kubernetes.md K22).
  clockOffMaxMs: 5_000,
  republish: fromStreams(announceAgain),
  tidy: pruneRevokedKeys,
  http: async (o) => {
    await listenInternally(o)
    return { routes }
  },
}

/** The operator's commands, on a listener and a port of their own. */
async function listenInternally(o: HttpContext<Values, undefined, void>): Promise<void> {
  const { values, pool, logger } = o
  const internal = createInternalListener({
    token: readToken('WDS_INTERNAL_TOKEN_FILE', values.WDS_INTERNAL_TOKEN_FILE),
    logger,
    createWorkspace: (request) => createWorkspace(pool, request),
  })
  await new Promise<void>((resolve, reject) => {
    internal.once('error', reject)
    internal.listen(values.WDS_INTERNAL_PORT, values.WDS_HTTP_HOST, resolve)
  })
  o.onStop(
    () =>
      new Promise<void>((resolve) => {
        internal.close(() => resolve())
        internal.closeIdleConnections()
      }),
  )
  logger.info({ internal_port: (internal.address() as AddressInfo).port }, 'listening for the operator')
}

if (import.meta.main) runService(auth)
