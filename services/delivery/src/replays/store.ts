// Opens epochs and makes missing deliveries, under the locks of their lanes, and keeps which epochs a bulk replay opened until their
// outcome is counted. What may be replayed is judged again under those locks.
import { idDay } from '@wds/contracts/ids'
import type { Pool, Queryable } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { Outcomes } from './domain/replay.ts'

/** In `due` live traffic goes first; a single Retry counts as live. */
export const priorities = { live: 0, bulk: 1 } as const

/** The ids of those that were opened; the others were under way, open or in a parked lane by then. None may be expired. */
export async function openEpochs(
  tx: Transaction,
  o: { ids: string[]; priority: number; requestedBy: string },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'replay',
    text: 'select id from replay($1, $2, $3, $4::smallint, $5) id',
    values: [tx.workspaceId, o.ids.map(idDay), o.ids, o.priority, o.requestedBy],
  })
  return rows.map(({ id }) => id)
}

/** A delivery to make of an event that is stored. */
export interface DeliveryToMake {
  deliveryId: string
  eventId: string
  type: string
}

/** The ids of those that were made, of events none of which may be expired; null when the subscriptions are not those of `version` any more, or the lane is parked. */
export async function makeMissing(
  tx: Transaction,
  o: { subscriptionId: string; version: string; deliveries: DeliveryToMake[]; requestedBy: string },
): Promise<string[] | null> {
  const { deliveries } = o
  const { rows } = await tx.query<{ made: string[] | null }>({
    name: 'deliver-missing',
    text: 'select deliver_missing($1, $2, $3, $4, $5, $6, $7, $8::smallint, $9) as made',
    values: [
      ...[tx.workspaceId, o.subscriptionId, o.version, deliveries.map(({ eventId }) => idDay(eventId))],
      ...[deliveries.map(({ eventId }) => eventId), deliveries.map(({ type }) => type)],
      ...[deliveries.map(({ deliveryId }) => deliveryId), priorities.bulk, o.requestedBy],
    ],
  })
  return rows[0]?.made ?? null
}

/** Keeps the epochs that a replay has opened. Primary key of deliveries: `limit` keeps it a lookup, as in store-walk.ts. */
export async function keepEpochs(tx: Transaction, replayId: string, ids: string[]): Promise<void> {
  await tx.query({
    name: 'replay-keep',
    text: `insert into replay_epochs (workspace_id, replay_id, delivery_id, event_day, epoch)
           select $1, $4, i.id, i.day, d.epoch from unnest($2::date[], $3::text[]) i(day, id)
            cross join lateral (select d.epoch from deliveries d
              where d.event_day = i.day and d.delivery_id = i.id and d.workspace_id || '' = $1 limit 1) d`,
    values: [tx.workspaceId, ids.map(idDay), ids, replayId],
  })
}

/**
 * Removes epochs that have ended, of the next `limit` behind `after`, and says what became of them. One that was replayed again is
 * told by its log. The caller holds the row of the replay. Primary keys.
 */
export async function takeEnded(
  tx: Transaction,
  o: { replayId: string; after: string; limit: number },
): Promise<{ outcomes: Outcomes; walkedTo: string | null }> {
  const { rows } = await tx.query<Outcomes & { looked: number; last: string | null }>({
    name: 'replay-ended',
    text: `with looked as materialized (
             select * from replay_epochs where workspace_id = $1 and replay_id = $2 and delivery_id > $3 order by delivery_id limit $4),
           ended as (
             select i.delivery_id, case when d.epoch = i.epoch then d.status else l.outcome end as outcome
               from looked i
               left join lateral (
                 select d.delivery_id, d.epoch, d.status from deliveries d
                  where d.event_day = i.event_day and d.delivery_id = i.delivery_id and d.workspace_id || '' = i.workspace_id limit 1) d on true
               left join lateral (
                 select case g.kind when 'attempt_succeeded' then 'delivered' else 'dead' end as outcome from delivery_log g
                  where g.event_day = i.event_day and g.delivery_id = i.delivery_id and g.workspace_id = i.workspace_id
                    and g.epoch = i.epoch and g.kind in ('attempt_succeeded', 'exhausted', 'ended') and d.epoch > i.epoch limit 1) l on true
              where d.delivery_id is null or d.epoch > i.epoch or d.status in ('delivered', 'dead')),
           removed as (
             delete from replay_epochs x using ended e where x.workspace_id = $1 and x.replay_id = $2 and x.delivery_id = e.delivery_id)
           select (select count(*)::int from looked) as looked, (select max(delivery_id) from looked) as last,
                  count(*) filter (where outcome = 'delivered')::int as delivered, count(*) filter (where outcome = 'dead')::int as dead,
                  count(*) filter (where outcome is null)::int as superseded
             from ended`,
    values: [tx.workspaceId, o.replayId, o.after, o.limit],
  })
  const { delivered = 0, dead = 0, superseded = 0, looked = 0, last = null } = rows[0] ?? {}
  return { outcomes: { delivered, dead, superseded }, walkedTo: looked === o.limit ? last : null }
}

/** A replay of the worker's. */
export interface ReplayPlace {
  workspaceId: string
  id: string
}

/** Of each workspace behind `after`, by id, the replay that has waited longest for its turn. Index replays_turn. */
export async function listDueReplays(db: Queryable, o: { after: string; limit: number }): Promise<ReplayPlace[]> {
  const { rows } = await db.query<ReplayPlace>({
    name: 'replays-due',
    text: `select distinct on (workspace_id) workspace_id as "workspaceId", id from replays
            where status in ('queued', 'running') and next_turn <= app_now() and workspace_id > $1
            order by workspace_id, next_turn limit $2`,
    values: [o.after, o.limit],
  })
  return rows
}

/** Replays behind `after` with epochs whose outcome is not counted, by id. Index replays_uncounted. */
export async function listUncounted(db: Queryable, o: { after: string; limit: number }): Promise<ReplayPlace[]> {
  const { rows } = await db.query<ReplayPlace>({
    name: 'replays-uncounted',
    text: 'select workspace_id as "workspaceId", id from replays where open_epochs > 0 and id > $1 order by id limit $2',
    values: [o.after, o.limit],
  })
  return rows
}

/** Takes the row of a replay unless another worker has it. Primary key. */
export async function tryLockReplay(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'replay-lock',
    text: 'select from replays where workspace_id = $1 and id = $2 for no key update skip locked',
    values: [tx.workspaceId, id],
  })
  return rowCount === 1
}

/**
 * An open replay of a period or of dead letters that overlaps with one of this subscription, null: of all. The caller holds the
 * workspace's row, so that none is made meanwhile. Index replays_open.
 */
export async function findOverlapping(tx: Transaction, webhookId: string | null): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'replay-overlapping',
    text: `select id from replays where workspace_id = $1 and status in ('queued', 'running', 'paused') and is_bulk
              and (webhook_id is null or $2::text is null or webhook_id = $2) limit 1`,
    values: [tx.workspaceId, webhookId],
  })
  return rows[0]?.id ?? null
}

/** How long a replay is shown after its last change, milliseconds: 90 days. What it could still open expires before (days/domain/shown-days.ts). */
export const replaysKeptMs = 90 * 86_400_000

/** Replays removed in one round: a stream may be long, and goes in one piece. */
const removedMax = 20

const isOld = `open_epochs = 0 and updated < app_now() - $1::bigint * interval '1 ms'`

/**
 * Removes replays that are not shown any more, with their streams (decision 83), oldest first; true when there may be more. One that
 * cannot be removed does not keep the others. Index replays_age.
 */
export async function removeOldReplays(pool: Pool, limit = removedMax): Promise<boolean> {
  const { rows } = await pool.query<ReplayPlace>(
    `select workspace_id as "workspaceId", id from replays where ${isOld} order by updated limit $2`,
    [replaysKeptMs, limit],
  )
  const faults: unknown[] = []
  for (const replay of rows) await removeReplay(pool, replay).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw new AggregateError(faults, 'old replays could not be removed')
  return rows.length === limit
}

/** Row and stream in one transaction: a part of a stream would be folded into a replay that goes on. Primary keys. */
async function removeReplay(pool: Pool, { workspaceId, id }: ReplayPlace): Promise<void> {
  await withTransaction(pool, { workspaceId }, async (tx) => {
    // Judged again: a command may have been quicker.
    const { rowCount } = await tx.query(`delete from replays where ${isOld} and workspace_id = $2 and id = $3`, [
      replaysKeptMs,
      workspaceId,
      id,
    ])
    if (rowCount === 0) return
    await tx.query("delete from stream_events where workspace_id = $1 and stream_type = 'replay' and stream_id = $2", [
      ...[workspaceId, id],
    ])
  })
}
