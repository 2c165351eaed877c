// The metrics of the packages that every service runs on: HTTP, pools, outbox, log, the process. Each service's metrics.ts lists
// the groups that it has; the packages record into them.

import { counter, gauge, histogram } from './metrics.ts'

/** Seconds, as the semantic conventions advise for HTTP and messaging, with 1 and 2 ms below for what is fast here. */
const secondBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Seconds: the marks of the service levels (reliability.md 7) are bounds. */
const waitBuckets = [0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120]

const errorType = 'Code or class of the fault; not there when it went well.'
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
      'http.route': 'Template of the path, as in openapi.yaml; not there when no route matched.',
      'http.response.status_code': 'Status of the answer; not there when the client left before it.',
      'error.type': 'Code of the problem, for statuses from 500.',
    },
    meaning: 'Time from the first byte of a request to the last one of its answer.',
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
    meaning: 'Connections that the pool may have.',
  }),
  pendingRequests: gauge({
    name: 'db.client.connection.pending_requests',
    unit: '{request}',
    labels: { 'db.client.connection.pool.name': 'Name of the pool.' },
    meaning: 'Statements and transactions that wait for a connection.',
  }),
  waitTime: histogram({
    name: 'db.client.connection.wait_time',
    unit: 's',
    buckets: secondBuckets,
    labels: { 'db.client.connection.pool.name': 'Name of the pool.' },
    meaning: 'Time until the pool gave a connection, a new one included.',
  }),
}

/** Recorded by the relay of event-store, and by the log that it publishes to. */
export const outboxMetrics = {
  age: gauge({
    name: 'wds_outbox_age_seconds',
    unit: 's',
    labels: {},
    meaning:
      'Age of the oldest row of the outbox, 0 when it is empty. Rising: nothing reaches the log, or a burst of one workspace waits for its turn.',
  }),
  leads: gauge({
    name: 'wds_outbox_relay_leads',
    unit: '1',
    labels: {},
    meaning: '1 in the process whose relay holds the leader lock, else 0. A sum of 0 for 15 s: relay without a holder.',
  }),
  sent: counter({
    name: 'messaging.client.sent.messages',
    unit: '{message}',
    labels: { 'messaging.destination.name': topic },
    meaning: 'Records that the relay put into the log.',
  }),
  regressions: counter({
    name: 'wds_log_regressions_total',
    unit: '{partition}',
    labels: { topic },
    meaning:
      'Partitions that gave an offset once more: records that Kafka had acknowledged are lost. Somebody has to act.',
  }),
  sendDuration: histogram({
    name: 'messaging.client.operation.duration',
    unit: 's',
    buckets: secondBuckets,
    labels: { 'messaging.operation.name': '`send`.', 'error.type': errorType },
    meaning: 'Time that the relay took for a batch, from reading the outbox to the removal of its rows.',
  }),
}

/** Recorded by the consumers of event-log. */
export const consumerMetrics = {
  lag: gauge({
    name: 'wds_log_lag_records',
    unit: '{record}',
    labels: { consumer, topic },
    meaning: 'Records of the topic that the consumer has not taken into effect, over all partitions.',
  }),
  lost: gauge({
    name: 'wds_log_lost_partitions',
    unit: '{partition}',
    labels: { consumer, topic },
    meaning: 'Partitions on which this process stands still, since the log lost records. Above 0: somebody has to act.',
  }),
  wait: histogram({
    name: 'wds_log_wait_seconds',
    unit: 's',
    buckets: waitBuckets,
    labels: { consumer, topic },
    meaning: 'Time from the id of an event to its effect by the consumer.',
  }),
  consumed: counter({
    name: 'messaging.client.consumed.messages',
    unit: '{message}',
    labels: { 'messaging.consumer.group.name': consumer, 'messaging.destination.name': topic },
    meaning: 'Records that a consumer took into effect.',
  }),
  processDuration: histogram({
    name: 'messaging.process.duration',
    unit: 's',
    buckets: secondBuckets,
    labels: { 'messaging.consumer.group.name': consumer, 'messaging.destination.name': topic, 'error.type': errorType },
    meaning: 'Time that a consumer took for a batch, position included.',
  }),
  deadLetters: counter({
    name: 'wds_log_dead_letters_total',
    unit: '{record}',
    labels: { consumer, topic },
    meaning: 'Records that could not take effect and were put aside with their reason.',
  }),
}

/** Recorded by service-host. */
export const hostMetrics = {
  startDuration: gauge({
    name: 'wds_start_duration_seconds',
    unit: 's',
    labels: {},
    meaning: 'Time from the start of the process until it was ready, waiting for the database included; 0 before.',
  }),
  stuckLoops: gauge({
    name: 'wds_loops_stuck',
    unit: '{loop}',
    labels: {},
    meaning: 'Loops that have not moved for 60 s: the process does not live any more. Of other processes 0.',
  }),
  idleLoops: gauge({
    name: 'wds_loops_idle',
    unit: '{loop}',
    labels: {},
    meaning: 'Loops that got nothing done for 60 s; those that find nothing to do do not count.',
  }),
}

/** Recorded by service-host in services whose readiness asks for a right clock. */
export const clockMetrics = {
  off: gauge({
    name: 'wds_clock_off_seconds',
    unit: 's',
    labels: {},
    meaning: "How far the host's clock is ahead of the database's, at the last look; below 0 it is behind.",
  }),
}

/** Recorded by `observeProcess`. */
export const processMetrics = {
  cpuTime: gauge({
    name: 'wds_process_cpu_seconds',
    unit: 's',
    labels: { mode: '`user` or `system`.' },
    meaning: 'CPU time of the process since its start.',
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
    meaning: 'Heap in use, all spaces together.',
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
    meaning: '99th percentile of how late timers ran since the last reading.',
  }),
  loopDelayMax: gauge({
    name: 'nodejs.eventloop.delay.max',
    unit: 's',
    labels: {},
    meaning:
      'How late a timer ran at most since the last reading. Above 0.2: the log line `event loop delayed` names what held it.',
  }),
}
