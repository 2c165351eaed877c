// Starts the HTTP side of a service: pool, keys in memory, routes, listener.
import type { Authenticator } from '@wds/access/authenticator'
import { createKeyDirectory } from '@wds/access/key-projection'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService } from '@wds/http-service/service'
import { createPool, type Pool } from '@wds/postgres/pool'
import { awaitDatabase, type DatabaseCheck } from './await-database.ts'
import { connectionNeeds } from './connections.ts'
import type { Health } from './health.ts'
import { isProduction } from './profile.ts'
import { readKey } from './secret-files.ts'
import type { HttpContext, Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'
import { watchClock } from './watch-clock.ts'

/** Requests under way end within this; half of what the process has in all is left for the rest. */
const graceMs = 10_000

/** Listens once the keys are in memory, and resolves with the port. */
export async function startHttp<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  o: Omit<HttpContext<V, S, W>, 'pool' | 'cursors'> & Pick<DatabaseCheck, 'key'> & Pick<Health, 'alsoReadyWhen'>,
): Promise<number> {
  const { values, logger, key, signal } = o
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
  if (service.clockOffMaxMs !== undefined) {
    const clock = await watchClock({ pool, offMaxMs: service.clockOffMaxMs, logger, signal })
    o.onStop(() => clock.ended)
    o.alsoReadyWhen(clock.isRight)
  }
  const authenticator = service.callers === 'known' ? await loadKeys({ ...o, pool }) : nobody
  const cursors = createCursors([readKey('WDS_CURSOR_KEY_FILE', values.WDS_CURSOR_KEY_FILE)])
  const kit = createHttpService({
    openapi: service.openapi,
    baseUrl: values.WDS_BASE_URL,
    pool,
    authenticator,
    envelope: o.envelope,
    logger,
    cors: values.WDS_CORS_ORIGINS,
    trustedProxies: values.WDS_TRUSTED_PROXIES,
    httpsOnly: production,
    admission: {
      requests: values.WDS_REQUEST_QUOTA,
      windowMs: values.WDS_REQUEST_QUOTA_WINDOW,
      concurrent: values.WDS_REQUEST_CONCURRENCY,
    },
    ...(await service.http({ ...o, pool, cursors })),
  })
  const listener = await kit.listen({ host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
  o.onStop(() => listener.close({ graceMs }))
  return listener.port
}

/** No route asks for a token where everybody may call, and one that did would refuse. */
const nobody: Authenticator = { authenticate: () => ({ ok: false, problem: 'invalid_token' }) }

async function loadKeys(
  o: Pick<HttpContext<unknown, unknown, unknown>, 'logger' | 'onStop' | 'signal'> & { pool: Pool },
) {
  const keys = createKeyDirectory({ pool: o.pool, logger: o.logger })
  await keys.start()
  o.onStop(() => keys.stop())
  // A stop during the start must not wait for a database that is away.
  const stop = () => void keys.stop()
  o.signal.addEventListener('abort', stop, { once: true })
  try {
    await keys.whenLoaded()
  } finally {
    o.signal.removeEventListener('abort', stop)
  }
  return keys
}
