// Starts what is auth's own in the worker role: the consumers of what other services tell it, the last use of keys and their audit entries.
import { topics } from '@wds/contracts/topics'
import { type ConsumerOptions, runConsumer } from '@wds/event-log/consumer'
import type { WorkerContext } from '@wds/service-host/service'
import { consumeKeyUses } from './api-keys/consume-uses.ts'
import { consumeAuditEntries } from './audit/consume-entries.ts'
import type { settings } from './config.ts'

export const keyUses = {
  name: 'auth.key-uses',
  topics: [topics.accessUsed] as string[],
  dedupe: 'natural' as const,
  handleBatch: consumeKeyUses,
} satisfies Partial<ConsumerOptions>

export const auditEntries = {
  name: 'auth.audit',
  topics: [topics.auditEntries] as string[],
  dedupe: 'natural' as const,
  handleBatch: consumeAuditEntries,
} satisfies Partial<ConsumerOptions>

export async function startWorker(o: WorkerContext<ReturnType<typeof settings.parse>, undefined>): Promise<void> {
  const { log, pool, logger, progress } = o
  for (const told of [keyUses, auditEntries]) {
    const consumer = await runConsumer({ ...told, log, pool, logger, progress })
    o.onStop(() => consumer.stop())
  }
}
