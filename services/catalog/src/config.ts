// Every setting of the catalog service. Nothing else of the service reads the environment.
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings({
  DATABASE_URL: { type: 'string', secret: true, meaning: 'Postgres, as the role that serves requests.' },
  WDS_WORKER_DATABASE_URL: { type: 'string', secret: true, meaning: 'Postgres, as the role of the relay.' },
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
    default: 8083,
    meaning: 'Port of the public listener; 0: any free one.',
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
  WDS_LOG_LEVEL: {
    type: 'enum',
    values: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    meaning: 'Least level that is logged.',
  },
})
