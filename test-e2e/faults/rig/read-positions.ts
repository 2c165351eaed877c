/** I14 of reliability.md 5: how far each consumer has come, by the positions that it committed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask } from '../../harness/ask.ts'
import { type Position, positionBreachesOf } from '../checkers/store-checker.ts'
import { drainMs } from './read-history.ts'
import { type LogPlace, openLog } from './read-log.ts'

/** The catalog consumes nothing. */
export const consuming = ['api', 'auth', 'delivery'] as const
const pauseMs = 200

export async function readPositions(ask: Ask): Promise<Position[]> {
  const rows = consuming.map((service) => ask<Position>(service, `select * from ${service}.positions`))
  return (await Promise.all(rows)).flat()
}

/**
 * Partitions in which a consumer has not come to where the log ended at the call, after as long as a drain may take; one sentence each.
 * The log may go on meanwhile.
 */
export async function consumersBehind(o: { ask: Ask; from: LogPlace; partitions: number }): Promise<string[]> {
  const { log, close } = openLog(o.from, o.partitions)
  try {
    const positions = () => readPositions(o.ask)
    const ends = new Map<string, Map<number, bigint>>()
    for (const topic of new Set((await positions()).map((one) => one.topic))) ends.set(topic, await log.ends(topic))
    const deadline = Date.now() + drainMs
    for (;;) {
      const behind = positionBreachesOf({ services: consuming, positions: await positions(), ends })
      if (behind.length === 0 || Date.now() > deadline) return behind
      await sleep(pauseMs)
    }
  } finally {
    await close()
  }
}
