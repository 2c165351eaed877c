// Translates rows to the JSON that clients see (domain.md 3.13). It decides no state.
import { idTimeMs } from '@wds/contracts/ids'
import type { Attempt, Delivery, DeliveryDetail } from '../openapi.generated.ts'
import type { DeliveryRow } from './store.ts'
import type { LeaseRow, LogRow } from './store-log.ts'

const instant = (date: Date | null): string | null => date?.toISOString() ?? null

/** A delivery in lists; `created` is the event's instant, `attemptsMax` the schedule's. */
export function toApiDelivery(row: DeliveryRow, attemptsMax: number): Delivery {
  const created = new Date(idTimeMs(row.event_id))
  return {
    object: 'delivery',
    id: row.delivery_id,
    webhook_id: row.subscription_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    epoch: row.epoch,
    attempt: row.attempt,
    max_attempts: attemptsMax,
    attempts_total: row.attempts_total,
    next_attempt: instant(row.next_attempt),
    attempt_under_way: row.attempt_under_way,
    delivered: instant(row.delivered),
    dead: instant(row.dead),
    dead_reason: row.dead_reason,
    last_status: row.last_status,
    last_error_code: row.last_error_code,
    version: row.seq,
    created: created.toISOString(),
    updated: (row.updated ?? created).toISOString(),
  }
}

const outcomes: Partial<Record<string, Attempt['outcome']>> = {
  attempt_succeeded: 'succeeded',
  attempt_failed: 'failed',
  attempt_unknown: 'unknown',
}

/** Attempts in their order; released ones are not listed, the one under way comes last. */
export function toApiAttempts(deliveryId: string, log: LogRow[], lease: LeaseRow | null): Attempt[] {
  const ended = log.flatMap((row) => {
    const outcome = outcomes[row.kind]
    return outcome === undefined ? [] : [toApiAttempt(deliveryId, row, outcome)]
  })
  if (lease === null) return ended
  const started: Attempt = {
    object: 'attempt',
    id: null,
    delivery_id: deliveryId,
    epoch: lease.epoch,
    number: lease.attempt,
    outcome: 'started',
    started: lease.started.toISOString(),
    finished: null,
    duration_ms: null,
    url: null,
    signature_timestamp: null,
    response_status: null,
    response_excerpt: null,
    error_code: null,
    trace_id: null,
  }
  return [...ended, started]
}

/** Rounded as the duration is: the exact end would tell what the rounding hides (security.md 1). */
function endOf({ started, duration_ms, at }: LogRow): Date {
  return started === null || duration_ms === null ? at : new Date(started.getTime() + duration_ms)
}

function toApiAttempt(deliveryId: string, row: LogRow, outcome: Attempt['outcome']): Attempt {
  return {
    object: 'attempt',
    id: row.attempt_id,
    delivery_id: deliveryId,
    epoch: row.epoch,
    number: row.attempt,
    outcome,
    started: (row.started ?? row.at).toISOString(),
    finished: instant(endOf(row)),
    duration_ms: row.duration_ms,
    url: row.url,
    signature_timestamp: row.signature_timestamp === null ? null : Number(row.signature_timestamp),
    response_status: row.response_status,
    response_excerpt: row.response_excerpt,
    error_code: row.error_code,
    trace_id: row.trace_id,
  }
}

/** Epochs in their order; the first was asked for by nobody. */
export function toApiEpochs(log: LogRow[]): DeliveryDetail['epochs'] {
  return log
    .filter((row) => row.kind === 'scheduled' || row.kind === 'replay_requested')
    .map((row) => ({ epoch: row.epoch, requested: row.at.toISOString(), requested_by: row.requested_by }))
}
