/** Waits until what was done has come through: to the receiver, and out of the outboxes. */

import type { Ask } from '../../harness/ask.ts'
import { eventually } from '../../harness/standalone.ts'
import { drainMs, outboxRowsAfterDrain, readFacts } from './read-history.ts'

export interface Drain {
  /** Resolves once the receiver saw every fact, with the milliseconds until then. @throws Error that says where those are that it did not see. */
  arrived(): Promise<number>
  /** Rows of each outbox that is not empty once a drain has taken as long as it may, by service. */
  outboxesLeft(): Promise<Record<string, number>>
  /** Resolves as `arrived`, once the outboxes are empty, too. @throws Error that names those that are not. */
  drained(): Promise<number>
}

export function drainOf(o: {
  ask: Ask
  workspaceId: string
  /** Ids of the events that the receiver saw. */
  arrivals(): Promise<string[]>
  /** Where events are that it did not see. */
  whereAre(missing: string[]): Promise<string>
  /** A drain takes so long at most, ms. Default: reliability.md 4. */
  withinMs?: number
}): Drain {
  const withinMs = o.withinMs ?? drainMs
  const arrived = async () => {
    const started = performance.now()
    const wanted = [...(await readFacts(o.ask, o.workspaceId)).values()].flat()
    const missing = async () => {
      const there = new Set(await o.arrivals())
      return wanted.filter((id) => !there.has(id))
    }
    const isSeen = async () => (await missing()).length === 0
    await eventually(`${wanted.length} events at the receiver`, isSeen, withinMs).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await o.whereAre(await missing())}`, { cause: error })
    })
    return performance.now() - started
  }
  const outboxesLeft = async () =>
    Object.fromEntries(Object.entries(await outboxRowsAfterDrain(o.ask, withinMs)).filter(([, rows]) => rows > 0))
  const drained = async () => {
    const tookMs = await arrived()
    // Announced again, they may be at the receiver since long while a part of them is held back (decision 22).
    const left = Object.entries(await outboxesLeft())
    if (left.length > 0) throw new Error(`I14: rows in the outbox: ${left.join(' ')}`)
    return tookMs
  }
  return { arrived, outboxesLeft, drained }
}
