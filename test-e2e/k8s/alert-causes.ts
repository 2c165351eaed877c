// What each alert is for, as series of Prometheus: those of a fleet that is well, and what is changed in them.
import type { ServiceName } from '@wds/provision/provision'

/** Values by series, one a minute, in promtool's notation: `3x120` is 3 and then 120 more of it, `0+6x120` grows by 6, `_x9` is nothing for nine. */
export type Series = Record<string, string>

const hours = 300
const still = (value: number | string) => `${value}x${hours}`
/** Deployments that publish events, two pods of each. */
const publishers: Record<ServiceName, string> = { auth: 'worker', api: 'worker', catalog: 'all', delivery: 'worker' }
const servers: Record<ServiceName, string> = { auth: 'http', api: 'http', catalog: 'all', delivery: 'http' }
const pods = ['a', 'b']
/** The labels that Prometheus puts on what a pod says (pod-monitor.yaml). */
const of = (name: string, component: string, pod: string) =>
  `app_kubernetes_io_name="${name}",app_kubernetes_io_component="${component}",pod="${name}-${component}-${pod}"`
const inCluster = 'namespace="workspace-data"'
const worker = of('delivery', 'worker', 'a')
const request = (name: string, status: number) =>
  `http_server_request_duration_seconds_count{${of(name, servers[name as ServiceName], 'a')},http_response_status_code="${status}"}`
const bucket = (le: string) =>
  `http_server_request_duration_seconds_bucket{${of('api', 'http', 'a')},http_response_status_code="200",le="${le}"}`
const ageOfDue = `wds_delivery_oldest_ready_due_age_seconds{${worker}}`
const ageOfFanOut = `wds_delivery_fan_out_age_seconds{${worker}}`
const ageOfHeld = `wds_delivery_oldest_due_age_seconds{${worker},reason="held"}`
const lead = (pod: string) => `wds_outbox_relay_leads{${of('api', 'worker', pod)}}`
const lag = `wds_log_lag_records{${worker},consumer="delivery.ingest",topic="workspace.events"}`
const kept = (consumer: string, pod = 'a') =>
  `wds_log_dead_letters_kept{${of('delivery', 'worker', pod)},consumer="${consumer}"}`
const available = (deployment: string) =>
  `kube_deployment_status_replicas_available{${inCluster},deployment="${deployment}"}`
/** The workers of all services see the same, where they share a database. */
const snapshot = (name: string, holder: string) =>
  `wds_postgres_oldest_snapshot_age_seconds{${of(name, 'worker', 'a')},holder="${holder}"}`
const slotWal = `wds_postgres_slot_wal_bytes{${of('api', 'worker', 'a')}}`
const answers = (pod: string) => `up{${of('delivery', 'http', pod)}}`
/** One container of both roles, and no pod beside it (deploy/compose). */
const inCompose = `up{${of('api', 'all', 'compose')}}`
const certificate = `certmanager_certificate_expiration_timestamp_seconds{${inCluster},name="gateway"}`
const served = `wds_certificate_end_timestamp_seconds{${of('auth', 'http', 'a')}}`
const backup = `cnpg_collector_last_available_backup_timestamp{${inCluster},pod="postgres-1"}`

const restarts = `kube_pod_container_status_restarts_total{${inCluster},pod="api-http-a",container="service"}`
/** As it is for ten minutes, then otherwise. */
const then = (before: number, after: number) => `${before}x9 ${after}x${hours}`

/** A fleet that is well, with what happens to one that is: a call in six hundred that fails, a record put aside long ago, a restart. */
export const healthy: Series = {
  [ageOfDue]: still(1),
  [ageOfHeld]: still(0),
  [ageOfFanOut]: still(0),
  ...Object.fromEntries(
    Object.entries(publishers).flatMap(([name, component]) =>
      pods.flatMap((pod) => [
        [`wds_outbox_age_seconds{${of(name, component, pod)}}`, still(0)],
        [`wds_outbox_relay_leads{${of(name, component, pod)}}`, still(pod === 'a' ? 1 : 0)],
        [`wds_loops_stuck{${of(name, component, pod)}}`, still(0)],
        // A file whose lines take long.
        [`wds_work_stuck{${of(name, component, pod)}}`, `0x60 1x3 0x${hours}`],
      ]),
    ),
  ),
  ...Object.fromEntries(
    Object.keys(servers).flatMap((name) => [
      [request(name, 200), `0+600x${hours}`],
      [request(name, 500), `0+1x${hours}`],
    ]),
  ),
  [bucket('0.1')]: `0+595x${hours}`,
  [bucket('1')]: `0+599x${hours}`,
  [bucket('10')]: `0+600x${hours}`,
  [bucket('+Inf')]: `0+600x${hours}`,
  [lag]: still(1_000),
  // Put aside and replayed.
  [kept('delivery.auth')]: '3x0 0x300',
  [`wds_log_lost_partitions{${worker},consumer="delivery.ingest",topic="workspace.events"}`]: still(0),
  [`wds_delivery_dead_total{${worker},reason="attempts_exhausted"}`]: `0+5x${hours}`,
  // Somebody deletes a subscription with a long backlog.
  [`wds_delivery_dead_total{${worker},reason="subscription_deleted"}`]: `0+100x${hours}`,
  [`wds_api_oldest_waiting_sync_run_age_seconds{${of('api', 'worker', 'a')}}`]: still(20),
  [`wds_clock_off_seconds{${worker}}`]: still(-0.02),
  // A report of four minutes.
  [snapshot('api', 'transaction')]: `0x30 60+60x3 0x${hours}`,
  [snapshot('api', 'slot')]: still(0),
  // A replica that is started anew.
  [slotWal]: `0x30 900000000x5 16000000x${hours}`,
  [restarts]: then(0, 1),
  [available('api-http')]: still(2),
  [available('delivery-worker')]: still(2),
  // One of two pods is being replaced.
  [answers('a')]: still(1),
  [answers('b')]: `1x9 0x30 1x${hours}`,
  [inCompose]: still(1),
  // Time begins at 0.
  [certificate]: still(60 * 86_400),
  [backup]: still(-3_600),
}

export interface Cause {
  alert: string
  /** What happens; an alert may have several causes. */
  what: string
  /** In place of those of the healthy fleet, or beside them. */
  series: Series
  /** The minute at which it fires, and not one earlier. */
  firesAt: number
  labels?: Record<string, string>
  summary: string
  description: string
}

export const causes: Cause[] = [
  {
    alert: 'DeliveriesNotClaimed',
    what: 'no sender claims',
    series: { [ageOfDue]: `0+60x${hours}` },
    firesAt: 7,
    summary: 'deliveries are due that nothing holds back, and no worker takes them',
    description: 'The oldest has waited 7m 0s.',
  },
  {
    alert: 'DeliveriesNotClaimed',
    what: 'no delivery is made of what was read, and so none is due',
    series: { [ageOfDue]: still(0), [ageOfFanOut]: `0+60x${hours}` },
    firesAt: 7,
    summary: 'deliveries are due that nothing holds back, and no worker takes them',
    description: 'The oldest has waited 7m 0s.',
  },
  {
    alert: 'DeliveriesHeld',
    what: 'the name servers of the workers are away',
    series: { [ageOfHeld]: `0+60x${hours}` },
    firesAt: 7,
    summary: 'attempts of webhooks cannot begin on our side',
    description:
      'The oldest has waited 7m 0s: no name server answers, no key opens a signing secret, or a machine is short of something.',
  },
  {
    alert: 'OutboxNotPublished',
    what: 'the broker is away',
    series: { [`wds_outbox_age_seconds{${of('api', 'worker', 'a')}}`]: `0+60x${hours}` },
    firesAt: 4,
    labels: { app_kubernetes_io_name: 'api' },
    summary: 'events of api do not reach the log',
    description: 'The oldest waits 4m 0s.',
  },
  {
    alert: 'RelayWithoutLeader',
    what: 'a session of nobody holds the lock',
    series: { [lead('a')]: then(1, 0) },
    firesAt: 11,
    labels: { app_kubernetes_io_name: 'api' },
    summary: 'no process of api publishes its events',
    description: 'The lock of the relay has no holder.',
  },
  {
    alert: 'ConsumerBehind',
    what: 'records come faster than they are ingested',
    series: { [lag]: then(1_000, 60_000) },
    firesAt: 20,
    labels: { consumer: 'delivery.ingest' },
    summary: 'consumer delivery.ingest is behind',
    description: '60000 records wait.',
  },
  {
    alert: 'ConsumerDeadLetters',
    what: 'a poison record, which each process of the consumer counts',
    series: { [kept('delivery.ingest')]: then(0, 1), [kept('delivery.ingest', 'b')]: then(0, 1) },
    firesAt: 10,
    labels: { consumer: 'delivery.ingest' },
    summary: 'consumer delivery.ingest put records aside',
    description: 'Kept, neither replayed nor dismissed: 1.',
  },
  {
    alert: 'LogLostRecords',
    what: 'a partition ends before the position of its consumer',
    series: { [`wds_log_lost_partitions{${worker},consumer="delivery.ingest",topic="workspace.events"}`]: then(0, 1) },
    firesAt: 10,
    summary: 'the log lost records that it had acknowledged',
    description: 'Partitions stand until somebody decides.',
  },
  {
    alert: 'LogLostRecords',
    what: 'an offset is given anew',
    series: { [`wds_log_regressions_total{${worker},topic="workspace.events"}`]: then(0, 1) },
    firesAt: 10,
    summary: 'the log lost records that it had acknowledged',
    description: 'Partitions stand until somebody decides.',
  },
  {
    alert: 'DeadLettersRise',
    what: 'twenty deliveries a minute are given up',
    series: { [`wds_delivery_dead_total{${worker},reason="attempts_exhausted"}`]: `0+20x${hours}` },
    firesAt: 66,
    summary: 'many deliveries became dead letters',
    description: '1200 within an hour.',
  },
  {
    alert: 'SyncsDelayed',
    what: 'no worker claims runs',
    series: { [`wds_api_oldest_waiting_sync_run_age_seconds{${of('api', 'worker', 'a')}}`]: `0+60x${hours}` },
    firesAt: 26,
    summary: 'uploads and pulls wait for a worker',
    description: 'The oldest for 26m 0s.',
  },
  {
    alert: 'ErrorsHigh',
    what: 'a call in twenty is answered with 500',
    series: { [request('api', 500)]: `0+30x${hours}` },
    firesAt: 6,
    labels: { app_kubernetes_io_name: 'api' },
    summary: 'api answers with errors',
    description: '4.762% of its requests.',
  },
  {
    alert: 'AnswersSlow',
    what: 'a call in thirty takes longer than a second',
    series: { [bucket('0.1')]: `0+560x${hours}`, [bucket('1')]: `0+580x${hours}` },
    firesAt: 11,
    labels: { app_kubernetes_io_name: 'api' },
    summary: 'api answers slowly',
    description: 'p99 7.3s.',
  },
  {
    alert: 'LoopsStuck',
    what: 'regression: a loop of one process is blocked, and the kubelet restarts it before a minute is over',
    series: { [`wds_loops_stuck{${worker}}`]: `0x9 1 0x${hours}` },
    firesAt: 11,
    labels: { app_kubernetes_io_name: 'delivery', pod: 'delivery-worker-a' },
    summary: 'a background loop of delivery-worker-a is blocked',
    description: '1 of its loops; its liveness probe fails, so that it is restarted.',
  },
  {
    alert: 'WorkStuck',
    what: 'one file hangs, beside places that go on',
    series: { [`wds_work_stuck{${of('api', 'worker', 'a')}}`]: then(0, 1) },
    firesAt: 20,
    labels: { app_kubernetes_io_name: 'api', pod: 'api-worker-a' },
    summary: 'an upload, a pull or an export hangs in api-worker-a',
    description: '1 of its places do not move and wait for nobody; the others go on.',
  },
  {
    alert: 'ClockOff',
    what: 'a clock three seconds behind',
    series: { [`wds_clock_off_seconds{${worker}}`]: then(0, -3) },
    firesAt: 15,
    labels: { pod: 'delivery-worker-a' },
    summary: 'the clock of the host of delivery-worker-a is off',
    description: 'By 3 s against the database; auth refuses to be ready at 5.',
  },
  {
    alert: 'SnapshotOld',
    what: 'somebody left a session in a transaction, and the workers of two services see it',
    series: {
      [snapshot('api', 'transaction')]: `0+60x${hours}`,
      [snapshot('delivery', 'transaction')]: `0+60x${hours}`,
    },
    firesAt: 11,
    labels: { holder: 'transaction' },
    summary: 'a transaction keeps old rows of the database from being removed',
    description: 'For 11m 0s; queues grow and become slower meanwhile.',
  },
  {
    alert: 'SnapshotOld',
    what: 'the slot of a replica that is gone holds what it last read',
    series: { [snapshot('api', 'slot')]: `0+60x${hours}` },
    firesAt: 11,
    labels: { holder: 'slot' },
    summary: 'a slot keeps old rows of the database from being removed',
    description: 'For 11m 0s; queues grow and become slower meanwhile.',
  },
  {
    alert: 'SlotHoldsWal',
    what: 'a replication slot that nobody reads any more',
    series: { [slotWal]: `0+1073741824x${hours}` },
    firesAt: 10,
    summary: 'a replication slot keeps WAL on the disk of the database',
    description: '10GiB, and more with every write.',
  },
  {
    alert: 'PodsRestarting',
    what: 'five restarts',
    series: { [restarts]: then(0, 5) },
    firesAt: 10,
    labels: { pod: 'api-http-a' },
    summary: 'api-http-a restarts again and again',
    description: '5 restarts in half an hour.',
  },
  {
    alert: 'DeploymentUnavailable',
    what: 'all pods of a worker are gone, and what they measured with them',
    series: { [available('delivery-worker')]: then(2, 0), [ageOfDue]: `1x9 _x${hours}` },
    firesAt: 12,
    labels: { deployment: 'delivery-worker' },
    summary: 'no pod of delivery-worker is ready',
    description: 'What it alone measures is not seen meanwhile: its other alerts are silent.',
  },
  {
    alert: 'TargetsAway',
    what: "compose's only container of a service is away",
    series: { [inCompose]: then(1, 0) },
    firesAt: 12,
    labels: { app_kubernetes_io_name: 'api', app_kubernetes_io_component: 'all' },
    summary: 'no process of api (all) answers Prometheus',
    description:
      'It is away, frozen or out of reach; what it measures is not seen meanwhile: its other alerts are silent.',
  },
  {
    alert: 'TargetsAway',
    what: 'every pod of a Deployment is frozen',
    series: { [answers('a')]: then(1, 0), [answers('b')]: then(1, 0) },
    firesAt: 12,
    labels: { app_kubernetes_io_name: 'delivery', app_kubernetes_io_component: 'http' },
    summary: 'no process of delivery (http) answers Prometheus',
    description:
      'It is away, frozen or out of reach; what it measures is not seen meanwhile: its other alerts are silent.',
  },
  {
    alert: 'CertificateEnds',
    what: 'a certificate that was not renewed 14 days before its end',
    series: { [certificate]: `${14 * 86_400 + 1_800}x${hours}` },
    firesAt: 91,
    labels: { name: 'gateway' },
    summary: 'the certificate gateway ends within 14 days',
    description: 'In 13d 22h 59m 0s.',
  },
  {
    alert: 'CertificateEnds',
    what: 'a renewed certificate that auth did not take in',
    series: { [served]: `${14 * 86_400 + 1_800}x${hours}` },
    firesAt: 91,
    labels: { app_kubernetes_io_name: 'auth' },
    summary: 'the certificate that auth serves ends within 14 days',
    description: 'In 13d 22h 59m 0s.',
  },
  {
    alert: 'BackupOld',
    what: 'the backup of the night did not come about',
    series: { [backup]: `${-(30 * 3_600 - 1_800)}x${hours}` },
    firesAt: 61,
    summary: 'there is no backup of the last 30 hours',
    description: 'The last is 1d 6h 31m 0s old.',
  },
]
