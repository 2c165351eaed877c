// Describes the auth service and runs it; the only file that knows every adapter. `migrate` as first argument applies the migrations and ends.
import { revocations } from '@wds/access/denial-events'
import { aggregatesOf } from '@wds/aggregate/concept'
import { acknowledgeOnLog } from '@wds/event-store/acknowledge'
import { runService } from '@wds/service-host/run-service'
import { readKey, readPrivateText } from '@wds/service-host/secret-files'
import type { Service } from '@wds/service-host/service'
import { logSecurityEvents } from './audit/security-events.ts'
import { refusals, settings } from './config.ts'
import { createHttpPart } from './http-part.ts'
import { readProviders } from './identities/providers.ts'
import { migrationDirectories } from './migration-directories.ts'
import { openOAuthServer } from './oauth/oauth-server.ts'
import { rotateSigningKeysCommand } from './oauth/signing-keys/rotate-command.ts'
import { storedKeys } from './oauth/signing-keys/store.ts'
import { prune } from './prune.ts'
import { republishAnnouncements } from './republish.ts'
import { concepts } from './resources.ts'
import { consumers, startWorker } from './start-worker.ts'

type Values = ReturnType<typeof settings.parse>

const auth: Service<Values> = {
  name: 'auth',
  readSettings: (env, options) => settings.parse(env, options),
  printSettings: (values) => settings.printable(values),
  refusals,
  openapi: new URL('./', import.meta.url),
  migrations: migrationDirectories,
  callers: 'known',
  isAskedWithoutLog: true,
  connections: { http: 10, worker: 6 },
  // Tokens carry times of this clock, which the other services judge by theirs (kubernetes.md K22).
  clockOffMaxMs: 5_000,
  republish: republishAnnouncements,
  aggregates: aggregatesOf(concepts),
  tidy: prune,
  worker: startWorker,
  consumers,
  secrets: [storedKeys],
  commands: { 'rotate-signing-keys': rotateSigningKeysCommand },
  http: async ({ values, pool, cursors, envelope, logger, signal, onStop }) => {
    onStop(logSecurityEvents(logger))
    const { WDS_BASE_URL: baseUrl, WDS_AUTH_URL: authUrl = baseUrl } = values
    // Beside cursors, what is signed by keys made from it lives for minutes.
    const secret = readKey('WDS_CURSOR_KEY_FILE', values.WDS_CURSOR_KEY_FILE)
    const file = values.WDS_UPSTREAM_PROVIDERS_FILE
    const providers = file === undefined ? [] : readProviders(readPrivateText('WDS_UPSTREAM_PROVIDERS_FILE', file))
    const oauth = await openOAuthServer({ pool, envelope, logger, signal, authUrl, baseUrl, secret })
    onStop(() => oauth.keys.ended)
    acknowledgeOnLog(pool, { types: revocations, logger })
    const part = createHttpPart({
      pool,
      cursors,
      authUrl,
      secret,
      providers,
      signToken: oauth.keys.signAccessToken,
      appNameOf: oauth.appNameOf,
      reportUpstreamFailure: (failure) => logger.warn(failure, 'sign-in upstream failed'),
    })
    const { WDS_INTERNAL_TLS_CERT_FILE: certFile, WDS_INTERNAL_TLS_KEY_FILE: keyFile } = values
    return {
      ...part,
      mounts: [...(part.mounts ?? []), ...oauth.mounts],
      internal: {
        port: values.WDS_INTERNAL_PORT,
        tokenFile: values.WDS_INTERNAL_TOKEN_FILE,
        tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
      },
    }
  },
}

if (import.meta.main) runService(auth)
