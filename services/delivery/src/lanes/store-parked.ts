// Disabling, deleting and enabling of lanes, and the ending of what waits in a parked one (delivery.md 2.9).

import { idDay } from '@wds/contracts/ids'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { type Failing, wholeSecond } from './domain/lane.ts'

/** Rows ended in one statement. */
const batch = 1_000

/** Why the open deliveries of a parked lane end, by the status of its subscription. */
export function endingOf(status: string): 'subscription_deleted' | 'subscription_disabled' {
  return status === 'deleted' ? 'subscription_deleted' : 'subscription_disabled'
}

/** Parks the lane and marks attempts under way. The caller holds the workspace's row. Primary keys. */
export async function parkLane(tx: Transaction, id: string, ending: ReturnType<typeof endingOf>): Promise<void> {
  await tx.query({
    name: 'lane-park',
    text: "update lanes set ready_at = 'infinity' where subscription_id = $2 and workspace_id = $1",
    values: [tx.workspaceId, id],
  })
  // A statement of its own: it must see what was claimed before the lane was locked.
  await tx.query({
    name: 'leases-end',
    text: 'update leases set ending = $3 where subscription_id = $2 and workspace_id = $1',
    values: [tx.workspaceId, id, ending],
  })
}

/** Opens a parked lane again. Nothing of before may wait in it: anything else is a fault. The caller holds the workspace's row; nobody adds to a parked lane. */
export async function reopenLane(tx: Transaction, id: string): Promise<void> {
  await tx.query({
    name: 'lane-lock',
    text: 'select 1 from lanes where subscription_id = $2 and workspace_id = $1 for update',
    values: [tx.workspaceId, id],
  })
  const { rowCount } = await tx.query({
    name: 'lane-reopen',
    text: `update lanes set ready_at = '-infinity', cap = least(2, max_in_flight), failures = 0, timed_out = false, failing_since = null,
                  failed_deliveries = 0, held_since = null
            where subscription_id = $2 and workspace_id = $1 and ready_at = 'infinity'
              and not exists (select 1 from due where subscription_id = $2 and workspace_id = $1)`,
    values: [tx.workspaceId, id],
  })
  if (rowCount !== 1) throw new Error('a lane was to be opened that is not parked or not empty')
}

/**
 * Ends what waits in a parked lane when that is one batch at most, so that the caller's transaction stays short. True: nothing waits there any more. The
 * caller holds the workspace's row; nobody adds to a parked lane. Primary key of due.
 */
export async function endLastBatch(tx: Transaction, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ n: number }>({
    name: 'parked-rest',
    text: 'select count(*)::int as n from (select 1 from due where subscription_id = $1 and workspace_id = $2 limit $3) x',
    values: [id, tx.workspaceId, batch + 1],
  })
  const waiting = rows[0]?.n ?? 0
  if (waiting > batch) return false
  if (waiting > 0)
    await endOpen(tx, { workspaceId: tx.workspaceId as string, subscriptionId: id, reason: endingOf('disabled') })
  return true
}

/** Ends at most 1,000 waiting deliveries of a parked lane; returns how many. */
export async function endOpen(
  db: Queryable,
  o: { workspaceId: string; subscriptionId: string; reason: string },
): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'end-open',
    text: 'select end_open($1, $2, $3, $4) as n',
    values: [o.workspaceId, o.subscriptionId, o.reason, batch],
  })
  return rows[0]?.n ?? 0
}

/** Parked lanes in which something waits, behind `after` by subscription. Index lanes_parked. */
export async function listParked(
  db: Queryable,
  o: { after: string; limit: number },
): Promise<{ workspaceId: string; subscriptionId: string; status: string }[]> {
  const { rows } = await db.query<{ workspace_id: string; subscription_id: string; status: string }>({
    name: 'parked-list',
    text: `select l.workspace_id, l.subscription_id, s.status
             from lanes l join subscriptions s on s.subscription_id = l.subscription_id and s.workspace_id = l.workspace_id
            where l.ready_at = 'infinity' and l.next_due < 'infinity' and l.subscription_id > $1 order by l.subscription_id limit $2`,
    values: [o.after, o.limit],
  })
  return rows.map((row) => ({ workspaceId: row.workspace_id, subscriptionId: row.subscription_id, status: row.status }))
}

/** A receiver that fails for longer than this is disabled, milliseconds (settled-points.md 7). */
const failingMs = 5 * 86_400_000

/** Lanes looked at in one round. */
const failingMax = 100

/**
 * Enabled subscriptions whose every attempt failed for longer than 5 days, the last one after them: one that nothing was sent to since it failed may
 * work again. At most 100. Reads the lanes, once an hour.
 */
export async function listFailing(db: Queryable): Promise<{ workspaceId: string; subscriptionId: string }[]> {
  const { rows } = await db.query<{ workspace_id: string; subscription_id: string }>(
    `select workspace_id, subscription_id from lanes
      where last_failed > failing_since + $1::bigint * interval '1 ms' and ready_at < 'infinity' order by failing_since limit $2`,
    [failingMs, failingMax],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, subscriptionId: row.subscription_id }))
}

/** What a lane knows of its failing receiver. */
export interface FailingLane {
  /** Told in webhook.disabled. */
  failing: Failing
  /** An attempt failed more than 5 days after the first. */
  isOverdue: boolean
}

/**
 * Locks the lane, so that no settle changes it before the caller commits. The caller holds the workspace's row. `answered`: a delivery whose failed attempt
 * is not settled yet, and counts. Primary keys.
 */
export async function lockFailingLane(
  tx: Transaction,
  o: { subscriptionId: string; answered: string | null },
): Promise<FailingLane> {
  const { rows } = await tx.query<{ failing_since: Date | null; failed_deliveries: number; overdue: boolean | null }>({
    name: 'failing-lane',
    text: `select coalesce(l.failing_since, case when $4::text is not null then app_now() end) as failing_since,
                  l.last_failed > l.failing_since + $3::bigint * interval '1 ms' as overdue,
                  l.failed_deliveries + case when $4::text is null or exists (
                    select 1 from deliveries d where d.event_day = $5 and d.delivery_id = $4 and d.workspace_id = $2 and d.failed_from >= l.failing_since)
                  then 0 else 1 end as failed_deliveries
             from lanes l where l.subscription_id = $1 and l.workspace_id = $2 for update`,
    values: [o.subscriptionId, tx.workspaceId, failingMs, o.answered, o.answered === null ? null : idDay(o.answered)],
  })
  const [row] = rows
  return {
    failing: {
      failing_since: row?.failing_since ? new Date(wholeSecond(row.failing_since.getTime())).toISOString() : null,
      failed_deliveries: row?.failed_deliveries ?? 0,
    },
    isOverdue: row?.overdue ?? false,
  }
}
