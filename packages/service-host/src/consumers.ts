// The consumers of a service: that of auth's events, by which every service that judges callers knows them, and its own.
import { consumeAuthEvents } from '@wds/access/projection'
import { topics } from '@wds/contracts/topics'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import type { Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'

/** Keeps the service's copy of keys and denials. */
export function keysConsumer(name: string): ConsumerDeclaration {
  return { name: `${name}.keys`, topics: [topics.authEvents], dedupe: 'natural', handleBatch: consumeAuthEvents }
}

/** All of them, each once. */
export function consumersOf<V extends ServiceValues, S, W>(
  service: Pick<Service<V, S, W>, 'name' | 'callers' | 'consumers'>,
): readonly ConsumerDeclaration[] {
  const { name, callers, consumers = [] } = service
  return callers === 'known' ? [keysConsumer(name), ...consumers] : consumers
}

/** What a command says of a name that is none of theirs. */
export function unknownConsumer(consumers: readonly ConsumerDeclaration[]): string {
  return `there is no consumer of this name, only ${consumers.map(({ name }) => name).join(', ')}`
}
