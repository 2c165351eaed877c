// Starts the HTTP side of a service: pool, what decides about callers in memory, routes, listener.
import type { Authenticator } from '@wds/access/authenticator'
import { createCursors } from '@wds/http-service/cursor'
import { isInternal } from '@wds/http-service/openapi-document'
import { createHttpService, type HttpServiceOptions } from '@wds/http-service/service'
import { createPool } from '@wds/postgres/pool'
import { awaitDatabase, type DatabaseCheck } from './await-database.ts'
import { connectionNeeds } from './connections.ts'
import { type DatabaseClock, startDatabaseClock } from './database-clock.ts'
import { followTokens } from './follow-tokens.ts'
import type { Health } from './health.ts'
import { openInternalCertificate } from './internal-certificate.ts'
import { loadAccess } from './load-access.ts'
import { isProduction } from './profile.ts'
import { readKey } from './secret-files.ts'
import type { HttpContext, HttpPart, Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'

/** Requests under way end within this; half of what the process has in all is left for the rest. */
const graceMs = 10_000

/** Listens once what decides about callers is in memory, up to the end that the log had, and resolves with the port. `startedMs`: of the process (`performance.now()`); its own worker may have seen that end since. */
export async function startHttp<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  o: Omit<HttpContext<V, S, W>, 'pool' | 'cursors'> &
    Pick<DatabaseCheck, 'key'> &
    Pick<Health, 'alsoReadyWhen' | 'progress'> & {
      /** Of the worker in this process; null where it runs none. */
      clock: DatabaseClock | null
      startedMs: number
    },
): Promise<number> {
  const { values, logger, key, signal, progress } = o
  const production = isProduction(values)
  const connectionString = values.DATABASE_URL
  const connections = connectionNeeds(service, values)
  const pool = createPool({
    connectionString,
    applicationName: `${service.name}-http`,
    max: connections.http,
  })
  o.onStop(() => pool.end())
  await awaitDatabase({
    service,
    setting: 'DATABASE_URL',
    connectionString,
    pool,
    production,
    connections,
    key,
    logger,
    signal,
  })
  const clock =
    o.clock ?? (await startDatabaseClock({ pool, hostOffMaxMs: service.clockOffMaxMs, logger, signal, progress }))
  if (o.clock === null) o.onStop(() => clock.ended)
  if (service.clockOffMaxMs !== undefined) o.alsoReadyWhen(clock.isHostRight)
  const { isAskedWithoutLog = false } = service
  const authenticator = service.callers === 'known' ? await loadAccess({ ...o, pool, isAskedWithoutLog }) : nobody
  const cursors = createCursors([readKey('WDS_CURSOR_KEY_FILE', values.WDS_CURSOR_KEY_FILE)])
  const { internal, ...part } = await service.http({ ...o, pool, cursors })
  const kit = {
    openapi: service.openapi,
    baseUrl: values.WDS_BASE_URL,
    pool,
    authenticator,
    envelope: o.envelope,
    logger,
    ...part,
  }
  const open = createHttpService({
    cors: corsOrigins(values),
    trustedProxies: values.WDS_TRUSTED_PROXIES,
    httpsOnly: production,
    admission: {
      requests: values.WDS_REQUEST_QUOTA,
      windowMs: values.WDS_REQUEST_QUOTA_WINDOW,
      concurrent: values.WDS_REQUEST_CONCURRENCY,
    },
    ...kit,
  })
  await listenInternally(kit, { ...o, internal })
  const listener = await open.listen({ host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
  o.onStop(() => listener.close({ graceMs }))
  return listener.port
}

/** Those that are listed, and the console's where it is another than the API's (ui.md 1): it stands on the address of auth. */
export function corsOrigins(
  values: Pick<ServiceValues, 'WDS_BASE_URL' | 'WDS_AUTH_URL' | 'WDS_CORS_ORIGINS'>,
): string[] {
  const [base, own] = [values.WDS_BASE_URL, values.WDS_AUTH_URL ?? values.WDS_BASE_URL].map(
    (url) => new URL(url).origin,
  )
  return [...values.WDS_CORS_ORIGINS, ...(own === undefined || own === base ? [] : [own])]
}

/** Commands of the operator and calls of other services: on a port of their own, that nobody outside reaches (auth.md 1.4). */
async function listenInternally(
  kit: HttpServiceOptions,
  o: Pick<HttpContext<ServiceValues, unknown, unknown>, 'values' | 'logger' | 'signal' | 'onStop'> &
    Pick<Health, 'progress'> &
    Pick<HttpPart, 'internal'>,
): Promise<void> {
  if (o.internal === undefined) {
    const lost = kit.routes.find(({ path }) => isInternal(path))
    if (lost) throw new Error(`${lost.path} is served nowhere: the service has no internal listener`)
    return
  }
  const { port, tokenFile, tls } = o.internal
  const { WDS_HTTP_HOST: host } = o.values
  const certificate = tls && openInternalCertificate(tls, o)
  const tokens = followTokens(tokenFile, { ...o, everyMs: tls?.everyMs })
  const service = createHttpService({ ...kit, internal: { tokens } })
  const listener = await service.listen({ host, port, certificate: certificate?.first })
  o.onStop(() => listener.close({ graceMs }))
  const followed = certificate?.follow(listener)
  o.onStop(() => followed)
  const encrypted = tls !== undefined
  o.logger.info({ internal_port: listener.port, encrypted }, 'listening for the operator and other services')
}

/** No route asks for a token where everybody may call, and one that did would refuse. */
const nobody: Authenticator = { authenticate: async () => ({ ok: false, problem: 'invalid_token' }) }
