// Translates rows to the JSON that clients see (domain.md 3.13). It decides no state.
import { idTimeMs } from '@wds/contracts/ids'
import { wholeSecond } from '../domain/whole-second.ts'
import type { DeliveryRow } from '../store/deliveries.ts'
import type { LeaseRow, LogRow } from '../store/delivery-log.ts'
import type { SubscriptionRow } from '../store/subscriptions.ts'

const instant = (date: Date | null): string | null => date?.toISOString() ?? null
const instantOfText = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

const instantOfLane = (date: Date | null): string | null =>
  date === null ? null : new Date(wholeSecond(date.getTime())).toISOString()

/** `secret` only in the answer that shows it once. */
export function toApiSubscription(row: SubscriptionRow, secret?: string): object {
  return {
    object: 'webhook',
    id: row.subscription_id,
    url: row.url,
    events: row.events,
    description: row.description,
    headers: row.headers,
    filter: null,
    rate_limit: row.rate_limit,
    max_in_flight: row.max_in_flight,
    owner: { type: row.owner_type, id: row.owner_id },
    status: row.status,
    disabled_reason: row.disabled_reason,
    ...(secret === undefined ? {} : { secret }),
    secrets: row.secrets.map((s) => ({
      hint: s.hint,
      created: instantOfText(s.created),
      expires: instantOfText(s.expires),
    })),
    failing_since: instantOfLane(row.failing_since),
    last_delivered: instantOfLane(row.last_delivered),
    version: row.version,
    created: instant(row.created),
    updated: instant(row.updated),
  }
}

/** A delivery in lists; `created` is the event's instant, `attemptsMax` the schedule's. */
export function toApiDelivery(row: DeliveryRow, attemptsMax: number): object {
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
    created: new Date(idTimeMs(row.event_id)).toISOString(),
    updated: instant(row.updated),
  }
}

const outcomes: Record<string, string> = {
  attempt_succeeded: 'succeeded',
  attempt_failed: 'failed',
  attempt_unknown: 'unknown',
}

/** Attempts in their order; released ones are not listed, the one under way comes last. */
export function toApiAttempts(deliveryId: string, log: LogRow[], lease: LeaseRow | null): object[] {
  const ended = log.filter((row) => outcomes[row.kind] !== undefined).map((row) => toApiAttempt(deliveryId, row))
  if (lease === null) return ended
  const started = {
    object: 'attempt',
    id: null,
    delivery_id: deliveryId,
    epoch: lease.epoch,
    number: lease.attempt,
    outcome: 'started',
    started: instant(lease.started),
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

function toApiAttempt(deliveryId: string, row: LogRow): object {
  return {
    object: 'attempt',
    id: row.attempt_id,
    delivery_id: deliveryId,
    epoch: row.epoch,
    number: row.attempt,
    outcome: outcomes[row.kind],
    started: instant(row.started),
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
export function toApiEpochs(log: LogRow[]): object[] {
  return log
    .filter((row) => row.kind === 'scheduled' || row.kind === 'replay_requested')
    .map((row) => ({ epoch: row.epoch, requested: instant(row.at), requested_by: row.requested_by }))
}
