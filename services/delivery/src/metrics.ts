// Every metric of the delivery service: name, unit, labels, meaning. The reference in the docs is made from it.
import { counter, gauge, histogram, type Metric } from '@wds/telemetry/metrics'
import {
  consumerMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
} from '@wds/telemetry/platform-metrics'

/** Seconds: the marks of the service levels (reliability.md 7; delivery.md, Speed) are bounds. */
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
        'What keeps the lane: `ready` nothing, a worker should take it; `capped` as many in flight as it may have; `throttled` its rate limit; `breaker` half open after failures; `held` its attempts cannot be made here: no key opens its signing secret, or a fault of this machine or its name servers; `parked` disabled or deleted, to be ended.',
    },
    meaning: 'How long the oldest due delivery has waited, by what it waits for; 0 when there is none.',
  }),
  oldestReadyDueAge: gauge({
    name: 'wds_delivery_oldest_ready_due_age_seconds',
    unit: 's',
    labels: {},
    meaning: 'The same for `ready` alone: workers are scaled on it.',
  }),
  lanesDue: gauge({
    name: 'wds_delivery_lanes_due',
    unit: '{lane}',
    labels: { reason: 'As in wds_delivery_oldest_due_age_seconds.' },
    meaning: 'Lanes with a due delivery, by what they wait for.',
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
    labels: { state: '`running`, or `expired`: its worker was lost.' },
    meaning: 'Attempts under way in all workers.',
  }),
  fanOutAge: gauge({
    name: 'wds_delivery_fan_out_age_seconds',
    unit: 's',
    labels: {},
    meaning: 'Age of the oldest event that waits for its deliveries, 0 when none does.',
  }),
  underWay: gauge({
    name: 'wds_delivery_attempts_under_way',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts of this process that are under way or not yet settled.',
  }),
  slots: gauge({
    name: 'wds_delivery_slots',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts that this process may have under way (WDS_DELIVERY_SLOTS).',
  }),
  deliveriesMade: counter({
    name: 'wds_delivery_made_total',
    unit: '{delivery}',
    labels: {},
    meaning: 'Deliveries that fan out made.',
  }),
  fanOutDuration: histogram({
    name: 'wds_delivery_fan_out_duration_seconds',
    unit: 's',
    buckets: statementBuckets,
    labels: { 'error.type': 'Code or class of the fault; not there when it went well.' },
    meaning: 'Time of a turn of fan out that found events.',
  }),
  claimed: counter({
    name: 'wds_delivery_claimed_total',
    unit: '{delivery}',
    labels: {},
    meaning: 'Deliveries that this process claimed.',
  }),
  claimDuration: histogram({
    name: 'wds_delivery_claim_duration_seconds',
    unit: 's',
    buckets: statementBuckets,
    labels: { 'error.type': 'Code or class of the fault; not there when it went well.' },
    meaning: 'Time of a claim, also of one that found nothing.',
  }),
  firstAttemptWait: histogram({
    name: 'wds_delivery_first_attempt_wait_seconds',
    unit: 's',
    buckets: waitBuckets,
    labels: {},
    meaning: 'Time from the id of an event to the start of the first attempt of its delivery.',
  }),
  attempts: counter({
    name: 'wds_delivery_attempts_total',
    unit: '{attempt}',
    labels: { outcome, error_code: 'Class of the failure, as in the log; not there for a success.' },
    meaning: 'Attempts that ended.',
  }),
  attemptDuration: histogram({
    name: 'wds_delivery_attempt_duration_seconds',
    unit: 's',
    buckets: attemptBuckets,
    labels: { 'error.type': 'Class of the failure; not there when an answer with a status below 400 came.' },
    meaning: 'Time of the request of an attempt, names and connection included.',
  }),
  settleDuration: histogram({
    name: 'wds_delivery_settle_duration_seconds',
    unit: 's',
    buckets: statementBuckets,
    labels: { 'error.type': 'Code or class of the fault; not there when it went well.' },
    meaning: 'Time of writing a batch of ended attempts.',
  }),
  takenOver: counter({
    name: 'wds_delivery_taken_over_total',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts whose lease ran out and that were logged as unknown.',
  }),
  held: counter({
    name: 'wds_delivery_held_total',
    unit: '{attempt}',
    labels: {
      cause:
        '`no_key` no key opens the signing secret; `unresolved` our name servers are out of reach; `local_fault` this machine could not begin it.',
    },
    meaning: 'Attempts given back, since they could not be made here: no row of the log, none used up.',
  }),
  stuck: counter({
    name: 'wds_delivery_stuck_total',
    unit: '{attempt}',
    labels: {},
    meaning: 'Attempts whose end cannot be written, since what is stored of them contradicts it.',
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
  hostMetrics,
  httpMetrics,
  poolMetrics,
  outboxMetrics,
  consumerMetrics,
  processMetrics,
  deliveryMetrics,
].flatMap((group): Metric[] => Object.values(group))
