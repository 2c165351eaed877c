/** What the stores of a stack hold, for the checker: read as the superuser, once nothing moves any more. */
import { serviceNames } from '@wds/provision/provision'
import type { Ask } from '../../harness/ask.ts'
import { eventually } from '../../harness/standalone.ts'
import type { Attempt, History } from '../checkers/checker.ts'
import type { LatenessHistory } from '../checkers/lateness-checker.ts'

/** A drain takes so long at most (reliability.md 4), ms. */
export const drainMs = 120_000

/** Of the specification, in milliseconds. */
export const delaysMs = [30, 120, 600, 3_600, 21_600].map((seconds) => seconds * 1_000)

/** Ids of the changes of the workspace's integrations, by integration. */
export async function readFacts(ask: Ask, workspaceId: string): Promise<Map<string, string[]>> {
  const rows = await ask<{ stream_id: string; event_id: string }>(
    'api',
    `select stream_id, event_id from api.stream_events
      where workspace_id = $1 and stream_type = 'integration' and version > 1 order by version`,
    [workspaceId],
  )
  return idsBy(rows.map(({ stream_id, event_id }) => [stream_id, event_id]))
}

/** What each of these changes said, by its event. */
async function readSaid(ask: Ask, workspaceId: string): Promise<History['said']> {
  const rows = await ask<{ id: string; name: string | null; tag: string | null }>(
    'api',
    `select event_id as id, data->'patch'->>'name' as name, data->'patch'->'tags'->>0 as tag from api.stream_events
      where workspace_id = $1 and stream_type = 'integration' and version > 1`,
    [workspaceId],
  )
  return new Map(rows.map(({ id, name, tag }) => [id, { name, tag }]))
}

/** Requests that the log of deliveries tells of, by event; a request that a connection swallowed is made twice in one attempt (F33). */
async function readSent(ask: Ask, workspaceId: string): Promise<History['sent']> {
  const rows = await ask<{ id: string; n: number }>(
    'delivery',
    `select d.event_id as id, (count(*) + count(*) filter (where l.repeated))::int as n
       from delivery.delivery_log l join delivery.deliveries d using (workspace_id, delivery_id)
      where l.workspace_id = $1 and l.kind like 'attempt_%' group by 1`,
    [workspaceId],
  )
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** The record of an attempt may come a moment after its answer. */
export function settledDeliveries(ask: Ask, workspaceId: string): Promise<History['deliveries']> {
  return eventually(
    'every delivery is settled',
    async () => {
      const rows = await ask<History['deliveries'][number]>(
        'delivery',
        `select event_id as "eventId", status from delivery.deliveries
          where workspace_id = $1 and event_type = 'integration.updated'`,
        [workspaceId],
      )
      return rows.every(({ status }) => status === 'delivered' || status === 'dead') && rows
    },
    drainMs,
  )
}

export function readAttempts(ask: Ask, workspaceId: string): Promise<Attempt[]> {
  return ask<Attempt>(
    'delivery',
    `select delivery_id as "deliveryId", epoch, attempt as number, kind = 'attempt_unknown' as "isUnknown",
            kind = 'attempt_succeeded' as "hasSucceeded", ${ms('started')} as "startedMs", ${ms('at')} as "endedMs"
       from delivery.delivery_log
      where workspace_id = $1 and kind in ('attempt_succeeded', 'attempt_failed', 'attempt_unknown')`,
    [workspaceId],
  )
}

/** All of them, with what is on the log and at the receiver: each is read behind what must have come before it. */
export async function readHistory(
  ask: Ask,
  workspaceId: string,
  o: { log(facts: History['facts']): Promise<History['log']>; arrivals(): Promise<string[]> },
): Promise<Pick<History, 'facts' | 'said' | 'log' | 'arrivals' | 'deliveries' | 'attempts' | 'sent'>> {
  const facts = await readFacts(ask, workspaceId)
  return {
    facts,
    said: await readSaid(ask, workspaceId),
    log: await o.log(facts),
    arrivals: await o.arrivals(),
    deliveries: await settledDeliveries(ask, workspaceId),
    attempts: await readAttempts(ask, workspaceId),
    sent: await readSent(ask, workspaceId),
  }
}

/** When each attempt was due and began, and what waits for one. */
export async function readLateness(
  ask: Ask,
  workspaceId: string,
): Promise<Pick<LatenessHistory, 'attempts' | 'waiting' | 'readMs'>> {
  const attempts = await ask<LatenessHistory['attempts'][number]>(
    'delivery',
    `select delivery_id as "deliveryId", attempt as number, ${ms('due')} as "dueMs", ${ms('started')} as "startedMs"
       from (select *, lag(coalesce(next_attempt, at)) over (partition by delivery_id order by seq) as due
               from delivery.delivery_log where workspace_id = $1) l
      where kind like 'attempt_%' and started is not null`,
    [workspaceId],
  )
  const waiting = await ask<LatenessHistory['waiting'][number]>(
    'delivery',
    `select delivery_id as "deliveryId", ${ms('due_at')} as "dueMs"
       from (select delivery_id, due_at from delivery.due where workspace_id = $1
             union all select delivery_id, due_at from delivery.leases where workspace_id = $1) w`,
    [workspaceId],
  )
  return { attempts, waiting, readMs: Date.now() }
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** Rows in the outbox of each service. */
export async function outboxRows(ask: Ask): Promise<Record<string, number>> {
  const counts = serviceNames.map(async (service) => {
    const [row] = await ask<{ n: number }>(service, `select count(*)::int as n from ${service}.outbox`)
    return [service, row?.n ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

/** The same once they are empty, or after a drain has taken as long as it may: services announce of themselves, too (uses of keys). */
export function outboxRowsAfterDrain(ask: Ask, withinMs = drainMs): Promise<Record<string, number>> {
  const empty = async () => {
    const rows = await outboxRows(ask)
    return Object.values(rows).every((n) => n === 0) && rows
  }
  return eventually('nothing waits in an outbox', empty, withinMs).catch(() => outboxRows(ask))
}

export function idsBy(pairs: [key: string, id: string][]): Map<string, string[]> {
  return new Map([...Map.groupBy(pairs, ([key]) => key)].map(([key, list]) => [key, list.map(([, id]) => id)]))
}
