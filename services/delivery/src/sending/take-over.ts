// Takes over attempts whose worker was lost: each lost lease is settled as unknown, under the claim id that was read, and counts as an
// attempt (settled-points.md 10). A worker that comes back late settles nothing: the claim id fences it.

import type { WakeSignal } from '@wds/pacing/wait'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Loop } from '@wds/telemetry/progress'
import type { Schedule } from '../deliveries/domain/schedule.ts'
import { deliveryMetrics } from '../metrics.ts'
import { settlementOf } from './domain/settlement.ts'
import type { ClaimStore, LostLease, SettledAttempt } from './ports.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'
import { settleInHalves } from './settle-in-halves.ts'
import { toSettledAttempt } from './settled-attempt.ts'

/** Leases read at once; a full batch is followed by the next. */
const batchMax = 500
const batchesMax = 20

interface TakeOverOptions {
  readonly store: Pick<ClaimStore, 'lostLeases' | 'settle' | 'isFaultOfRows' | 'postpone'>
  readonly settings: Pick<SenderSettings, 'stuckMs' | 'takeoverMs'>
  readonly logger: SenderLogger
  readonly schedule: Schedule
  readonly random: () => number
  readonly nowMs: () => number
}

function toSettled(lease: LostLease, o: TakeOverOptions): SettledAttempt {
  const end = { outcome: 'unknown' as const, status: null, retryAfter: null }
  const { schedule } = o
  const settlement = settlementOf(end, {
    attempt: lease.attempt,
    schedule,
    random: o.random(),
    nowMs: o.nowMs(),
    isStopping: false,
    wasUnknown: lease.wasUnknown,
  })
  return toSettledAttempt(lease, { startedMs: lease.startedMs, request: null, result: null }, settlement)
}

/** A lease that cannot be settled is postponed, so that it neither blocks the others nor is forgotten. */
async function settleAll(leases: LostLease[], o: TakeOverOptions): Promise<number> {
  let taken = 0
  const stuck: SettledAttempt[] = []
  const { error } = await settleInHalves(
    leases.map((lease) => toSettled(lease, o)),
    {
      settle: (rows) => o.store.settle(rows),
      isFaultOfRows: o.store.isFaultOfRows,
      onWritten: (_rows, settled) => {
        taken += settled.size
      },
      onStuck: (row, fault) => {
        stuck.push(row)
        o.logger.error(
          { err: fault, delivery_id: row.deliveryId },
          'a lost attempt cannot be settled: what is stored of its delivery contradicts it',
        )
      },
    },
  )
  for (const row of stuck) await o.store.postpone(row, o.settings.stuckMs)
  if (error !== null) throw error
  return taken
}

/** Settles all lost leases, in batches. Returns how many were really taken over. */
async function takeOver(o: TakeOverOptions): Promise<number> {
  let taken = 0
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const leases = await o.store.lostLeases(batchMax)
    if (leases.length === 0) break
    taken += await settleAll(leases, o)
    if (leases.length < batchMax) break
  }
  return taken
}

/** Runs the take-over until the stop; a fault is logged and tried again. */
export async function runTakeOver(
  o: TakeOverOptions & { readonly loop: Loop; readonly signal: WakeSignal; isStopping(): boolean; onTaken(): void },
): Promise<void> {
  const throttle = new LogThrottle()
  while (!o.isStopping()) {
    try {
      const lost = await o.loop.turn(() => takeOver(o))
      throttle.over((failures) => o.logger.info({ failures }, 'lost leases are taken over again'))
      if (lost > 0) {
        deliveryMetrics.takenOver.add(lost)
        o.logger.warn({ lost }, 'workers were lost, their attempts are recorded as unknown')
        o.onTaken()
      }
    } catch (error) {
      throttle.wrong(() => o.logger.error({ err: error }, 'lost leases could not be taken over, retrying'))
    }
    o.loop.rests(o.settings.takeoverMs)
    await o.signal.wait(o.settings.takeoverMs)
  }
  o.loop.end()
}
