// What callers and subscribers notice, and what waits for us: where a look begins.
import { byService, type Dashboard, max, quantile, rate, service } from './panel.ts'

const requests = 'http_server_request_duration_seconds'

export const overview: Dashboard = {
  name: 'overview',
  title: 'Overview',
  rows: [
    [
      {
        title: 'Requests',
        meaning: 'Answered requests by service.',
        unit: 'ops',
        queries: { [byService]: rate(`${requests}_count`, service) },
      },
      {
        title: 'Share of 5xx',
        meaning: 'The line is the alert ErrorsHigh.',
        unit: 'percentunit',
        alertAt: 0.02,
        queries: {
          [byService]: `${rate(`${requests}_count`, service, '{http_response_status_code=~"5.."}')} / ${rate(`${requests}_count`, service)}`,
        },
      },
      {
        title: 'p99 of answers',
        meaning: 'The line is the alert AnswersSlow. The routes below say which calls.',
        unit: 's',
        alertAt: 1,
        queries: { [byService]: quantile(0.99, requests, service) },
      },
    ],
    [
      {
        title: 'Slowest routes, p99',
        meaning: 'The five slowest routes of the last minutes.',
        unit: 's',
        queries: { '{{http_route}}': `topk(5, ${quantile(0.99, requests, 'http_route')})` },
      },
      {
        title: 'Refusals',
        meaning: '429: a quota or a limit of a caller. 503: we are full, or a store is away.',
        unit: 'ops',
        queries: {
          [`{{http_response_status_code}} ${byService}`]: rate(
            `${requests}_count`,
            `${service}, http_response_status_code`,
            '{http_response_status_code=~"429|503"}',
          ),
        },
      },
      {
        title: 'From an event to its first attempt',
        meaning: 'What a subscriber notices, of events whose delivery nothing held back and of those that waited.',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'wds_delivery_first_attempt_wait_seconds'),
          p99: quantile(0.99, 'wds_delivery_first_attempt_wait_seconds'),
        },
      },
    ],
    [
      {
        title: 'What waits for us',
        meaning:
          'Ages of the oldest piece of work that a free worker would take: deliveries, uploads and pulls, exports.',
        unit: 's',
        queries: {
          deliveries: max('wds_delivery_oldest_ready_due_age_seconds'),
          syncs: max('wds_api_oldest_waiting_sync_run_age_seconds'),
          exports: max('wds_api_oldest_waiting_export_age_seconds'),
        },
      },
      {
        title: 'Outbox',
        meaning: 'Age of the oldest event that is not in the log yet. The line is the alert OutboxNotPublished.',
        unit: 's',
        alertAt: 60,
        queries: { [byService]: max('wds_outbox_age_seconds', service) },
      },
      {
        title: 'Dead letters',
        meaning: 'Deliveries given up within an hour, by reason. The alert DeadLettersRise looks at their sum.',
        unit: 'short',
        alertAt: 1_000,
        queries: { '{{reason}}': 'sum by (reason) (increase(wds_delivery_dead_total[1h]))' },
      },
    ],
  ],
}
