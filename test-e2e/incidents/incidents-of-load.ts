/** Incidents in which nothing is broken and something is too slow or too large: what is read comes late, or what is answered; what is stored stays. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditEntryMade } from '@wds/contracts/audit-events'
import { idRandomBytes, makeId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import type { Incident } from './incident.ts'
import type { IncidentRig } from './rig.ts'
import { keep, openSession } from './sessions.ts'

/** Above the lag at which ConsumerBehind fires, which is not made smaller here. */
const floodRecords = 60_000
const batchRecords = 2_000

/** One entry of the audit log, told again and again: it is kept once. */
async function flood({ stack, workspaces: [{ workspaceId }] }: IncidentRig): Promise<void> {
  const { brokers } = stack.kafka as KafkaBroker
  const log = createKafkaLog({ brokers: [brokers], clientId: 'import', partitions: 12 })
  const idOf = (prefix: 'evt' | 'aud') => makeId(prefix, Date.now(), randomBytes(idRandomBytes))
  const done = new Date().toISOString()
  const data: AuditEntryMade = {
    entry_id: idOf('aud'),
    workspace_id: workspaceId,
    done,
    actor: 'system:import',
    action: 'workspace_settings_changed',
    target: workspaceId,
    address: null,
    user_agent: null,
    request_id: 'req_import',
  }
  const type = 'AuditEntryMade'
  try {
    for (let sent = 0; sent < floodRecords; sent += batchRecords)
      await log.publish(
        Array.from({ length: batchRecords }, () => {
          const eventId = idOf('evt')
          const headers = { event_id: eventId, event_type: type, workspace_id: workspaceId }
          const payload = Buffer.from(JSON.stringify({ id: eventId, type, created: done, data }))
          return { topic: topics.auditEntries, key: workspaceId, eventId, headers, payload }
        }),
      )
  } finally {
    await log.close()
  }
}

export const incidentsOfLoad: readonly Incident[] = [
  {
    name: 'consumer-held',
    async inject(rig) {
      const session = await openSession(rig.stack.adminUrls.auth, 'psql')
      await session.query('begin')
      // A row for each partition that has been read, and room for none that has not.
      await session.query('lock table auth.positions in share mode')
      await flood(rig)
      return () => session.end()
    },
  },
  {
    name: 'old-snapshot',
    async inject({ stack }) {
      const session = await openSession(stack.adminUrls.delivery, 'psql')
      await session.query('begin isolation level repeatable read')
      await session.query('select count(*) from delivery.deliveries')
      return () => session.end()
    },
  },
  {
    name: 'stale-slot',
    async inject({ ask }) {
      await ask('api', "select pg_create_physical_replication_slot('old_replica', true)")
      // Segments of 16 MiB, until the alert's limit is passed: 250 MB here.
      for (let segment = 0; segment < 18; segment += 1)
        await ask('api', "select pg_switch_wal() from pg_logical_emit_message(false, 'incident', 'a word')")
      return () => ask('api', "select pg_drop_replication_slot('old_replica')")
    },
  },
  {
    name: 'locking-report',
    async inject({ stack }) {
      const session = await openSession(stack.adminUrls.api, 'report tool')
      const reporting = keep(async () => {
        await session.query('begin')
        await session.query('lock table api.integrations in access exclusive mode')
        await sleep(2_500)
        await session.query('commit')
      }, 300)
      return async () => {
        await reporting()
        await session.end()
      }
    },
  },
]
