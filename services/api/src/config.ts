// Every setting of this service. It is the only reader of the environment here (architecture.md, rule 10).
import { defineSettings } from '@wds/settings/settings'

export const apiSettings = defineSettings({
  DATABASE_URL: { type: 'string', secret: true, meaning: 'Address of the database for the HTTP role.' },
  WDS_WORKER_DATABASE_URL: { type: 'string', secret: true, meaning: 'Address of the database for the worker role.' },
  WDS_BASE_URL: { type: 'url', meaning: 'Public address of the API.' },
  WDS_HTTP_HOST: { type: 'string', default: '127.0.0.1', meaning: 'Address that the API listens on.' },
  WDS_HTTP_PORT: {
    type: 'integer',
    min: 0,
    max: 65535,
    default: 8082,
    meaning: 'Port that the API listens on; 0 takes any.',
  },
  WDS_ROLE: {
    type: 'enum',
    values: ['all', 'http', 'worker'],
    default: 'all',
    meaning: 'Which part of the service runs.',
  },
  WDS_ENCRYPTION_KEY_FILE: { type: 'file', meaning: 'Key that stored secrets are encrypted with, 32 bytes in base64.' },
  WDS_CURSOR_KEY_FILE: { type: 'file', meaning: 'Key that cursors are signed with, 32 bytes in base64.' },
  WDS_LOG_PARTITIONS: { type: 'integer', min: 1, max: 1000, default: 12, meaning: 'Partitions of the event log.' },
  WDS_SYNC_ATTEMPTS: { type: 'integer', min: 1, max: 20, default: 4, meaning: 'Attempts of a sync run.' },
  WDS_SYNC_RETRY_DELAYS: {
    type: 'durations',
    default: '1m,5m,15m',
    min: 1,
    max: 86_400_000,
    meaning: 'Waits before the second and further attempts of a sync run.',
  },
  WDS_SYNC_LEASE: {
    type: 'duration',
    default: '60s',
    min: 300,
    max: 3_600_000,
    meaning: 'How long an attempt stays with a silent worker.',
  },
  WDS_SYNC_CONCURRENCY: {
    type: 'integer',
    min: 1,
    max: 64,
    default: 4,
    meaning: 'Sync attempts at a time in one process.',
  },
  WDS_SYNC_POLL: {
    type: 'duration',
    default: '500ms',
    min: 10,
    max: 60_000,
    meaning: 'Longest wait between two looks at the queue.',
  },
  WDS_LOG_LEVEL: {
    type: 'enum',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    meaning: 'Lowest level of log lines.',
  },
})

/** Settings of the command `migrate`. */
export const migrateSettings = defineSettings({
  WDS_OWNER_DATABASE_URL: { type: 'string', secret: true, meaning: 'Address of the database for the owner role.' },
})
