/** Every setting of the standalone. Settings of the services that stand in the environment are passed on to them. */
import { join } from 'node:path'
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings({
  WDS_DATA_DIR: {
    type: 'string',
    default: join(import.meta.dirname, '../../../.data'),
    meaning: 'Data folder: database, keys, logs; with `--kafka` its folder `kafka`.',
  },
  WDS_PORT: { type: 'integer', min: 1_024, max: 32_767, default: 8080, meaning: 'Port of the API.' },
  WDS_RECEIVER_PORT: {
    type: 'integer',
    min: 1_024,
    max: 32_767,
    default: 8085,
    meaning: 'Port of the local receiver.',
  },
  WDS_SOURCE_PORT: {
    type: 'integer',
    min: 1_024,
    max: 32_767,
    default: 8086,
    meaning:
      'Port of the local affiliate network, from which an integration of the sample pulls; not held with `small`.',
  },
  WDS_SAMPLE_APP_PORT: {
    type: 'integer',
    min: 1_024,
    max: 32_767,
    default: 8090,
    meaning: 'Port of the sample app (`npm run sample-app`), which the sample data register; not held by a start.',
  },
  WDS_SAMPLE_DATA: {
    type: 'enum',
    values: ['full', 'small'],
    default: 'full',
    meaning:
      'What the first start makes: numbers of 90 days, a network to pull from, subscriptions, dead letters and an OAuth app to look at, or only a workspace with two integrations.',
  },
  WDS_DOCS_BUILD: {
    type: 'boolean',
    default: true,
    meaning:
      'Builds the documentation in the background once everything runs, where these sources have none yet: about 20 s, at low priority.',
  },
  WDS_SERVICE_PORTS_FROM: {
    type: 'integer',
    min: 1_024,
    max: 31_000,
    default: 20_000,
    meaning: 'Lowest port for the services, which take the next twelve in a row that are free.',
  },
  WDS_POSTGRES_PORT: {
    type: 'integer',
    min: 0,
    max: 32_767,
    default: 0,
    meaning: "Port of the project's own Postgres; 0: 15432 or the next free one.",
  },
  WDS_KAFKA_PORT: {
    type: 'integer',
    min: 0,
    max: 32_766,
    default: 0,
    meaning: "Port of the project's own Kafka, which `--kafka` starts; 0: 19092 or the next free one.",
  },
  KAFKA_BROKERS: {
    type: 'string',
    optional: true,
    meaning: "Brokers (`host:port,…`) that `--kafka` uses instead of the project's own Kafka.",
  },
  WDS_LOG_PARTITIONS: {
    type: 'integer',
    min: 1,
    max: 1_000,
    default: 12,
    meaning: 'Partitions of each topic; cannot change after the first start.',
  },
})
