/** THE KEY, not for who plays: what each incident looks like to somebody on call, and what they should say that it is. */
import type { ServiceName } from '@wds/provision/provision'
import { deskCommand } from './runbook.ts'

export interface AnswerKey {
  /** All of them fire. */
  alerts: string[]
  /** These may, too; whatever else fires is wrong. */
  follows: string[]
  /** Of packages/docs/runbook: where the cause is found. */
  page: string
  cause: string
  /** A command of the page, and what in its output shows the cause. */
  evidence: { command: string[]; shows: RegExp }
  /** What somebody reports, where no alert is meant to fire: the others do not notice. */
  ticket?: string
}

const kubectl = (line: string): string[] => deskCommand(line) ?? []
const call = (path: string): string[] => ['call', 'meridian', 'GET', path]
const sql = (service: ServiceName, statement: string): string[] => ['sql', service, statement]

export const answers: Record<string, AnswerKey> = {
  'hanging-endpoint': {
    alerts: [],
    follows: [],
    page: 'tickets.md',
    evidence: {
      command: call('/v1/webhooks/{contoso}/deliveries?status=failed&limit=20'),
      shows: /"last_error_code": "timeout"/,
    },
    cause:
      'The endpoint of Contoso takes requests and never answers: attempts end with timeout; nobody else is concerned.',
    ticket: 'Meridian: "Contoso says that it gets hardly any of our webhooks since a few minutes. Is it you?"',
  },
  'frozen-worker': {
    alerts: ['DeploymentUnavailable', 'TargetsAway'],
    follows: ['OutboxNotPublished', 'RelayWithoutLeader'],
    page: 'deployment-unavailable.md',
    evidence: {
      command: kubectl('kubectl -n workspace-data get pods -l app.kubernetes.io/part-of=workspace-data-service'),
      shows: /delivery-worker\t0\/1\tRunning/,
    },
    cause: 'The process of delivery-worker is stopped (SIGSTOP): it lives, holds its sessions and answers nothing.',
  },
  'database-away': {
    alerts: ['ErrorsHigh'],
    follows: ['RelayWithoutLeader', 'LoopsStuck', 'DeploymentUnavailable', 'OutboxNotPublished'],
    page: 'errors-high.md',
    evidence: {
      command: kubectl(
        'kubectl -n workspace-data logs -l app.kubernetes.io/name=auth,app.kubernetes.io/component=http --tail 50',
      ),
      shows: /ECONNREFUSED/,
    },
    cause: 'Nobody listens at the address of Postgres: connections are refused.',
  },
  'broker-away': {
    alerts: ['OutboxNotPublished'],
    follows: ['DeploymentUnavailable', 'LoopsStuck'],
    page: 'outbox-not-published.md',
    evidence: {
      command: kubectl(
        'kubectl -n workspace-data logs -l app.kubernetes.io/name=api,app.kubernetes.io/component=worker --since=10m --tail=-1',
      ),
      shows: /ECONNREFUSED/,
    },
    cause: 'Kafka is down: connections to the broker are refused.',
  },
  'poison-records': {
    alerts: ['ConsumerDeadLetters'],
    follows: [],
    page: 'consumer-dead-letters.md',
    evidence: {
      command: kubectl(
        'kubectl -n workspace-data exec deploy/delivery-worker -- /nodejs/bin/node --conditions=compiled dist/main.js dead-letters list --limit 20',
      ),
      shows: /no event of a workspace/,
    },
    cause: 'Three records of workspace.events whose payload is no JSON were put aside by the consumers.',
  },
  'auth-stopped': {
    alerts: ['DeploymentUnavailable', 'TargetsAway'],
    follows: [],
    page: 'deployment-unavailable.md',
    evidence: {
      command: kubectl('kubectl -n workspace-data get pods -l app.kubernetes.io/part-of=workspace-data-service'),
      shows: /auth-http\t0\/1\tnone/,
    },
    cause: 'auth-http is scaled to 0: no process of it runs.',
  },
  'tenant-burst': {
    alerts: [],
    follows: [],
    page: 'tickets.md',
    evidence: {
      command: kubectl(
        'kubectl -n workspace-data logs -l app.kubernetes.io/name=api,app.kubernetes.io/component=http --tail 500',
      ),
      shows: /"status":429[^\n]*"workspace_id"/,
    },
    cause:
      'A client of Bluewater asks a hundred times a second, where 600 a minute are its quota: its own calls are refused with 429.',
    ticket: 'Bluewater: "Nearly every call of ours fails since a few minutes. Are you down?"',
  },
  'connections-exhausted': {
    alerts: ['ErrorsHigh'],
    follows: ['RelayWithoutLeader', 'LoopsStuck', 'DeploymentUnavailable', 'OutboxNotPublished'],
    page: 'errors-high.md',
    evidence: {
      command: sql(
        'catalog',
        "select usename, application_name, state, count(*) from pg_stat_activity where backend_type = 'client backend' group by 1, 2, 3 order by 4 desc limit 10",
      ),
      shows: /"report tool"/,
    },
    cause: 'A report tool holds every connection of Postgres that is not reserved: too many clients already.',
  },
  'certificate-ends': {
    alerts: ['CertificateEnds'],
    follows: [],
    page: 'certificate-ends.md',
    evidence: { command: ['query', '(wds_certificate_end_timestamp_seconds - time()) / 86400'], shows: /} 4\.\d/ },
    cause: "The certificate that auth's internal listener serves ends in five days.",
  },
  'clock-ahead': {
    alerts: ['ClockOff'],
    follows: ['DeploymentUnavailable', 'ErrorsHigh'],
    page: 'clock-off.md',
    evidence: { command: ['query', 'wds_clock_off_seconds'], shows: /"auth-http"[^\n]*} (?:19|20)/ },
    cause: 'The clock of the host of auth-http is 20 s ahead, so that auth is not ready.',
  },
  'dead-letters': {
    alerts: ['DeadLettersRise'],
    follows: [],
    page: 'dead-letters-rise.md',
    evidence: {
      command: sql(
        'delivery',
        "select split_part(s.url, '/', 3) as host, d.last_error_code, d.last_status, count(*) from deliveries d join subscriptions s using (workspace_id, subscription_id) where d.dead > now() - interval '1 hour' group by 1, 2, 3 order by 4 desc limit 10",
      ),
      shows: /hooks\.fabrikam\.example[^}]*"http_status"[^}]*500/,
    },
    cause:
      'Eight subscriptions of Meridian lead to one host, hooks.fabrikam.example, which answers 500: theirs, not ours.',
  },
  'name-servers-away': {
    alerts: ['DeliveriesHeld'],
    follows: [],
    page: 'deliveries-held.md',
    evidence: {
      command: ['query', 'sum by (cause) (increase(wds_delivery_held_total[5m]))'],
      shows: /"unresolved"} [1-9]/,
    },
    cause:
      'The name servers of our own machines are out of reach: no name resolves, deliveries are held and use no attempt up.',
  },
  'refused-start': {
    alerts: ['PodsRestarting'],
    follows: ['DeploymentUnavailable', 'TargetsAway', 'OutboxNotPublished', 'RelayWithoutLeader'],
    page: 'pods-restarting.md',
    evidence: {
      command: kubectl('kubectl -n workspace-data logs api-worker --tail 20'),
      shows: /WDS_LOG_PARTITIONS/,
    },
    cause:
      'A release of api-worker has WDS_LOG_PARTITIONS=24 where 12 are stored: its start is refused again and again.',
  },
  'import-floods': {
    alerts: ['SyncsDelayed'],
    follows: [],
    page: 'syncs-delayed.md',
    evidence: {
      command: sql(
        'api',
        "select workspace_id, 'upload' as what, status, count(*), min(created) as oldest from imports where status in ('queued', 'running') group by 1, 3 union all select workspace_id, trigger, status, count(*), min(created) from sync_runs where trigger != 'upload' and status in ('queued', 'running', 'retry_wait') group by 1, 2, 3 order by 4 desc limit 10",
      ),
      shows: /"what": "upload",\s*"status": "queued"/,
    },
    cause: 'Bluewater uploaded thirty files of 80,000 rows at once: its own later files wait for the earlier ones.',
  },
  'wrong-secret': {
    alerts: [],
    follows: [],
    page: 'tickets.md',
    evidence: {
      command: call('/v1/webhooks/{northwind}/deliveries?status=failed&limit=20'),
      shows: /"last_status": 401/,
    },
    cause: 'Northwind verifies with another secret than the one of its subscription: each of its answers is 401.',
    ticket:
      'Meridian: "Northwind rotated something this morning and says that our webhooks are forged. Nothing changed here."',
  },
  'forgotten-transaction': {
    alerts: ['DeliveriesNotClaimed'],
    follows: ['LoopsStuck', 'ConsumerBehind', 'SnapshotOld'],
    page: 'deliveries-not-claimed.md',
    evidence: {
      command: sql(
        'delivery',
        "select pid, usename, application_name, state, now() - xact_start as open_for, left(query, 80) as query from pg_stat_activity where now() - xact_start > interval '30 seconds' order by xact_start",
      ),
      shows: /"psql"[^}]*idle in transaction/,
    },
    cause: 'A psql session left a transaction open that holds locks on every lane: no delivery is claimed.',
  },
  'relay-held': {
    alerts: ['RelayWithoutLeader'],
    follows: ['OutboxNotPublished'],
    page: 'relay-without-leader.md',
    evidence: {
      command: sql(
        'api',
        "select a.pid, a.application_name, a.client_addr, a.client_port, a.backend_start from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted and a.application_name like 'leader relay:%' order by a.backend_start",
      ),
      shows: /leader relay:api/,
    },
    cause: "A session of no process holds the lock of api's relay.",
  },
  'old-snapshot': {
    alerts: ['SnapshotOld'],
    follows: [],
    page: 'snapshot-old.md',
    evidence: {
      command: sql(
        'delivery',
        'select pid, usename, application_name, client_addr, state, now() - xact_start as open_for, greatest(age(backend_xid), age(backend_xmin)) as behind, left(query, 80) as query from pg_stat_activity where greatest(age(backend_xid), age(backend_xmin)) is not null and pid != pg_backend_pid() and (datname is null or datname = current_database()) and pid not in (select v.pid from pg_stat_progress_vacuum v) order by behind desc limit 5',
      ),
      shows: /"psql"[^}]*idle in transaction/,
    },
    cause:
      'A psql session reads from a snapshot of its own and was left open: it locks nothing, and no row that was removed since can be cleared away.',
  },
  'stale-slot': {
    alerts: ['SlotHoldsWal'],
    follows: [],
    page: 'slot-holds-wal.md',
    evidence: {
      command: sql(
        'api',
        'select slot_name, slot_type, active, wal_status, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) as kept, age(xmin) as held_ids, pg_size_pretty(safe_wal_size) as left_until_lost from pg_replication_slots order by restart_lsn',
      ),
      shows: /"old_replica"[^}]*"active": false/,
    },
    cause: 'The replication slot old_replica is read by nobody: Postgres keeps all WAL for it.',
  },
  'no-backup': {
    alerts: ['BackupOld'],
    follows: [],
    page: 'backup-old.md',
    evidence: {
      command: ['query', '(time() - max(cnpg_collector_last_available_backup_timestamp)) / 3600'],
      shows: /} 31\.?\d*/,
    },
    cause: 'The last backup is 31 hours old: that of the night did not come about.',
  },
  'consumer-held': {
    alerts: ['ConsumerBehind'],
    follows: ['LoopsStuck', 'DeploymentUnavailable', 'TargetsAway'],
    page: 'consumer-behind.md',
    evidence: {
      command: sql(
        'auth',
        "select pid, usename, application_name, state, now() - xact_start as open_for, left(query, 80) as query from pg_stat_activity where now() - xact_start > interval '30 seconds' order by xact_start",
      ),
      shows: /"psql"[^}]*idle in transaction/,
    },
    cause:
      'A psql session left a transaction open that holds the positions of auth: nothing that it reads takes effect.',
  },
  'locking-report': {
    alerts: ['AnswersSlow'],
    follows: ['ErrorsHigh', 'LoopsStuck', 'SyncsDelayed'],
    page: 'answers-slow.md',
    evidence: {
      command: sql(
        'api',
        "select application_name, state, wait_event_type, wait_event, left(query, 80) as query from pg_stat_activity where state != 'idle'",
      ),
      shows: /"Lock"[^}]*"relation"/,
    },
    cause: 'A report tool locks the integrations for seconds, again and again: calls that read them wait.',
  },
  'loops-stuck': {
    alerts: ['LoopsStuck'],
    follows: [
      'WorkStuck',
      'DeploymentUnavailable',
      'TargetsAway',
      'SyncsDelayed',
      'OutboxNotPublished',
      'RelayWithoutLeader',
    ],
    page: 'loops-stuck.md',
    evidence: {
      command: kubectl("kubectl -n workspace-data logs api-worker --tail=-1 | grep 'have not moved'"),
      shows: /"loops":\["sync-files"\][^\n]*have not moved/,
    },
    cause: 'Reading of uploaded files hangs in api-worker: a defect; a restart goes on without it.',
  },
  'work-stuck': {
    alerts: ['WorkStuck'],
    follows: ['DeploymentUnavailable', 'TargetsAway', 'SyncsDelayed', 'OutboxNotPublished', 'RelayWithoutLeader'],
    page: 'work-stuck.md',
    evidence: { command: ['query', 'max by (pod) (wds_work_stuck)'], shows: /"api-worker"} 1$/m },
    cause:
      "An uploaded file of Meridian hangs in one of api-worker's two places: a defect; the other goes on, and a restart without the defect ends it.",
  },
  'lost-records': {
    alerts: ['LogLostRecords'],
    follows: ['OutboxNotPublished', 'DeploymentUnavailable'],
    page: 'log-lost-records.md',
    evidence: {
      command: kubectl(
        "kubectl -n workspace-data logs -l app.kubernetes.io/name=delivery,app.kubernetes.io/component=worker --tail 500 | grep 'records are lost'",
      ),
      shows: /records are lost/,
    },
    cause: 'Kafka came back without its records.',
  },
}

/** A busy machine makes it, whatever the incident. */
export const excused: readonly string[] = ['AnswersSlow']
