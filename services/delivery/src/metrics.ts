// Every metric of the delivery service: name, unit, labels, meaning. The reference in the docs is made from it.
import { counter, gauge, histogram, type Metric } from '@wds/telemetry/metrics'
import {
  clockMetrics,
  consumerMetrics,
  heldBackMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
} from '@wds/telemetry/platform-metrics'

/** Seconds: the marks of the service levels (reliability.md 7; delivery.md 5) are bounds. */
const waitBuckets = [0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.08, 0.15, 0.25, 0.5, 1, 2, 5, 10, 30, 60]
/** Seconds: up to the longest deadline of an attempt. */
const attemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** Seconds: a round trip to the database. */
const statementBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]

const outcome =
  'Kind of the row in the log: `attempt_succeeded`, `attempt_failed`, `attempt_unknown`, `attempt_released`.'

/** Delivery's own. */
export const deliveryMetrics = {
  oldestDueAge: gauge({
    name: 'wds_delivery_oldest_due_age_seconds',
    unit: 's',
    labels: {
      reason:
        'Why the lane waits. `ready`: for a free worker; `capped`: at its limit of attempts in flight; `throttled`: its rate limit, or its host is full; `breaker`: half open after failures; `held`: attempts cannot start here (no key decrypts its signing secret, or a fault of this machine or its name servers); `parked`: disabled or deleted, its deliveries are being ended.',
    },
    meaning: 'Age of the oldest due delivery, by the reason it waits; 0 when there is none.',
  }),
  oldestReadyDueAge: gauge({
    name: 'wds_delivery_oldest_ready_due_age_seconds',
    unit: 's',
    labels: {},
    meaning: 'The same for `ready` only: scale workers on it.',
  }),
  lanesDue: gauge({
    name: 'wds_delivery_lanes_due',
    unit: '{lane}',
    labels: { reason: 'As in wds_delivery_oldest_due_age_seconds.' },
    meaning: 'Lanes with a due delivery, by the reason they wait.',
  }),
  breakersHalfOpen: gauge({
    name: 'wds_delivery_breakers_half_open',
    unit: '{lane}',
    labels: {},
    meaning: 'Lanes that get one probe at a time after repeated connection failures and timeouts, due or not.',
  }),
  leases: gauge({
    name: 'wds_delivery_leases',
    unit: '{attempt}',
    labels: { state: '`running`, or `expired`: its worker is lost.' },
    meaning: 'Attempts in flight, all workers.',
  }),
  fanOutAge: gauge({
    name: 'wds_delivery_fan_out_age_seconds',
    unit: 's',
    labels: {},
    meaning: 'Age of the oldest event waiting for fan-out; 0 when there is none.',
  }),
  underWay: gauge({
    name: 'wds_delivery_attempts_under_way',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts of this process in flight or not yet settled.',
  }),
  slots: gauge({
    name: 'wds_delivery_slots',
    unit: '{attempt}',
    labels: {},
    meaning:
      'Limit of attempts in flight in this process (WDS_DELIVERY_SLOTS). Slow ones, and those in spare slots, come on top.',
  }),
  deliveriesMade: counter({
    name: 'wds_delivery_made_total',
    unit: '{delivery}',
    labels: {},
    meaning: 'Deliveries created by fan-out.',
  }),
  fanOutDuration: histogram({
    name: 'wds_delivery_fan_out_duration_seconds',
    unit: 's',
    buckets: statementBuckets,
    labels: { 'error.type': 'Code or class of the fault; absent on success.' },
    meaning: 'Duration of a fan-out batch that found events.',
  }),
  claimed: counter({
    name: 'wds_delivery_claimed_total',
    unit: '{delivery}',
    labels: {},
    meaning: 'Deliveries claimed by this process.',
  }),
  claimDuration: histogram({
    name: 'wds_delivery_claim_duration_seconds',
    unit: 's',
    buckets: statementBuckets,
    labels: { 'error.type': 'Code or class of the fault; absent on success.' },
    meaning: 'Duration of a claim, including claims that found nothing.',
  }),
  firstAttemptWait: histogram({
    name: 'wds_delivery_first_attempt_wait_seconds',
    unit: 's',
    buckets: waitBuckets,
    labels: {},
    meaning: 'Time from the creation of an event (its id) to the start of the first attempt of its delivery.',
  }),
  attempts: counter({
    name: 'wds_delivery_attempts_total',
    unit: '{attempt}',
    labels: { outcome, error_code: 'Class of the failure, as in the log; absent on success.' },
    meaning: 'Finished attempts.',
  }),
  attemptDuration: histogram({
    name: 'wds_delivery_attempt_duration_seconds',
    unit: 's',
    buckets: attemptBuckets,
    labels: { 'error.type': 'Class of the failure; absent when the response status is below 400.' },
    meaning: 'Duration of the request of an attempt, including DNS and connection.',
  }),
  settleDuration: histogram({
    name: 'wds_delivery_settle_duration_seconds',
    unit: 's',
    buckets: statementBuckets,
    labels: { 'error.type': 'Code or class of the fault; absent on success.' },
    meaning: 'Time to write a batch of finished attempts.',
  }),
  takenOver: counter({
    name: 'wds_delivery_taken_over_total',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts recorded as unknown after their worker was lost.',
  }),
  held: counter({
    name: 'wds_delivery_held_total',
    unit: '{attempt}',
    labels: {
      cause:
        '`no_key`: no key decrypts the signing secret; `unresolved`: our name servers are unreachable; `local_fault`: a fault of this machine; `host_full`: its host gets all that this process may ask of it (WDS_DELIVERY_HOST_RATE, WDS_DELIVERY_HOST_SOCKETS).',
    },
    meaning: 'Attempts released because they could not start here; not logged, not counted as attempts.',
  }),
  stuck: counter({
    name: 'wds_delivery_stuck_total',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts whose result cannot be written, because the stored delivery contradicts it.',
  }),
  replayed: counter({
    name: 'wds_delivery_replayed_total',
    unit: '{delivery}',
    labels: { result: '`opened`, or `skipped`: under way, or changed since it was selected.' },
    meaning: 'Deliveries whose turn came in a bulk replay.',
  }),
  dead: counter({
    name: 'wds_delivery_dead_total',
    unit: '{delivery}',
    labels: { reason: '`attempts_exhausted`, or why the subscription ended.' },
    meaning: 'Deliveries that became dead letters.',
  }),
}

/** All of them. */
export const metrics: readonly Metric[] = [
  clockMetrics,
  hostMetrics,
  httpMetrics,
  poolMetrics,
  outboxMetrics,
  consumerMetrics,
  heldBackMetrics,
  processMetrics,
  deliveryMetrics,
].flatMap((group): Metric[] => Object.values(group))
