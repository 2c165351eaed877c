// The settings of the event log on Kafka: which brokers, over what, and as whom. It must never put a password into a fault.
import { readFileSync, statSync } from 'node:fs'
import type { KafkaConnection } from '@wds/event-log/kafka-log'
import type { Declarations, Values } from '@wds/settings/declaration'

export const kafkaSettings = {
  KAFKA_BROKERS: {
    type: 'list',
    itemsMax: 100,
    optional: true,
    meaning: 'Kafka brokers of the event log, `host:port` each; unset: the log is kept in Postgres.',
  },
  KAFKA_TLS: { type: 'boolean', default: false, meaning: 'Whether to connect to Kafka over TLS.' },
  KAFKA_TLS_CA_FILE: {
    type: 'file',
    optional: true,
    meaning: 'CA certificates for Kafka, PEM; unset: those of the runtime.',
  },
  KAFKA_USERNAME: { type: 'string', optional: true, meaning: 'Kafka user (SASL); unset: no authentication.' },
  KAFKA_PASSWORD_FILE: {
    type: 'file',
    optional: true,
    meaning: 'File with the password of KAFKA_USERNAME, mode 0600 (0440 where it is mounted).',
  },
  KAFKA_SASL_MECHANISM: {
    type: 'enum',
    values: ['scram-sha-512', 'scram-sha-256', 'plain'],
    default: 'scram-sha-512',
    meaning: 'SASL mechanism.',
  },
} as const satisfies Declarations

export type KafkaValues = Values<typeof kafkaSettings>

/** What the adapter needs; null: the log is kept in Postgres. Reads the files; throws one sentence. */
export function kafkaConnection(values: KafkaValues): Omit<KafkaConnection, 'clientId'> | null {
  const { KAFKA_BROKERS: brokers, KAFKA_USERNAME: username } = values
  if (brokers === undefined) return null
  const ca = values.KAFKA_TLS_CA_FILE
  return {
    brokers,
    ...(values.KAFKA_TLS ? { ssl: ca === undefined ? true : { ca: readText('KAFKA_TLS_CA_FILE', ca) } } : {}),
    ...(username === undefined
      ? {}
      : { sasl: { mechanism: values.KAFKA_SASL_MECHANISM, username, password: password(values) } }),
  } as Omit<KafkaConnection, 'clientId'>
}

function password(values: KafkaValues): string {
  const file = values.KAFKA_PASSWORD_FILE
  if (file === undefined) throw new Error('KAFKA_PASSWORD_FILE must be set beside KAFKA_USERNAME.')
  const text = readText('KAFKA_PASSWORD_FILE', file).trim()
  // Group may read: mounted secrets are 0440.
  if ((statSync(file).mode & 0o037) !== 0) throw new Error('KAFKA_PASSWORD_FILE must not be readable by others.')
  if (text === '') throw new Error('KAFKA_PASSWORD_FILE is empty.')
  return text
}

function readText(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${setting} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error })
  }
}
