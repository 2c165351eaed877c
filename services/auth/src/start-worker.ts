// Starts what is auth's own in the worker role: the consumers of what other services tell it, the last use of keys and their audit entries.
import { topics } from '@wds/contracts/topics'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import type { WorkerContext } from '@wds/service-host/service'
import { consumeKeyUses } from './api-keys/consume-uses.ts'
import { consumeAuditEntries } from './audit/consume-entries.ts'
import type { settings } from './config.ts'

export const keyUses: ConsumerDeclaration = {
  name: 'auth.key-uses',
  topics: [topics.accessUsed],
  dedupe: 'natural',
  handleBatch: consumeKeyUses,
}

const auditEntries: ConsumerDeclaration = {
  name: 'auth.audit',
  topics: [topics.auditEntries],
  dedupe: 'natural',
  handleBatch: consumeAuditEntries,
}

export const consumers: readonly ConsumerDeclaration[] = [keyUses, auditEntries]

export async function startWorker(o: WorkerContext<ReturnType<typeof settings.parse>, undefined>): Promise<void> {
  for (const consumer of consumers) await o.consume(consumer)
}
