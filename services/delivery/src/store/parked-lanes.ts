// Disabling, deleting and enabling of lanes, and the ending of what waits in a parked one (delivery.md, Changes under way).

import { idDay } from '@wds/contracts/ids'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { Failing } from '../domain/subscription.ts'
import { wholeSecond } from '../domain/whole-second.ts'

/** Rows ended in one statement. */
const batch = 1_000

/** Why the open deliveries of a parked lane end, by the status of its subscription. */
export function endingOf(status: string): 'subscription_deleted' | 'subscription_disabled' {
  return status === 'deleted' ? 'subscription_deleted' : 'subscription_disabled'
}

/** Parks the lane and marks attempts under way; raises the workspace's version. False: it was so already. */
export async function parkSubscription(
  tx: Transaction,
  o: { id: string; status: 'disabled' | 'deleted'; reason: string | null; version: number; at: string },
): Promise<boolean> {
  const { rows } = await tx.query<{ changed: boolean }>({
    name: 'disable',
    text: 'select disable($1, $2, $3, $4, $5, $6, $7) as changed',
    values: [tx.workspaceId, o.id, o.status, o.reason, endingOf(o.status), o.version, o.at],
  })
  return rows[0]?.changed ?? false
}

/** Opens the lane again. Nothing of before may wait in it, and the subscription must be disabled: anything else is a fault. */
export async function reopenSubscription(
  tx: Transaction,
  o: { id: string; version: number; at: string },
): Promise<void> {
  const { rows } = await tx.query<{ opened: boolean | null }>({
    name: 'enable',
    text: 'select enable($1, $2, $3, $4) as opened',
    values: [tx.workspaceId, o.id, o.version, o.at],
  })
  if (rows[0]?.opened !== true) throw new Error('a lane was to be opened that is not parked or not empty')
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

/** Parked lanes in which something waits. Index lanes_parked. */
export async function listParked(
  db: Queryable,
  limit: number,
): Promise<{ workspaceId: string; subscriptionId: string; status: string }[]> {
  const { rows } = await db.query<{ workspace_id: string; subscription_id: string; status: string }>({
    name: 'parked-list',
    text: `select l.workspace_id, l.subscription_id, s.status
             from lanes l join subscriptions s on s.subscription_id = l.subscription_id and s.workspace_id = l.workspace_id
            where l.ready_at = 'infinity' and l.next_due < 'infinity' limit $1`,
    values: [limit],
  })
  return rows.map((row) => ({ workspaceId: row.workspace_id, subscriptionId: row.subscription_id, status: row.status }))
}

/** A receiver that fails for longer than this is disabled, milliseconds (decisions.md 7). */
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
