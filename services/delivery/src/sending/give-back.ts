// Attempts that failed before they began, by a local fault and not the receiver's: they go back to `due` as if never claimed, and their
// lanes are held for a while (decision records 0005, 0029). Only a fault that an operator must mend is held without limit; it is logged
// as an error.
import type { OutboundResult } from '@wds/outbound/guarded-client'
import { deliveryMetrics } from '../metrics.ts'
import type { ClaimedAttempt, ClaimStore } from './ports.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'
import type { AttemptEnding } from './settled-attempt.ts'

/**
 * Why: no key opens the secret, our name servers are out of reach, this machine could not begin it (descriptors, memory, time), or its
 * host gets all that this worker may ask of it, which is no fault.
 */
export type GivenBackCause = 'no_key' | 'unresolved' | 'local_fault' | 'host_full'

/** An attempt that ended, with its result. */
export type AttemptEnded = AttemptEnding & { readonly result: OutboundResult }

/** An attempt to be given back. */
export interface GivenBack extends ClaimedAttempt {
  cause: GivenBackCause
  /** What was thrown, for the log. */
  error: unknown
  end: AttemptEnded
}

const holdMessages: Record<Exclude<GivenBackCause, 'host_full'>, string> = {
  no_key: 'no key opens the signing secret of a subscription: its deliveries wait for the key',
  unresolved: 'the name servers of this machine are out of reach: deliveries wait for them',
  local_fault: 'this machine could not begin attempts: deliveries wait',
}

/**
 * Returns the function that gives a batch back; it resolves with the deliveries of all rows. `conclude` settles what does not go back: a
 * lane held for too long by faults of this machine (the attempt counts as failed), one that was disabled meanwhile, or a lost lease.
 */
export function createGiveBack(o: {
  readonly store: Pick<ClaimStore, 'hold'>
  readonly settings: Pick<SenderSettings, 'holdMs' | 'restMs' | 'hostRestMs' | 'heldMaxMs'>
  readonly logger: SenderLogger
  onHeld(count: number): void
  conclude(attempt: ClaimedAttempt, end: AttemptEnded): Promise<void>
}): (rows: GivenBack[]) => Promise<Set<string>> {
  const { holdMs, restMs, hostRestMs, heldMaxMs } = o.settings
  const restsMs = { no_key: holdMs, unresolved: restMs, local_fault: restMs, host_full: hostRestMs }
  const logHeldLanes = (cause: keyof typeof holdMessages, begun: string[], rows: GivenBack[]): void => {
    // A key is of one subscription; the other faults meet all lanes at once.
    if (cause !== 'no_key') {
      if (begun.length > 0) o.logger.error({ lanes: begun.length }, holdMessages[cause])
      return
    }
    for (const subscriptionId of begun) {
      const err = rows.find((row) => row.subscriptionId === subscriptionId)?.error
      o.logger.error({ err, subscription_id: subscriptionId }, holdMessages[cause])
    }
  }
  return async (rows) => {
    for (const [cause, some] of Map.groupBy(rows, (row) => row.cause)) {
      const { held, begun, over } = await o.store.hold(some, {
        restMs: restsMs[cause],
        mostMs: cause === 'local_fault' ? heldMaxMs : null,
        isFault: cause !== 'host_full',
      })
      o.onHeld(held.size)
      deliveryMetrics.held.add(held.size, { cause })
      if (cause !== 'host_full') logHeldLanes(cause, begun, some)
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
