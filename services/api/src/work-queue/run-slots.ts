// Carries out work of the queue in a number of slots of one process. It never knows what the work is.
import type { WakeSignal } from '@wds/pacing/wait'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import { type Progress, pieceOfTurn } from '@wds/telemetry/progress'

export interface SlotOptions {
  /** Pieces at a time. */
  concurrency: number
  /** Longest interval between two polls of the queue. */
  pollMs: number
  logger: Logger
  signal: AbortSignal
  progress: Progress
  wake: WakeSignal
}

/** Works until the signal is aborted, and resolves once what was under way then has ended. `carryOut` never rejects. */
export async function runSlots<W>(
  o: SlotOptions & { name: string; take(): Promise<W | null>; carryOut(work: W): Promise<void> },
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let ended = 0
  // One look for all slots: idle slots that each looked on their own would ask the database that many times.
  const turn = async (): Promise<boolean> => {
    if (underWay.size >= o.concurrency) await Promise.race(underWay)
    const endedBefore = ended
    const work = await o.take()
    // What ended meanwhile may have let the next piece come due.
    if (work === null) return ended > endedBefore
    const carried = pieceOfTurn(() => o.carryOut(work)).finally(() => {
      underWay.delete(carried)
      ended += 1
      o.wake.raise()
    })
    underWay.add(carried)
    return true
  }
  await runLoop({ ...o, pauseMs: o.pollMs, turn })
  await Promise.all(underWay)
}
