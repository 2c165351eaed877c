// From a service's outbox over the log to its consumers.
import { byService, type Dashboard, max, quantile, rate, service, total } from './panel.ts'

export const eventLog: Dashboard = {
  name: 'event-log',
  title: 'Event log',
  rows: [
    [
      {
        title: 'Published',
        meaning: 'Records that relays sent, by topic.',
        unit: 'ops',
        queries: {
          '{{messaging_destination_name}}': rate('messaging_client_sent_messages_total', 'messaging_destination_name'),
        },
      },
      {
        title: 'Relay batches, p99',
        meaning: 'From reading the outbox to deleting its rows: Postgres, and the acknowledgement of two brokers.',
        unit: 's',
        queries: { [byService]: quantile(0.99, 'messaging_client_operation_duration_seconds', service) },
      },
      {
        title: 'Leaders of the relay',
        meaning: '1 for each service. 0 is the alert RelayWithoutLeader.',
        unit: 'short',
        queries: { [byService]: total('wds_outbox_relay_leads', service) },
      },
    ],
    [
      {
        title: 'Lag',
        meaning: 'Records that wait, by consumer. The line is the alert ConsumerBehind.',
        unit: 'short',
        alertAt: 50_000,
        queries: { '{{consumer}} {{topic}}': max('wds_log_lag_records', 'consumer, topic') },
      },
      {
        title: 'From an event to its effect, p99',
        meaning: 'By consumer.',
        unit: 's',
        queries: { '{{consumer}}': quantile(0.99, 'wds_log_wait_seconds', 'consumer') },
      },
      {
        title: 'Put aside, lost',
        meaning:
          'Dead letters of consumers that are kept, which is the alert ConsumerDeadLetters, partitions that stand, offsets given anew in an hour: none of them is ordinary.',
        unit: 'short',
        alertAt: 1,
        queries: {
          'dead letters {{consumer}}': max('wds_log_dead_letters_kept', 'consumer'),
          'lost partitions {{consumer}}': max('wds_log_lost_partitions', 'consumer'),
          'offsets given anew {{topic}}': 'sum by (topic) (increase(wds_log_regressions_total[1h]))',
        },
      },
    ],
  ],
}
