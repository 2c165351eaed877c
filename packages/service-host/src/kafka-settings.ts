// The settings of the event log on Kafka: which brokers, over what, and as whom. It must never put a password into a fault.

import { readFileSync, statSync } from 'node:fs'
import type { KafkaConnection } from '@wds/event-log/kafka-log'
import type { Declarations, Values } from '@wds/settings/declaration'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'

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
    meaning: 'CA certificates for Kafka, PEM, read again at each connection; unset: those of the runtime.',
  },
  KAFKA_USERNAME: { type: 'string', optional: true, meaning: 'Kafka user (SASL); unset: no authentication.' },
  KAFKA_PASSWORD_FILE: {
    type: 'file',
    optional: true,
    meaning:
      'File with the password of KAFKA_USERNAME, mode 0600 (0440 where it is mounted), read again at each connection.',
  },
  KAFKA_SASL_MECHANISM: {
    type: 'enum',
    values: ['scram-sha-512', 'scram-sha-256', 'plain'],
    default: 'scram-sha-512',
    meaning: 'SASL mechanism.',
  },
} as const satisfies Declarations

export type KafkaValues = Values<typeof kafkaSettings>

/**
 * What the adapter needs; null: the log is kept in Postgres. Reads the files; throws one sentence. They are read again at each new connection
 * (decision 101); what cannot be used then leaves in use what was read before.
 */
export function kafkaConnection(
  values: KafkaValues,
  logger?: Pick<Logger, 'error'>,
): Omit<KafkaConnection, 'clientId'> | null {
  const { KAFKA_BROKERS: brokers, KAFKA_USERNAME: username } = values
  if (brokers === undefined) return null
  const connection: Omit<KafkaConnection, 'clientId'> = { brokers }
  if (values.KAFKA_TLS) connection.ssl = sslOf(values, logger)
  // Its three mechanisms take the same members.
  if (username !== undefined) connection.sasl = saslOf(username, values, logger) as KafkaConnection['sasl']
  return connection
}

// kafkajs reads both properties whenever it connects: they are told by getters.
function sslOf({ KAFKA_TLS_CA_FILE: file }: KafkaValues, logger?: Pick<Logger, 'error'>) {
  if (file === undefined) return true
  const ca = readAgain(() => readText('KAFKA_TLS_CA_FILE', file), logger)
  return {
    get ca() {
      return ca()
    },
  }
}

function saslOf(username: string, values: KafkaValues, logger?: Pick<Logger, 'error'>) {
  const password = readAgain(() => passwordOf(values), logger)
  return {
    mechanism: values.KAFKA_SASL_MECHANISM,
    username,
    get password() {
      return password()
    },
  }
}

function readAgain(read: () => string, logger?: Pick<Logger, 'error'>): () => string {
  let used = read()
  const throttle = new LogThrottle()
  return () => {
    try {
      used = read()
      throttle.over()
    } catch (err) {
      const write = () => logger?.error({ err }, 'renewed files cannot be used, those before stay')
      throttle.wrong(write, (err as Error).message)
    }
    return used
  }
}

function passwordOf(values: KafkaValues): string {
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
