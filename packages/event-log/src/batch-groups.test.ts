import { describe, expect, test } from '@jest/globals'
import { createBatchGroups } from './batch-groups.ts'
import type { Batch } from './port.ts'

function batchOf(partition: number, records = 1, topic = 'a'): Batch {
  return {
    topic,
    partition,
    records: Array.from({ length: records }, () => ({}) as Batch['records'][number]),
    signal: new AbortController().signal,
    heartbeat: async () => undefined,
  }
}

function groups(together: (partitions: number[]) => Promise<void>, alone?: (partition: number) => Promise<void>) {
  const log: string[] = []
  const take = createBatchGroups({
    async together(batches) {
      const partitions = batches.map((batch) => batch.partition)
      log.push(`${batches[0]?.topic} ${partitions.join('+')}`)
      await together(partitions)
    },
    async alone({ partition }) {
      log.push(`alone ${partition}`)
      await alone?.(partition)
    },
  })
  return { take, log }
}

describe('batches of several partitions', () => {
  test('that come in one turn are taken together, and those that come meanwhile after them', async () => {
    const first = Promise.withResolvers<void>()
    const { take, log } = groups((partitions) => (partitions.includes(0) ? first.promise : Promise.resolve()))
    const early = [take(batchOf(0)), take(batchOf(1))]
    await new Promise((resolve) => setImmediate(resolve))
    const late = [take(batchOf(2)), take(batchOf(3))]
    await new Promise((resolve) => setImmediate(resolve))
    expect(log).toEqual(['a 0+1'])
    first.resolve()
    await Promise.all([...early, ...late])
    expect(log).toEqual(['a 0+1', 'a 2+3'])
  })

  test('of many records have a transaction of their own at once, whatever is under way', async () => {
    const stuck = Promise.withResolvers<void>()
    const { take, log } = groups(() => stuck.promise)
    const waiting = take(batchOf(0))
    await new Promise((resolve) => setImmediate(resolve))
    await take(batchOf(1, 64))
    expect(log).toEqual(['a 0', 'alone 1'])
    stuck.resolve()
    await waiting
  })

  test('of another topic, or above 500 records, make groups of their own', async () => {
    const { take, log } = groups(async () => undefined)
    const small = Array.from({ length: 10 }, (_, partition) => batchOf(partition, 60))
    await Promise.all([...small, batchOf(0, 1, 'b')].map(take))
    expect(log).toEqual(['a 0+1+2+3+4+5+6+7', 'a 8+9', 'b 0'])
  })

  test('that fail together are taken alone, and only those that fail alone are refused', async () => {
    const fault = new Error('poison')
    const { take, log } = groups(
      async () => Promise.reject(new Error('one of them')),
      async (partition) => (partition === 1 ? Promise.reject(fault) : undefined),
    )
    const ends = await Promise.allSettled([take(batchOf(0)), take(batchOf(1)), take(batchOf(2))])
    expect(log).toEqual(['a 0+1+2', 'alone 0', 'alone 1', 'alone 2'])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(ends[1]).toMatchObject({ reason: fault })
  })

  test('do not wait for one that has to be tried for long', async () => {
    const stuck = Promise.withResolvers<void>()
    const { take, log } = groups(
      async (partitions) => (partitions.includes(0) ? Promise.reject(new Error('busy')) : undefined),
      async (partition) => (partition === 0 ? stuck.promise : undefined),
    )
    const waiting = take(batchOf(0))
    await take(batchOf(1))
    await take(batchOf(1))
    expect(log).toEqual(['a 0+1', 'alone 0', 'alone 1', 'a 1'])
    stuck.resolve()
    await waiting
  })
})
