/** Every setting of the auth service. Nothing else of the service reads the environment. */
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings({
  DATABASE_URL: { type: 'string', secret: true, meaning: 'Postgres, as the role that serves requests.' },
  WDS_WORKER_DATABASE_URL: { type: 'string', secret: true, meaning: 'Postgres, as the role of relay and consumers.' },
  WDS_ROLE: {
    type: 'enum',
    values: ['all', 'http', 'worker'],
    default: 'all',
    meaning: 'Which part of the service this process runs.',
  },
  WDS_BASE_URL: { type: 'url', meaning: 'Public address of the REST API.' },
  WDS_HTTP_HOST: { type: 'string', default: '127.0.0.1', meaning: 'Address of the public listener.' },
  WDS_HTTP_PORT: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 8081,
    meaning: 'Port of the public listener; 0: any free one.',
  },
  WDS_INTERNAL_PORT: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 8091,
    meaning: "Port of the internal listener (operator's commands), on the same address.",
  },
  WDS_INTERNAL_TOKEN_FILE: { type: 'file', meaning: 'File that holds the service token of the internal listener.' },
  WDS_ENCRYPTION_KEY_FILE: {
    type: 'file',
    meaning: 'File with the key-encryption key: base64 of 32 bytes, mode 0600.',
  },
  WDS_LOG_PARTITIONS: {
    type: 'integer',
    min: 1,
    max: 1_000,
    default: 12,
    meaning: 'Partitions of each topic; fixed at the first start.',
  },
  WDS_LOG_LEVEL: {
    type: 'enum',
    values: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    meaning: 'Least level that is logged.',
  },
})
