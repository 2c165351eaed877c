// The metrics of the packages that every service runs on: HTTP, pools, outbox, log, the process. Each service's metrics.ts lists
// the groups that it has; the packages record into them.

import { counter, gauge, histogram } from './metrics.ts'

/** Seconds, as the semantic conventions advise for HTTP and messaging, with 1 and 2 ms below for what is fast here. */
const secondBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Seconds: the marks of the service levels (reliability.md 7) are bounds. */
const waitBuckets = [0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120]

const errorType = 'Code or class of the fault; absent on success.'
const consumer = 'Name of the consumer, which is that of its group.'
const topic = 'Topic of the event log.'

/** Recorded by http-service. */
export const httpMetrics = {
  requestDuration: histogram({
    name: 'http.server.request.duration',
    unit: 's',
    buckets: secondBuckets,
    labels: {
      'http.request.method': 'Method; `_OTHER` for an unknown one.',
      'http.route': 'Template of the path, as in openapi.yaml; absent when no route matched.',
      'http.response.status_code': 'Status of the response; absent when the client disconnected before it.',
      'error.type': 'Code of the problem, for statuses from 500.',
    },
    meaning: 'Time from the first byte of a request to the last byte of its response.',
  }),
}

/** Recorded by the pools of `postgres`. */
export const poolMetrics = {
  connections: gauge({
    name: 'db.client.connection.count',
    unit: '{connection}',
    labels: {
      'db.client.connection.pool.name': 'Name of the pool, as in `pg_stat_activity`.',
      'db.client.connection.state': '`used` or `idle`.',
    },
    meaning: 'Connections of the pool.',
  }),
  connectionsMax: gauge({
    name: 'db.client.connection.max',
    unit: '{connection}',
    labels: { 'db.client.connection.pool.name': 'Name of the pool.' },
    meaning: 'Maximum size of the pool.',
  }),
  pendingRequests: gauge({
    name: 'db.client.connection.pending_requests',
    unit: '{request}',
    labels: { 'db.client.connection.pool.name': 'Name of the pool.' },
    meaning: 'Statements and transactions waiting for a connection.',
  }),
  waitTime: histogram({
    name: 'db.client.connection.wait_time',
    unit: 's',
    buckets: secondBuckets,
    labels: { 'db.client.connection.pool.name': 'Name of the pool.' },
    meaning: 'Time until the pool handed out a connection, including opening a new one.',
  }),
}

/** Recorded by the relay of event-store, and by the log that it publishes to. */
export const outboxMetrics = {
  age: gauge({
    name: 'wds_outbox_age_seconds',
    unit: 's',
    labels: {},
    meaning:
      'Age of the oldest outbox row; 0 when it is empty. Rising: nothing reaches the log, or a burst of one workspace is held back.',
  }),
  leads: gauge({
    name: 'wds_outbox_relay_leads',
    unit: '1',
    labels: {},
    meaning: '1 in the process whose relay is the leader, else 0. A sum of 0 for 15 s: no leader.',
  }),
  sent: counter({
    name: 'messaging.client.sent.messages',
    unit: '{message}',
    labels: { 'messaging.destination.name': topic },
    meaning: 'Records published by the relay.',
  }),
  regressions: counter({
    name: 'wds_log_regressions_total',
    unit: '{partition}',
    labels: { topic },
    meaning: 'Partitions that reused an offset: records that Kafka had acknowledged are lost. An operator has to act.',
  }),
  sendDuration: histogram({
    name: 'messaging.client.operation.duration',
    unit: 's',
    buckets: secondBuckets,
    labels: { 'messaging.operation.name': '`send`.', 'error.type': errorType },
    meaning: 'Time of a relay batch, from reading the outbox to deleting its rows.',
  }),
}

/** Recorded by the consumers of event-log. */
export const consumerMetrics = {
  lag: gauge({
    name: 'wds_log_lag_records',
    unit: '{record}',
    labels: { consumer, topic },
    meaning: 'Unprocessed records of the topic, all partitions.',
  }),
  lost: gauge({
    name: 'wds_log_lost_partitions',
    unit: '{partition}',
    labels: { consumer, topic },
    meaning: 'Partitions stopped in this process because the log lost records. Above 0: an operator has to act.',
  }),
  wait: histogram({
    name: 'wds_log_wait_seconds',
    unit: 's',
    buckets: waitBuckets,
    labels: { consumer, topic },
    meaning: 'Time from the creation of an event (its id) to its processing by the consumer.',
  }),
  consumed: counter({
    name: 'messaging.client.consumed.messages',
    unit: '{message}',
    labels: { 'messaging.consumer.group.name': consumer, 'messaging.destination.name': topic },
    meaning: 'Records processed by a consumer.',
  }),
  processDuration: histogram({
    name: 'messaging.process.duration',
    unit: 's',
    buckets: secondBuckets,
    labels: { 'messaging.consumer.group.name': consumer, 'messaging.destination.name': topic, 'error.type': errorType },
    meaning: 'Time of a consumer batch, including the position update.',
  }),
  deadLetters: counter({
    name: 'wds_log_dead_letters_total',
    unit: '{record}',
    labels: { consumer, topic },
    meaning: 'Records moved to dead letters.',
  }),
  keptDeadLetters: gauge({
    name: 'wds_log_dead_letters_kept',
    unit: '{record}',
    labels: { consumer },
    meaning:
      'Dead letters neither replayed nor dismissed, counted up to 1000; the same in each process of the consumer. Above 0: what they say is missing.',
  }),
}

/** Recorded by service-host. */
export const hostMetrics = {
  startDuration: gauge({
    name: 'wds_start_duration_seconds',
    unit: 's',
    labels: {},
    meaning: 'Time from process start until ready, including waiting for the database; 0 before.',
  }),
  stuckLoops: gauge({
    name: 'wds_loops_stuck',
    unit: '{loop}',
    labels: {},
    meaning: 'Background loops blocked for 60 s; the process then fails its liveness check.',
  }),
  stuckWork: gauge({
    name: 'wds_work_stuck',
    unit: '{piece}',
    labels: {},
    meaning: 'Pieces of queued work (uploads, pulls, exports) blocked for 60 s while their loop may go on with others.',
  }),
  idleLoops: gauge({
    name: 'wds_loops_idle',
    unit: '{loop}',
    labels: {},
    meaning: 'Background loops without progress for 60 s, those without work excepted.',
  }),
}

/** Recorded by `held-back` of `postgres`. */
export const heldBackMetrics = {
  snapshotAge: gauge({
    name: 'wds_postgres_oldest_snapshot_age_seconds',
    unit: 's',
    labels: { holder: '`transaction`: an open or a prepared one; `slot`: a replication slot.' },
    meaning:
      'How long the oldest snapshot has kept vacuum from removing rows of the database, as far as this process has seen; 0 where nothing was written since it was taken.',
  }),
  slotWal: gauge({
    name: 'wds_postgres_slot_wal_bytes',
    unit: 'By',
    labels: {},
    meaning: 'WAL that the replication slot furthest behind keeps on the disk of the database; 0 without slots.',
  }),
}

/** Recorded by service-host's `database-clock`. */
export const clockMetrics = {
  off: gauge({
    name: 'wds_clock_off_seconds',
    unit: 's',
    labels: {},
    meaning: 'Host clock minus database clock, when last read.',
  }),
}

/** Recorded by service-host's `internal-certificate`. */
export const certificateMetrics = {
  end: gauge({
    name: 'wds_certificate_end_timestamp_seconds',
    unit: 's',
    labels: {},
    meaning:
      'End of the certificate that the internal listener serves, in Unix time; absent where it serves plain HTTP.',
  }),
}

/** Recorded by `observeProcess`. */
export const processMetrics = {
  cpuTime: gauge({
    name: 'wds_process_cpu_seconds',
    unit: 's',
    labels: { mode: '`user` or `system`.' },
    meaning: 'CPU time used by the process.',
  }),
  memory: gauge({
    name: 'process.memory.usage',
    unit: 'By',
    labels: {},
    meaning: 'Resident memory of the process.',
  }),
  heap: gauge({
    name: 'v8js.memory.heap.used',
    unit: 'By',
    labels: {},
    meaning: 'Heap in use, all spaces.',
  }),
  loopUtilization: gauge({
    name: 'nodejs.eventloop.utilization',
    unit: '1',
    labels: {},
    meaning: 'Share of the time since the last reading in which the event loop was busy.',
  }),
  loopDelay: gauge({
    name: 'nodejs.eventloop.delay.p99',
    unit: 's',
    labels: {},
    meaning: '99th percentile of timer delay since the last reading.',
  }),
  loopDelayMax: gauge({
    name: 'nodejs.eventloop.delay.max',
    unit: 's',
    labels: {},
    meaning:
      'Longest delay of a timer since the last reading. Above 0.2: the log line `event loop delayed` names the request or job that blocked it.',
  }),
}
