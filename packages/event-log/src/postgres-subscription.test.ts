// When a member of a group looks for records again, with a database that a test plays.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { Pool } from '@wds/postgres/pool'
import { until } from './conformance-harness.ts'
import { subscribeToPostgres } from './postgres-subscription.ts'

/** What a database answers to a member that holds two partitions of one topic, the first of which has a record. */
function databaseOf(topic: string) {
  const claims = [0, 1].map((partition) => ({ topic, partition, epoch: '1' }))
  const record = { topic, partition: 0, off: '0', key: 'k', event_id: 'evt_1', headers: {}, payload: Buffer.from('{}') }
  const answers: Record<string, (values: unknown[]) => unknown[]> = {
    'log-members': () => [{ member_id: 'one', topics: [topic] }],
    'log-claims-take': () => claims,
    'log-claims-renew': () => claims,
    'log-ends': () => claims.map(({ partition }) => ({ topic, partition, off: partition === 0 ? '0' : '-1' })),
    'log-read': ([, wanted]) => ((wanted as number[]).includes(0) ? [record] : []),
  }
  const query = async ({ name = '', values = [] }: { name?: string; values?: unknown[] }) => {
    // As long as a round trip takes.
    await sleep(2)
    return { rows: answers[name]?.(values) ?? [] }
  }
  return { query } as unknown as Pool
}

test('regression: a batch that failed is tried again when its wait is over, also where the look for the other partitions is under way just then, and nobody waits for the look that is once a second', async () => {
  let tries = 0
  const subscription = await subscribeToPostgres(
    {
      pool: databaseOf('topic'),
      partitions: 2,
      // Without an announcement it looks again after hours.
      pollMs: { min: 3_600_000, max: 3_600_000 },
      leaseMs: 60_000,
      compacted: () => false,
      arrivals: new EventEmitter(),
      lock: { key: '1', isHeld: true, pid: 1 },
      logger: undefined,
    },
    {
      group: 'group',
      memberId: 'one',
      topics: ['topic'],
      positionOf: async () => null,
      async onBatch() {
        tries += 1
        if (tries < 6) throw new Error('not yet')
      },
    },
  )
  try {
    await until(async () => tries === 6)
  } finally {
    await subscription.stop()
  }
  expect(tries).toBe(6)
})
