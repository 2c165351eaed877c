// Disables a subscription on the engine's own account: its receiver is gone, or has failed for 5 days (settled-points.md 7).
import { execute, load } from '@wds/aggregate/aggregate'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { lockFailingLane } from '../lanes/store-parked.ts'
import { beginOwnChange } from '../workspaces/own-change.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { subscriptions } from './resource.ts'

/**
 * Repeating it changes nothing: eight 410s in flight disable once. Whether a receiver still fails is judged under the lock of its lane: an answer that
 * came after the look keeps it enabled. `deliveryId`: the one that was answered with 410.
 */
export async function disableSubscription(
  pool: Pool,
  o:
    | { workspaceId: string; subscriptionId: string; reason: 'gone'; deliveryId: string }
    | { workspaceId: string; subscriptionId: string; reason: 'failing' },
): Promise<void> {
  const { context, end } = beginOwnChange('disable subscription', { workspaceId: o.workspaceId })
  await retryOnConflict(() =>
    withTransaction(pool, { workspaceId: o.workspaceId }, async (tx) => {
      await lockWorkspace(tx, o.workspaceId)
      const loaded = await load(tx, subscriptions, o.subscriptionId, { lock: true })
      if (loaded === null) return
      const lane = await lockFailingLane(tx, {
        subscriptionId: o.subscriptionId,
        answered: o.reason === 'gone' ? o.deliveryId : null,
      })
      if (o.reason === 'failing' && !lane.isOverdue) return
      const command = { type: 'disable' as const, reason: o.reason, failing: lane.failing }
      // Refused where it is disabled or deleted already.
      await execute(tx, subscriptions, { context, loaded, command })
    }),
  ).finally(end)
}
