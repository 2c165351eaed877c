// What is read of a stack that is not well.
import { expect, test } from '@jest/globals'
import type { Ask } from '../../harness/ask.ts'
import { outboxRowsAfterDrain } from './read-history.ts'

test('regression: rows that stay in an outbox are read, by service, where reading them had thrown', async () => {
  const ask = (async (service: string) => [{ n: service === 'auth' ? 2 : 0 }]) as Ask
  expect(await outboxRowsAfterDrain(ask, 0)).toEqual({ auth: 2, api: 0, catalog: 0, delivery: 0 })
})

test('a database that does not answer has no empty outbox', async () => {
  const ask: Ask = async () => Promise.reject(new Error('away'))
  await expect(outboxRowsAfterDrain(ask, 0)).rejects.toThrow('away')
})
