// Attempts that could not be made here, by no fault of the receiver: they go back to `due` as if they had never been claimed, and their lanes
// wait (decision records 0005, 0029). Nothing is given back without an end but what only an operator can mend, who is told of it.
import type { OutboundResult } from '@wds/outbound/guarded-client'
import { deliveryMetrics } from '../../metrics.ts'
import type { ClaimedAttempt, ClaimStore } from './send-ports.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'
import type { AttemptEnding } from './settled-attempt.ts'

/** Why: no key opens the secret, our name servers are out of reach, or this machine could not begin it (descriptors, memory, time). */
export type GivenBackCause = 'no_key' | 'unresolved' | 'local_fault'

/** An attempt that ended, with its result. */
export type AttemptEnded = AttemptEnding & { readonly result: OutboundResult }

/** An attempt on its way back. */
export interface GivenBack extends ClaimedAttempt {
  cause: GivenBackCause
  /** What was thrown, for the log. */
  error: unknown
  end: AttemptEnded
}

const begins: Record<GivenBackCause, string> = {
  no_key: 'no key opens the signing secret of a subscription: its deliveries wait for the key',
  unresolved: 'the name servers of this machine are out of reach: deliveries wait for them',
  local_fault: 'this machine could not begin attempts: deliveries wait',
}

/**
 * Makes it: resolves with the deliveries of all rows. `conclude` settles what does not go back: a lane that was held for too long by faults of
 * this machine (its attempt failed), one that was disabled meanwhile, or a lease that was lost.
 */
export function createGiveBack(o: {
  readonly store: Pick<ClaimStore, 'hold'>
  readonly settings: Pick<SenderSettings, 'holdMs' | 'restMs' | 'heldMaxMs'>
  readonly logger: SenderLogger
  onHeld(count: number): void
  conclude(attempt: ClaimedAttempt, end: AttemptEnded): Promise<void>
}): (rows: GivenBack[]) => Promise<Set<string>> {
  const { holdMs, restMs, heldMaxMs } = o.settings
  const tell = (cause: GivenBackCause, begun: string[], rows: GivenBack[]): void => {
    // A key is of one subscription; the other faults meet all lanes at once.
    if (cause !== 'no_key') {
      if (begun.length > 0) o.logger.error({ lanes: begun.length }, begins[cause])
      return
    }
    for (const subscriptionId of begun) {
      const err = rows.find((row) => row.subscriptionId === subscriptionId)?.error
      o.logger.error({ err, subscription_id: subscriptionId }, begins[cause])
    }
  }
  return async (rows) => {
    for (const [cause, some] of Map.groupBy(rows, (row) => row.cause)) {
      const { held, begun, over } = await o.store.hold(some, {
        restMs: cause === 'no_key' ? holdMs : restMs,
        mostMs: cause === 'local_fault' ? heldMaxMs : null,
      })
      o.onHeld(held.size)
      deliveryMetrics.held.add(held.size, { cause })
      tell(cause, begun, some)
      for (const { cause: _, error: __, end, ...attempt } of some) {
        if (held.has(attempt.deliveryId)) continue
        await o.conclude(attempt, over.has(attempt.deliveryId) ? failedEnd(end) : end)
      }
    }
    return new Set(rows.map((row) => row.deliveryId))
  }
}

/** Not signed, since nothing was sent: so the lane counts as held until an attempt gets away, and the next one does not wait as long again. */
function failedEnd({ startedMs, request, result }: AttemptEnded): AttemptEnded {
  return {
    startedMs,
    request: request && { ...request, signedAt: null },
    result: { ...result, outcome: 'failed', errorCode: 'connection_failed' },
  }
}
