// Judges the way to Kafka for the production profile: encrypted and signed in, unless it stays on this machine (security.md 7).
import type { KafkaValues } from './kafka-settings.ts'
import { isLoopback } from './profile.ts'

/** Faults that are refused in production (security.md 7); each names a setting and no value. */
export function kafkaFaults(values: KafkaValues): string[] {
  const brokers = values.KAFKA_BROKERS ?? []
  const remote = brokers.some((broker) => !isLoopback(broker.replace(/:\d+$/, '')))
  if (!remote) return []
  return [
    ...(values.KAFKA_TLS ? [] : ['KAFKA_TLS must be true: Kafka is not on this machine']),
    ...(values.KAFKA_USERNAME === undefined ? ['KAFKA_USERNAME must be set: Kafka is not on this machine'] : []),
  ]
}
