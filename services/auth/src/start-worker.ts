// Starts what is auth's own in the worker role: the consumer of the last use of keys.
import { topics } from '@wds/contracts/topics'
import { type ConsumerOptions, runConsumer } from '@wds/event-log/consumer'
import type { WorkerContext } from '@wds/service-host/service'
import { consumeKeyUses } from './api-keys/consume-uses.ts'
import type { settings } from './config.ts'

export const keyUses = {
  ...{ name: 'auth.key-uses', topics: [topics.accessUsed] as string[], dedupe: 'natural' as const },
  handleBatch: consumeKeyUses,
} satisfies Partial<ConsumerOptions>

export async function startWorker(o: WorkerContext<ReturnType<typeof settings.parse>, undefined>): Promise<void> {
  const { log, pool, logger, progress } = o
  const consumer = await runConsumer({ ...keyUses, log, pool, logger, progress })
  o.onStop(() => consumer.stop())
}
