// The attempts of a delivery as one row each, by epoch, and what comes next (ui.md 4).

export interface TimelineAttempt {
  epoch: number
  number: number
  outcome: 'started' | 'succeeded' | 'failed' | 'unknown'
  started: string
  duration_ms: number | null
  response_status: number | null
  error_code: string | null
}

interface TimelineDelivery<A extends TimelineAttempt> {
  epoch: number
  attempt: number
  max_attempts: number
  next_attempt: string | null
  attempts: readonly A[]
  epochs: readonly { epoch: number; requested: string; requested_by: string | null }[]
}

export interface TimelineEpoch<A extends TimelineAttempt> {
  epoch: number
  /** Null for the first one, which the event itself opened. */
  requested: { at: string; by: string | null } | null
  attempts: readonly A[]
}

export interface Timeline<A extends TimelineAttempt> {
  /** Newest first; so are the attempts of each. */
  epochs: TimelineEpoch<A>[]
  /** Null: nothing more will be tried. `moreMax`: how many attempts may follow, this one with them. */
  next: { at: string; moreMax: number } | null
}

/** Never more attempts of an epoch than `max_attempts`: of two rows with one number the later answer counts. */
export function timelineOf<A extends TimelineAttempt>(delivery: TimelineDelivery<A>): Timeline<A> {
  const numbers = new Set([...delivery.attempts, ...delivery.epochs, delivery].map(({ epoch }) => epoch))
  const epochs = [...numbers]
    .sort((one, other) => other - one)
    .map((epoch) => {
      const asked = delivery.epochs.find((one) => one.epoch === epoch)
      const requested = asked === undefined || epoch === 1 ? null : { at: asked.requested, by: asked.requested_by }
      return { epoch, requested, attempts: attemptsOf(delivery, epoch) }
    })
  const moreMax = delivery.max_attempts - delivery.attempt
  const next = delivery.next_attempt === null || moreMax < 1 ? null : { at: delivery.next_attempt, moreMax }
  return { epochs, next }
}

/** The trace of the newest attempt that has one: an attempt has none while it is under way. */
export function newestTraceOf(attempts: readonly { trace_id: string | null }[]): string | null {
  return attempts.findLast(({ trace_id: trace }) => trace !== null)?.trace_id ?? null
}

function attemptsOf<A extends TimelineAttempt>(
  { attempts, max_attempts: max }: TimelineDelivery<A>,
  epoch: number,
): A[] {
  const byNumber = new Map<number, A>()
  for (const attempt of attempts) if (attempt.epoch === epoch) byNumber.set(attempt.number, attempt)
  return [...byNumber.values()].sort((one, other) => other.number - one.number).slice(0, max)
}
