// Declares the settings that every service has. A service adds its own beside them in its config.ts.
import type { Declarations, Values } from '@wds/settings/declaration'
import { logLevels } from '@wds/telemetry/logger'
import { kafkaSettings } from './kafka-settings.ts'

/** An address of Postgres, which holds a password. */
export const databaseUrl = { type: 'url', secret: true, protocols: ['postgres:', 'postgresql:', 'socket:'] } as const

/** Common settings; `port`: default of the public listener. */
export function serviceSettings(o: { port: number }) {
  return {
    DATABASE_URL: {
      ...databaseUrl,
      meaning:
        'Postgres, as the role that serves requests. Where it is given by a file, another password in it is taken in while the process runs.',
    },
    WDS_WORKER_DATABASE_URL: {
      ...databaseUrl,
      meaning: 'Postgres, as the role of relay, consumers and loops. Another password in its file is taken in, too.',
    },
    WDS_ROLE: {
      type: 'enum',
      values: ['all', 'http', 'worker'],
      default: 'all',
      meaning: 'Which part of the service this process runs.',
    },
    WDS_BASE_URL: { type: 'url', protocols: ['https:', 'http:'], meaning: 'Public address of the REST API.' },
    WDS_AUTH_URL: {
      type: 'url',
      protocols: ['https:', 'http:'],
      optional: true,
      meaning:
        'Public address of sign-in, consent and console, the issuer of access tokens; its origin may read responses in a browser. Unset: that of the API.',
    },
    WDS_HTTP_HOST: { type: 'string', default: '127.0.0.1', meaning: 'Address of the public listener.' },
    WDS_HTTP_PORT: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: o.port,
      meaning: 'Port of the public listener; 0: any free port.',
    },
    WDS_MANAGEMENT_HOST: {
      type: 'string',
      default: '127.0.0.1',
      meaning: "Address of the management listener (`/livez`, `/readyz`); on Kubernetes the pod's address.",
    },
    WDS_MANAGEMENT_PORT: {
      type: 'integer',
      min: 0,
      max: 65_535,
      optional: true,
      meaning: 'Port of the management listener; 0: any free port; unset: no listener.',
    },
    WDS_PROFILE: {
      type: 'enum',
      values: ['production', 'development'],
      optional: true,
      meaning:
        'In production a service refuses to start with unsafe settings. Unset: development when WDS_BASE_URL names a loopback address, else production.',
    },
    WDS_TRUSTED_PROXIES: {
      type: 'list',
      default: [],
      meaning: 'Addresses and ranges of the trusted proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    },
    WDS_TRUST_TRACEPARENT: {
      type: 'boolean',
      default: false,
      meaning:
        'Whether the caller decides (`traceparent`) whether its request is recorded. Only behind a proxy that sets `traceparent` itself; otherwise any client could have all its requests recorded. The trace id is kept in any case.',
    },
    WDS_CORS_ORIGINS: {
      type: 'list',
      default: [],
      meaning: 'Further origins allowed to read responses in a browser (CORS), besides that of WDS_AUTH_URL.',
    },
    WDS_REQUEST_QUOTA: {
      type: 'integer',
      min: 0,
      max: 1_000_000_000,
      default: 600,
      meaning:
        'Requests of one key in a window, or of one address without a valid key, counted over all processes of the service; above it is 429. 0: no quota.',
    },
    WDS_REQUEST_QUOTA_WINDOW: {
      type: 'duration',
      default: '60s',
      min: 1_000,
      max: 3_600_000,
      meaning: 'Length of the windows in which requests are counted; headers show whole seconds, rounded up.',
    },
    WDS_REQUEST_CONCURRENCY: {
      type: 'integer',
      min: 1,
      max: 1_000_000,
      default: 100,
      meaning: 'Concurrent requests of one workspace in a process; above it is 429.',
    },
    WDS_CURSOR_KEY_FILE: {
      type: 'file',
      meaning: 'File with the key that signs cursors: base64 of 32 bytes, mode 0600. Read at the start.',
    },
    WDS_LOG_PARTITIONS: {
      type: 'integer',
      min: 1,
      max: 1_000,
      default: 12,
      meaning: 'Partitions of each topic; cannot change after the first start.',
    },
    ...kafkaSettings,
    WDS_LOG_LEVEL: { type: 'enum', values: logLevels, default: 'info', meaning: 'Lowest level that is logged.' },
  } as const satisfies Declarations
}

/** Settings of a service that knows its callers and keeps secrets. */
export const secretSettings = {
  WDS_AUTH_INTERNAL_URL: {
    type: 'url',
    protocols: ['https:', 'http:'],
    optional: true,
    meaning:
      "Address of auth's internal listener, `https://` in production unless it is a loopback one; unset: a fresh API key is refused until the log has told of it, and while the log is away every call is 503.",
  },
  WDS_INTERNAL_TOKEN_FILE: {
    type: 'file',
    optional: true,
    meaning:
      "File with the service token of auth's internal listener, needed with `WDS_AUTH_INTERNAL_URL`; its first line is sent. Read again within 30 s of a change.",
  },
  WDS_AUTH_INTERNAL_CA_FILE: {
    type: 'file',
    optional: true,
    meaning:
      "CA certificates that sign the certificate of auth's internal listener, PEM, taken in anew within 30 s of a change; unset: those of the runtime.",
  },
  WDS_ENCRYPTION_KEY_FILE: {
    type: 'file',
    meaning: 'File with the key-encryption key of stored secrets: base64 of 32 bytes, mode 0600.',
  },
  WDS_ENCRYPTION_OLD_KEY_FILES: {
    type: 'list',
    default: [],
    meaning:
      'Files with key-encryption keys that only decrypt: during a rotation the one before, and until every process has it the one to come.',
  },
} as const satisfies Declarations

/** Settings of the commands that change the schema; they run as its owner and never beside serving. */
export const ownerSettings = {
  WDS_OWNER_DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role that owns the schema.' },
} as const satisfies Declarations

/** What the host reads of a service's settings. */
export type ServiceValues = Values<ReturnType<typeof serviceSettings>> &
  Partial<Values<typeof secretSettings>> & { readonly [name: string]: unknown }
