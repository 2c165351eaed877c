/** How large the queues become while something is done, what of them is dead rows, and what the metrics of the services say of old snapshots. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from '@wds/provision/provision'
import type { Rig } from '../rig/rig.ts'

/** Tables from which rows are removed, or that are rewritten, all the time; each with the dead rows at which autovacuum begins. */
export const queues: Readonly<Record<string, number>> = {
  'api.outbox': 1_000,
  'delivery.outbox': 1_000,
  'delivery.fan_out_queue': 5_000,
  'delivery.due': 10_000,
  'delivery.leases': 5_000,
  'delivery.lanes': 1_000,
  'delivery.positions': 1_000,
  'delivery.event_log_heads': 1_000,
  'log.heads': 1_000,
  'log.claims': 1_000,
}

type Asked = Pick<Rig, 'ask' | 'services'>

interface Queue {
  name: string
  /** With its indexes. */
  bytes: number
  dead: number
}

/** As the database has them, all of which are in one: the log is in Postgres. @throws Error where one is missing: it would be judged by nobody. */
export async function readQueues({ ask }: Pick<Rig, 'ask'>): Promise<Queue[]> {
  const found = await ask<Queue>(
    'api',
    `select schemaname || '.' || relname as name, pg_total_relation_size(relid)::float8 as bytes, n_dead_tup::float8 as dead
       from pg_stat_user_tables where schemaname || '.' || relname = any($1)`,
    [Object.keys(queues)],
  )
  const missing = Object.keys(queues).filter((name) => !found.some((one) => one.name === name))
  if (missing.length > 0) throw new Error(`no such table: ${missing.join(', ')}`)
  return found
}

async function outboxAgeMs({ ask }: Pick<Rig, 'ask'>): Promise<number> {
  const [row] = await ask<{ ms: number | null }>(
    'api',
    `select (select extract(epoch from clock_timestamp() - put_at) * 1000 from api.outbox order by id limit 1)::float8 as ms`,
  )
  return row?.ms ?? 0
}

export interface SnapshotMetrics {
  /** Ages of what holds vacuum back, s. */
  transaction: number
  slot: number
  slotWalBytes: number
}

/** At `/metrics` of the worker of a service; NaN where it shows none. */
export async function snapshotMetricsOf(
  { services }: Pick<Rig, 'services'>,
  service: ServiceName,
): Promise<SnapshotMetrics> {
  const page = await (await fetch(`${services[service].managementUrl}/metrics`)).text()
  const numberOf = (name: string, label = '') =>
    Number(new RegExp(`^${name}(?:\\{[^}]*${label}[^}]*\\})? (\\S+)`, 'm').exec(page)?.[1])
  const age = (holder: string) => numberOf('wds_postgres_oldest_snapshot_age_seconds', `holder="${holder}"`)
  return { transaction: age('transaction'), slot: age('slot'), slotWalBytes: numberOf('wds_postgres_slot_wal_bytes') }
}

export interface Watched {
  /** The largest that was seen, by queue. */
  bytes: Record<string, number>
  dead: Record<string, number>
  /** The oldest row that waited in the API's outbox, ms. */
  outboxAgeMs: number
}

/** Looks twice a second. */
export async function watchQueuesWhile(rig: Asked, during: () => Promise<unknown>): Promise<Watched> {
  const watched: Watched = { bytes: {}, dead: {}, outboxAgeMs: 0 }
  let isOver = false
  const look = async () => {
    for (const { name, bytes, dead } of await readQueues(rig)) {
      watched.bytes[name] = Math.max(watched.bytes[name] ?? 0, bytes)
      watched.dead[name] = Math.max(watched.dead[name] ?? 0, dead)
    }
    watched.outboxAgeMs = Math.max(watched.outboxAgeMs, await outboxAgeMs(rig))
    // Ages count from the first reading on: somebody has to read.
    await Promise.all([snapshotMetricsOf(rig, 'api'), snapshotMetricsOf(rig, 'delivery')])
  }
  const watching = (async () => {
    do {
      await look()
      await sleep(500)
    } while (!isOver)
  })()
  await Promise.all([
    watching,
    during().finally(() => {
      isOver = true
    }),
  ])
  return watched
}

/** For people: what became of each queue, against what it usually is. */
export function compared(usual: Watched, held: Watched): string {
  const kib = (bytes = 0) => `${Math.round(bytes / 1_024)}`
  const names = Object.keys(queues).filter((name) => held.bytes[name] !== undefined)
  const lines = names.map((name) => {
    const times = ((held.bytes[name] ?? 0) / (usual.bytes[name] ?? 1)).toFixed(1)
    return `${name} ${kib(usual.bytes[name])} to ${kib(held.bytes[name])} KiB (${times} x, ${held.dead[name]} dead)`
  })
  return lines.join(', ')
}
