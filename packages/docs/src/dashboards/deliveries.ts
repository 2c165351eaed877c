// The way of a delivery: due, claimed, attempted, settled, and what holds it back.
import { type Dashboard, max, quantile, rate, total } from './panel.ts'

export const deliveries: Dashboard = {
  name: 'deliveries',
  title: 'Deliveries',
  rows: [
    [
      {
        title: 'Attempts by outcome',
        meaning: 'Finished attempts. Unknown: their worker was lost; released: not started, not counted.',
        unit: 'ops',
        queries: { '{{outcome}}': rate('wds_delivery_attempts_total', 'outcome') },
      },
      {
        title: 'Failures by class',
        meaning: 'Mostly of the endpoints. One class for all endpoints at once is ours: DNS, the way out.',
        unit: 'ops',
        queries: { '{{error_code}}': rate('wds_delivery_attempts_total', 'error_code', '{outcome="attempt_failed"}') },
      },
      {
        title: 'Duration of attempts',
        meaning: 'Of the request, with DNS and connection.',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'wds_delivery_attempt_duration_seconds'),
          p99: quantile(0.99, 'wds_delivery_attempt_duration_seconds'),
        },
      },
    ],
    [
      {
        title: 'Oldest due delivery, by why it waits',
        meaning: 'Only `ready` waits for us, and scales workers; the others wait for a limit or for their endpoint.',
        unit: 's',
        alertAt: 60,
        queries: { '{{reason}}': max('wds_delivery_oldest_due_age_seconds', 'reason') },
      },
      {
        title: 'Lanes with due deliveries',
        meaning: 'Subscriptions that have something due, by why it waits.',
        unit: 'short',
        queries: { '{{reason}}': max('wds_delivery_lanes_due', 'reason') },
      },
      {
        title: 'Attempts under way',
        meaning: 'Against the limit of all workers. At the limit: hanging endpoints, or too few workers.',
        unit: 'short',
        queries: {
          'under way': total('wds_delivery_attempts_under_way'),
          limit: total('wds_delivery_slots'),
        },
      },
    ],
    [
      {
        title: 'Steps of the way, p99',
        meaning: 'Batches: fan-out of events, claim of due deliveries, writing of outcomes. All of them are Postgres.',
        unit: 's',
        queries: {
          'fan-out': quantile(0.99, 'wds_delivery_fan_out_duration_seconds'),
          claim: quantile(0.99, 'wds_delivery_claim_duration_seconds'),
          settle: quantile(0.99, 'wds_delivery_settle_duration_seconds'),
        },
      },
      {
        title: 'Made, claimed, replayed',
        meaning: 'Deliveries made by fan-out, claimed by workers, opened by bulk replays.',
        unit: 'ops',
        queries: {
          made: rate('wds_delivery_made_total'),
          claimed: rate('wds_delivery_claimed_total'),
          replayed: rate('wds_delivery_replayed_total', '', '{result="opened"}'),
        },
      },
      {
        title: 'Out of the ordinary',
        meaning:
          'Leases of lost workers and attempts taken over from them; lanes on probe; attempts that could not start.',
        unit: 'short',
        queries: {
          'expired leases': 'max(wds_delivery_leases{state="expired"})',
          'lanes on probe': max('wds_delivery_breakers_half_open'),
          'taken over /s': rate('wds_delivery_taken_over_total'),
          'held {{cause}} /s': rate('wds_delivery_held_total', 'cause'),
          'stuck /s': rate('wds_delivery_stuck_total'),
        },
      },
    ],
  ],
}
