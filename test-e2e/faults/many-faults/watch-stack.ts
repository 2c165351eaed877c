/**
 * Looks at a running stack again and again, beside the load and the faults: what processes and queues hold (I22), and whether the rows are
 * the folds of their streams in one snapshot (I12). It asks Postgres itself, not through the proxies. What cannot be asked during a fault
 * is left out; that it was asked often enough is the checker's to say.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import pg from 'pg'
import type { Sample } from '../checkers/resource-checker.ts'
import { type RowHistory, rowBreachesOf } from '../checkers/row-checker.ts'
import type { Rig } from '../rig/rig.ts'

export interface Watched {
  samples: Sample[]
  /** Snapshots whose rows were compared, and what was wrong in them. */
  snapshots: number
  breaches: string[]
}

/** Processes tell this of themselves on Linux alone. */
const tellsOfProcesses = process.platform === 'linux'
const mebi = 1_048_576

/**
 * What is allowed. Memory: what `deploy/compose` gives each. Descriptors: those of F63. Sockets: the pools, 64 to the receiver, the callers.
 * Sessions: twice what the service declares, since those of a killed process may end later than those of the next one begin.
 */
const ofProcesses: Record<string, Record<ServiceName, number>> = {
  'MiB of memory': { auth: 1_024, api: 1_536, catalog: 256, delivery: 1_024 },
  descriptors: { auth: 256, api: 256, catalog: 256, delivery: 256 },
  sockets: { auth: 128, api: 128, catalog: 128, delivery: 192 },
}
const sessions: Record<ServiceName, number> = { auth: 50, api: 100, catalog: 30, delivery: 64 }

/** The one subscription has at most 64 in flight (rig.ts); 20 changes a second wait for 5 minutes at most. */
const waitingMax = 6_000
const queues: Record<string, { service: ServiceName; sql: string; limit: number }> = {
  ...Object.fromEntries(
    serviceNames.map((service) => [
      `rows in the outbox of ${service}`,
      { service, sql: `select count(*) from ${service}.outbox`, limit: waitingMax },
    ]),
  ),
  'rows before the fan-out': {
    service: 'delivery',
    sql: 'select count(*) from delivery.fan_out_queue',
    limit: waitingMax,
  },
  'due deliveries': { service: 'delivery', sql: 'select count(*) from delivery.due', limit: waitingMax },
  'leased deliveries of a subscription': {
    service: 'delivery',
    sql: 'select coalesce(max(n), 0) from (select count(*) as n from delivery.leases group by subscription_id) l',
    limit: 64,
  },
  'MiB of the queues of delivery': {
    service: 'delivery',
    sql: `select sum(pg_total_relation_size(format('delivery.%I', name))) / ${mebi}
            from unnest(array['outbox', 'due', 'leases', 'lanes', 'fan_out_queue']) name`,
    limit: 64,
  },
}

export const resourceLimits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    Object.entries(tellsOfProcesses ? ofProcesses : {}).flatMap(([figure, limits]) =>
      serviceNames.map((service) => [`${figure} of ${service}`, limits[service]]),
    ),
  ),
  ...Object.fromEntries(serviceNames.map((service) => [`sessions of ${service}`, sessions[service]])),
  ...Object.fromEntries(Object.entries(queues).map(([what, { limit }]) => [what, limit])),
}

const [leastPauseMs, mostPauseMs] = [500, 1_500]
/** A question to a database that does not answer is given up, ms. */
const askMs = 3_000

/** Looks on until `during` is over. */
export async function watchWhile<T>(rig: Rig, watched: Watched, during: () => Promise<T>): Promise<T> {
  const pools = new Map(serviceNames.map((service) => [service, openPool(rig.stack.adminUrls[service])]))
  const ask = async (service: ServiceName, sql: string, values: unknown[] = []) =>
    (await pools.get(service)?.query(sql, values))?.rows ?? []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      await look(rig, watched, ask)
      await sleep(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs))
    }
  })()
  try {
    return await during()
  } finally {
    isOver = true
    await watching
    await Promise.all([...pools.values()].map((pool) => pool.end()))
  }
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: askMs, query_timeout: askMs })
  pool.on('error', () => undefined)
  return pool
}

type AskAll = (service: ServiceName, sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

async function look(rig: Rig, watched: Watched, ask: AskAll): Promise<void> {
  const note = (what: string, value: number) => watched.samples.push({ what, atMs: Date.now(), value })
  for (const service of tellsOfProcesses ? serviceNames : []) {
    const found = readProcess(rig.services[service].pid)
    if (found === null) continue
    for (const [figure, value] of Object.entries(found)) note(`${figure} of ${service}`, value)
  }
  await Promise.all([
    ...Object.entries(queues).map(async ([what, { service, sql }]) => {
      const [row] = await ask(service, sql).catch(() => [])
      if (row !== undefined) note(what, Number(Object.values(row)[0]))
    }),
    ask('api', "select usename as name, count(*)::int as n from pg_stat_activity where usename like 'wds_%' group by 1")
      .then((rows) => {
        for (const service of serviceNames) {
          const own = rows.filter(({ name }) => name === `wds_${service}` || String(name).startsWith(`wds_${service}_`))
          note(
            `sessions of ${service}`,
            own.reduce((sum, { n }) => sum + Number(n), 0),
          )
        }
      })
      .catch(() => undefined),
    readSnapshot(rig, ask).then((snapshot) => {
      if (snapshot === null) return
      watched.snapshots += 1
      watched.breaches.push(...rowBreachesOf(snapshot).map((breach) => `${breach}, in a snapshot under load`))
    }),
  ])
}

/** Null: it is gone, or goes. */
function readProcess(pid: number): Record<string, number> | null {
  try {
    const memory = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const descriptors = readdirSync(`/proc/${pid}/fd`)
    if (memory === undefined) return null
    const sockets = descriptors.filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:'))
    return {
      'MiB of memory': Number(memory) / 1_024,
      descriptors: descriptors.length,
      sockets: sockets.length,
    }
  } catch {
    return null
  }
}

/** One that was closed meanwhile leads nowhere. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** One integration, that a single statement sees as of one moment; null where the database is away. */
async function readSnapshot(rig: Rig, ask: AskAll): Promise<RowHistory | null> {
  const id = rig.integrations[Math.floor(Math.random() * rig.integrations.length)]
  const [row] = await ask('api', snapshotOf('= $2'), [rig.workspaceId, id]).catch(() => [])
  return row === undefined ? null : (row as unknown as RowHistory)
}

/** All integrations of the workspace, when nothing moves any more. */
export async function rowsAtTheEnd({ ask, workspaceId }: Pick<Rig, 'ask' | 'workspaceId'>): Promise<RowHistory> {
  const [row] = await ask<RowHistory>('api', snapshotOf('is not null'), [workspaceId])
  if (row === undefined || row.rows.length === 0) throw new Error('there are no integrations to judge')
  return row
}

const snapshotOf = (condition: string) => `
  select (select coalesce(json_agg(json_build_object('streamId', stream_id, 'version', version, 'type', event_type, 'data', data)
                                   order by stream_id, version), '[]')
            from api.stream_events
           where workspace_id = $1 and stream_type = 'integration' and stream_id ${condition}) as events,
         (select coalesce(json_agg(json_build_object('id', id, 'version', version, 'status', status, 'tags', tags, 'fields', state->'fields')), '[]')
            from api.integrations where workspace_id = $1 and id ${condition}) as rows`
