// Declares the settings that every service has. A service adds its own beside them in its config.ts.
import type { Declarations, Values } from '@wds/settings/declaration'
import { logLevels } from '@wds/telemetry/logger'
import { kafkaSettings } from './kafka-settings.ts'

/** An address of Postgres, which holds a password. */
export const databaseUrl = { type: 'url', secret: true, protocols: ['postgres:', 'postgresql:', 'socket:'] } as const

/** Common settings; `port`: default of the public listener. */
export function serviceSettings(o: { port: number }) {
  return {
    DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role that serves requests.' },
    WDS_WORKER_DATABASE_URL: {
      ...databaseUrl,
      meaning: 'Postgres, as the role of relay, consumers and loops.',
    },
    WDS_ROLE: {
      type: 'enum',
      values: ['all', 'http', 'worker'],
      default: 'all',
      meaning: 'Which part of the service this process runs.',
    },
    WDS_BASE_URL: { type: 'url', protocols: ['https:', 'http:'], meaning: 'Public address of the REST API.' },
    WDS_HTTP_HOST: { type: 'string', default: '127.0.0.1', meaning: 'Address of the public listener.' },
    WDS_HTTP_PORT: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: o.port,
      meaning: 'Port of the public listener; 0: any free one.',
    },
    WDS_MANAGEMENT_HOST: {
      type: 'string',
      default: '127.0.0.1',
      meaning: "Address of the management listener (`/livez`, `/readyz`); on Kubernetes the pod's own.",
    },
    WDS_MANAGEMENT_PORT: {
      type: 'integer',
      min: 0,
      max: 65_535,
      optional: true,
      meaning: 'Port of the management listener; 0: any free one; unset: there is none.',
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
      meaning: 'Addresses and ranges of the proxies in front, whose X-Forwarded-For and X-Forwarded-Proto count.',
    },
    WDS_TRUST_TRACEPARENT: {
      type: 'boolean',
      default: false,
      meaning:
        'Whether the caller decides that its request is traced. Only where every request comes through a proxy that makes `traceparent` itself; else a public client could have everything recorded. Its trace id is kept in any case.',
    },
    WDS_CORS_ORIGINS: {
      type: 'list',
      default: [],
      meaning: 'Origins whose pages may read answers in a browser.',
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
      meaning: 'Requests of one workspace that a process works on at a time; above it is 429.',
    },
    WDS_CURSOR_KEY_FILE: {
      type: 'file',
      meaning: 'File with the key that signs cursors: base64 of 32 bytes, mode 0600.',
    },
    WDS_LOG_PARTITIONS: {
      type: 'integer',
      min: 1,
      max: 1_000,
      default: 12,
      meaning: 'Partitions of each topic; fixed at the first start.',
    },
    ...kafkaSettings,
    WDS_LOG_LEVEL: { type: 'enum', values: logLevels, default: 'info', meaning: 'Least level that is logged.' },
  } as const satisfies Declarations
}

/** Settings of a service that knows its callers and keeps secrets. */
export const secretSettings = {
  WDS_ENCRYPTION_KEY_FILE: {
    type: 'file',
    meaning: 'File with the key-encryption key of stored secrets: base64 of 32 bytes, mode 0600.',
  },
} as const satisfies Declarations

/** Settings of the commands that change the schema; they run as its owner and never beside serving. */
export const ownerSettings = {
  WDS_OWNER_DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role that owns the schema.' },
} as const satisfies Declarations

/** What the host reads of a service's settings. */
export type ServiceValues = Values<ReturnType<typeof serviceSettings>> &
  Partial<Values<typeof secretSettings>> & { readonly [name: string]: unknown }
