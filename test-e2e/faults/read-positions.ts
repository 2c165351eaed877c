/** I14 of reliability.md 5: how far each consumer has come, by the positions that it committed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, drainMs } from './read-history.ts'
import { type LogPlace, openLog } from './read-log.ts'

/** The catalog consumes nothing. */
const consuming = ['api', 'auth', 'delivery'] as const
const pauseMs = 200

interface Position {
  consumer: string
  topic: string
  partition: number
  off: string
}

/**
 * Partitions in which a consumer has not come to where the log ended at the call, after as long as a drain may take; one sentence each.
 * The log may go on meanwhile.
 */
export async function consumersBehind(o: { ask: Ask; from: LogPlace; partitions: number }): Promise<string[]> {
  const { log, close } = openLog(o.from, o.partitions)
  try {
    const positions = async () =>
      (
        await Promise.all(consuming.map((service) => o.ask<Position>(service, `select * from ${service}.positions`)))
      ).flat()
    const ends = new Map<string, Map<number, bigint>>()
    for (const topic of new Set((await positions()).map((one) => one.topic))) ends.set(topic, await log.ends(topic))
    if (ends.size === 0) return ['I14: no consumer has a position']
    const deadline = Date.now() + drainMs
    for (;;) {
      const behind = behindOf(await positions(), ends)
      if (behind.length === 0 || Date.now() > deadline) return behind
      await sleep(pauseMs)
    }
  } finally {
    await close()
  }
}

function behindOf(positions: Position[], ends: ReadonlyMap<string, ReadonlyMap<number, bigint>>): string[] {
  return [...Map.groupBy(positions, ({ consumer, topic }) => `${consumer} ${topic}`)].flatMap(([name, rows]) =>
    [...(ends.get(rows[0]?.topic ?? '') ?? [])].flatMap(([partition, end]) => {
      const off = BigInt(rows.find((row) => row.partition === partition)?.off ?? -1)
      return off < end ? [`I14: ${name}/${partition} is at ${off}, the log ended at ${end}`] : []
    }),
  )
}
