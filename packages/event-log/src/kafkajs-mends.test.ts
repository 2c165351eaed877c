import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import { mendKafkajs } from './kafkajs-mends.ts'

test('regression: a consumer that was stopped ends its fetchers, where kafkajs would ask on without a pause and hang the process', async () => {
  const Runner = createRequire(import.meta.url)('kafkajs/src/consumer/runner')
  const silent = { debug: () => undefined, namespace: () => silent }
  // A broker more than when the stop began, so that fetchers are made behind it.
  const consumerGroup = { getNodeIds: () => ['1', '2'] }
  const runner = new Runner({ logger: silent, consumerGroup, concurrency: 1, retry: {} })
  mendKafkajs()
  // Before the mend it resolves with nothing, and `fetchManager.start()` never ends.
  await expect(runner.fetch('1')).rejects.toThrow('the consumer was stopped')
  await expect(runner.fetchManager.start()).rejects.toThrow('the consumer was stopped')
})
