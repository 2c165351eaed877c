/** What can go wrong, and how it is undone. What somebody on call should find stands in answers.ts, apart from here. */
import { randomBytes } from 'node:crypto'
import { idRandomBytes, makeId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import type { ServiceName } from '@wds/provision/provision'
import { generateSecret } from '@wds/webhook-signature/secret'
import type pg from 'pg'
import { eventually } from '../harness/standalone.ts'
import type { Incident } from './incident.ts'
import { incidentsOfDefects } from './incidents-of-defects.ts'
import { incidentsOfLoad } from './incidents-of-load.ts'
import type { IncidentRig } from './rig.ts'
import { keep, openSession } from './sessions.ts'

/** An operator's command of a service. */
async function runHere({ stack }: IncidentRig, service: ServiceName, args: string[]): Promise<void> {
  const { code, output } = await stack.run(service, args)
  if (code !== 0) throw new Error(`${service} ${args.join(' ')}: ${output.slice(-1_000)}`)
}

/** As packages/docs/how-to/bring-back-lost-records.md has it. */
async function bringBack(rig: IncidentRig): Promise<void> {
  const run = (service: ServiceName, ...args: string[]) => runHere(rig, service, args)
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
  for (const [service, topic] of [
    ['auth', 'auth.events'],
    ['api', 'workspace.events'],
    ['delivery', 'workspace.events'],
    ['api', 'audit.entries'],
    ['catalog', 'catalog.event-types'],
  ] as const)
    await run(service, 'republish', '--topic', topic, '--from', dayAgo, '--to', new Date().toISOString())
  for (const [consumer, topic] of Object.entries({
    'auth.keys': 'auth.events',
    'api.keys': 'auth.events',
    'api.auth': 'auth.events',
    'delivery.keys': 'auth.events',
    'delivery.auth': 'auth.events',
    'delivery.ingest': 'workspace.events',
    'api.automation': 'workspace.events',
    'auth.key-uses': 'access.used',
    'auth.audit': 'audit.entries',
  }))
    await run(consumer.split('.')[0] as ServiceName, 'read-again', '--consumer', consumer, '--topic', topic)
}

const incident = (name: string, inject: Incident['inject']): Incident => ({ name, inject })

const broker = (rig: IncidentRig) => rig.stack.kafka as KafkaBroker

export const incidents: readonly Incident[] = [
  incident('hanging-endpoint', async ({ partners }) => {
    partners.contoso.receiver.setMode('hang')
    return async () => partners.contoso.receiver.setMode('ok')
  }),

  incident('frozen-worker', async ({ fleet }) => {
    const frozen = fleet.process('delivery-worker')?.pid as number
    process.kill(frozen, 'SIGSTOP')
    return async () => {
      // It may have been replaced by whoever is on call.
      if (fleet.process('delivery-worker')?.pid === frozen) process.kill(frozen, 'SIGCONT')
    }
  }),

  incident('database-away', async ({ database }) => {
    await database.refuse()
    return () => database.pass()
  }),

  incident('broker-away', async (rig) => {
    await broker(rig).kill()
    return () => broker(rig).start()
  }),

  incident('poison-records', async (rig) => {
    const log = createKafkaLog({ brokers: [broker(rig).brokers], clientId: 'unknown', partitions: 12 })
    try {
      const key = rig.workspaces[1].workspaceId
      const records = Array.from({ length: 3 }, () => {
        const eventId = makeId('evt', Date.now(), randomBytes(idRandomBytes))
        // Without the workspace and the type that every event of ours bears.
        return {
          topic: topics.workspaceEvents,
          key,
          eventId,
          headers: { event_id: eventId },
          payload: Buffer.from('{'),
        }
      })
      await log.publish(records)
    } finally {
      await log.close()
    }
    // Nothing can mend them: they are given up, by each service whose consumers met them.
    return async () => {
      for (const [service, consumer] of [
        ['delivery', 'delivery.ingest'],
        ['api', 'api.automation'],
      ] as const)
        await runHere(rig, service, ['dead-letters', 'dismiss', '--consumer', consumer])
    }
  }),

  incident('auth-stopped', async ({ fleet }) => {
    await fleet.scale('auth-http', 0)
    return () => fleet.scale('auth-http', 1)
  }),

  incident('tenant-burst', async ({ workspaces: [, { client }] }) => {
    // 100 calls a second, where 600 a minute are its quota; 10,000 at most.
    let left = 10_000
    return keep(async () => {
      if (left <= 0) return
      left -= 20
      await Promise.all(Array.from({ length: 20 }, () => client('/v1/integrations')))
    }, 200)
  }),

  incident('connections-exhausted', async ({ stack, ask }) => {
    const held: pg.Client[] = []
    const url = stack.urls.catalog.http
    const take = () => openSession(url, 'report tool').then((client) => held.push(client))
    // Services hold what they have: their next connections are the ones that fail.
    const end = () =>
      ask(
        'catalog',
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and usename <> 'postgres'
           and application_name <> 'report tool'`,
      )
    const taking = keep(async () => {
      await end()
      while (held.length < 250) await take()
    }, 1_000)
    return async () => {
      await taking()
      await Promise.all(held.map((client) => client.end()))
    }
  }),

  incident('certificate-ends', async (rig) => {
    rig.writeCertificate(5)
    return async () => rig.writeCertificate(90)
  }),

  incident('clock-ahead', async (rig) => {
    rig.setClock('auth-http', 20)
    return async () => rig.setClock('auth-http', 0)
  }),

  incident('dead-letters', async ({ workspaces: [{ client }], partners: { fabrikam } }) => {
    const ids: string[] = []
    for (let nth = 0; nth < 8; nth += 1) {
      const json = { url: `${fabrikam.origin}/status/500/${nth}`, events: ['integration.updated'] }
      const { status, body } = await client('/v1/webhooks', { json })
      if (status !== 201) throw new Error(`the subscription was refused: ${JSON.stringify(body)}`)
      ids.push(body.id)
    }
    return async () => {
      for (const id of ids) await client(`/v1/webhooks/${id}`, { method: 'DELETE' })
    }
  }),

  incident('name-servers-away', async ({ nameServer }) => {
    await nameServer.leave()
    return () => nameServer.come()
  }),

  incident('refused-start', async ({ fleet }) => {
    await fleet.rollOut('api-worker', { WDS_LOG_PARTITIONS: '24' })
    return () => fleet.rollOut('api-worker')
  }),

  incident('import-floods', async ({ workspaces: [, { client }], ask }) => {
    const line = (nth: number) => `2026-10-${String(1 + (nth % 28)).padStart(2, '0')},c${nth},DE,1,0,0.00`
    const lines = Array.from({ length: 80_000 }, (_, nth) => line(nth))
    const text = `date,campaign,country,clicks,ftds,deposits_amount\n${lines.join('\n')}\n`
    const taken: string[] = []
    for (let file = 0; file < 30; file += 1) {
      // One at a time of each integration.
      const json = { name: `archive ${file}`, provider: 'csv_upload', brand_slug: `archive-${file}`, currency: 'EUR' }
      const { body } = await client('/v1/integrations', { json })
      const path = `/v1/imports?type=stats&integration_id=${body.id}`
      await eventually('the file is taken', async () => {
        const { status, body } = await client(path, { text, headers: { 'content-type': 'text/csv' } })
        if (status === 202) taken.push(body.id)
        return status === 202
      })
    }
    return async () => {
      // Its owner cancels them; other uploads of the load may wait behind those that are being read.
      for (const id of taken) await client(`/v1/imports/${id}/cancel`, { method: 'POST' })
      await eventually(
        'nothing waits any more',
        async () => {
          const rows = await ask<{ n: number }>(
            'api',
            `select count(*)::int as n from api.imports
              where status in ('queued', 'running') and created < now() - interval '30 seconds'`,
          )
          return rows[0]?.n === 0
        },
        600_000,
      )
    }
  }),

  incident('wrong-secret', async ({ partners: { northwind } }) => {
    northwind.receiver.setSecret(generateSecret(randomBytes(24)))
    return async () => northwind.receiver.setSecret(northwind.secret)
  }),

  incident('forgotten-transaction', async ({ stack }) => {
    const session = await openSession(stack.adminUrls.delivery, 'psql')
    await session.query('begin')
    await session.query('select subscription_id from delivery.lanes order by 1 for update')
    return () => session.end()
  }),

  incident('relay-held', async ({ stack, ask }) => {
    const key = `leader:relay:api`
    const session = await openSession(stack.adminUrls.api, 'leader relay:api')
    // Waits in the queue of the lock, so that it has it before any worker asks again.
    const taking = session.query('select pg_advisory_lock(hashtextextended($1, 0))', [key])
    await eventually('it waits', async () => {
      const rows = await ask(
        'api',
        `select pg_terminate_backend(holder.pid) from pg_locks waiting
           join pg_locks holder on holder.locktype = 'advisory' and holder.granted and holder.objid = waiting.objid
                and holder.classid = waiting.classid and holder.database = waiting.database
          where waiting.locktype = 'advisory' and not waiting.granted`,
      )
      return rows.length > 0
    })
    await taking
    return () => session.end().catch(() => undefined)
  }),

  incident('lost-records', async (rig) => {
    await broker(rig).wipe()
    await broker(rig).start()
    return () => bringBack(rig)
  }),

  incident('no-backup', async ({ fleet }) => {
    // CloudNativePG itself is not here: what it would tell is.
    const hoursAgo = (hours: number) => Math.floor(Date.now() / 1_000) - hours * 3_600
    fleet.setLastBackup(hoursAgo(31))
    return async () => fleet.setLastBackup(hoursAgo(1))
  }),

  ...incidentsOfLoad,
  ...incidentsOfDefects,
]
