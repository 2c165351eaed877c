// Takes over attempts whose worker was lost: each expired lease is settled as unknown under the claim id that was read, and counts (decisions.md 10).
// A worker that comes back late settles nothing: the claim id fences it.

import type { Schedule } from '../../domain/schedule.ts'
import { settlementOf } from '../../domain/settlement.ts'
import type { ClaimStore, ExpiredLease, SettledAttempt } from './send-ports.ts'
import { toSettledAttempt } from './settled-attempt.ts'

/** Leases read at once; a full batch is followed by the next. */
const batchMax = 500
const batchesMax = 20

interface TakeOverOptions {
  readonly store: Pick<ClaimStore, 'expiredLeases' | 'settle'>
  readonly schedule: Schedule
  readonly random: () => number
  readonly nowMs: () => number
}

function toSettled(lease: ExpiredLease, o: TakeOverOptions): SettledAttempt {
  const end = { outcome: 'unknown' as const, status: null, retryAfter: null }
  const { schedule } = o
  const settlement = settlementOf(end, {
    attempt: lease.attempt,
    schedule,
    random: o.random(),
    nowMs: o.nowMs(),
    isStopping: false,
  })
  return toSettledAttempt(lease, { startedMs: lease.startedMs, request: null, result: null, settlement })
}

/** Settles all expired leases, in batches. Returns how many were really taken over. */
export async function takeOver(o: TakeOverOptions): Promise<number> {
  let taken = 0
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const leases = await o.store.expiredLeases(batchMax)
    if (leases.length === 0) break
    const settled = await o.store.settle(leases.map((lease) => toSettled(lease, o)))
    taken += settled.size
    if (leases.length < batchMax) break
  }
  return taken
}
