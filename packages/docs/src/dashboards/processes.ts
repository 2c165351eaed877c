// What a process needs: CPU, memory, a free event loop, connections; and loops, clocks and starts.
import { byService, type Dashboard, max, quantile, rate, service, total } from './panel.ts'

const component = 'app_kubernetes_io_component'
const byPart = `${service}, ${component}`
const part = `${byService} {{${component}}}`
const pool = 'db_client_connection_pool_name'

export const processes: Dashboard = {
  name: 'processes',
  title: 'Processes',
  rows: [
    [
      {
        title: 'CPU',
        meaning:
          'Cores in use, all processes of a part. One process uses one, and some more for TLS and password hashing.',
        unit: 'short',
        // The SDK shows it as a gauge; it only rises.
        queries: { [part]: rate('wds_process_cpu_seconds', byPart) },
      },
      {
        title: 'Event loop in use',
        meaning: 'Share of the time, of the busiest process. Above 0.9: scale out.',
        unit: 'percentunit',
        queries: { [part]: max('nodejs_eventloop_utilization', byPart) },
      },
      {
        title: 'Event loop, p99 of delay',
        meaning: 'Of the worst process. Above 0.2 s the log line `event loop delayed` names who blocked it.',
        unit: 's',
        queries: { [part]: max('nodejs_eventloop_delay_p99_seconds', byPart) },
      },
    ],
    [
      {
        title: 'Resident memory',
        meaning: 'Of the largest process, against the limit of its pod.',
        unit: 'bytes',
        queries: { [part]: max('process_memory_usage_bytes', byPart) },
      },
      {
        title: 'Heap in use',
        meaning: 'Against --max-old-space-size, 75 % of the memory.',
        unit: 'bytes',
        queries: { [part]: max('v8js_memory_heap_used_bytes', byPart) },
      },
      {
        title: 'Clock',
        meaning: 'Distance between host and database. From 5 s auth is not ready.',
        unit: 's',
        alertAt: 2,
        queries: { [byService]: max('abs(wds_clock_off_seconds)', service) },
      },
    ],
    [
      {
        title: 'Connections in use',
        meaning: 'Of the fullest pool: used ones by its maximum. At 1 callers wait.',
        unit: 'percentunit',
        queries: {
          [`${byService} {{${pool}}}`]: `max by (${service}, ${pool}) (db_client_connection_count{db_client_connection_state="used"} / ignoring (db_client_connection_state) db_client_connection_max)`,
        },
      },
      {
        title: 'Waiting for a connection',
        meaning: 'Statements and transactions in the queue of a pool.',
        unit: 'short',
        queries: {
          [`${byService} {{${pool}}}`]: total('db_client_connection_pending_requests', `${service}, ${pool}`),
        },
      },
      {
        title: 'Wait for a connection, p99',
        meaning: 'With the opening of a new one.',
        unit: 's',
        queries: { [byService]: quantile(0.99, 'db_client_connection_wait_time_seconds', service) },
      },
    ],
    [
      {
        title: 'Oldest snapshot',
        meaning:
          'Since when vacuum removes no row of a database, by who holds it: queues grow meanwhile. The line is the alert SnapshotOld.',
        unit: 's',
        alertAt: 300,
        queries: {
          [`${byService} {{holder}}`]: max('wds_postgres_oldest_snapshot_age_seconds', `${service}, holder`),
        },
      },
      {
        title: 'WAL kept by slots',
        meaning: 'Of the replication slot furthest behind. The line is the alert SlotHoldsWal.',
        unit: 'bytes',
        alertAt: 5_000_000_000,
        queries: { [byService]: max('wds_postgres_slot_wal_bytes', service) },
      },
    ],
    [
      {
        title: 'Loops',
        meaning:
          'Stuck: blocked for 60 s, the pod is about to be restarted (the alert LoopsStuck). Idle: without progress for 60 s. Stuck work: an upload, a pull or an export that hangs beside others (WorkStuck).',
        unit: 'short',
        alertAt: 1,
        queries: {
          [`stuck ${byService}`]: total('wds_loops_stuck', service),
          [`idle ${byService}`]: total('wds_loops_idle', service),
          [`stuck work ${byService}`]: total('wds_work_stuck', service),
        },
      },
      {
        title: 'Starts',
        meaning: 'Time until ready, of the slowest process; with the wait for the database.',
        unit: 's',
        queries: { [part]: max('wds_start_duration_seconds', byPart) },
      },
      {
        title: 'Batches of consumers, p99',
        meaning: 'With the update of the position: Postgres.',
        unit: 's',
        queries: {
          '{{messaging_consumer_group_name}}': quantile(
            0.99,
            'messaging_process_duration_seconds',
            'messaging_consumer_group_name',
          ),
        },
      },
    ],
  ],
}
