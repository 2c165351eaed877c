// Disables a subscription on the engine's own account: its receiver is gone, or has failed for 5 days (decisions.md 7).
import { randomBytes } from 'node:crypto'
import { makeId } from '@wds/contracts/ids'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { startSpan } from '@wds/telemetry/spans'
import { lockFailingLane } from '../store/parked-lanes.ts'
import { changeSubscription } from '../store/subscription-stream.ts'
import { lockWorkspace } from '../store/workspaces.ts'

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
  const span = startSpan({ name: 'disable subscription', kind: 'internal' })
  const context = {
    workspaceId: o.workspaceId,
    actor: { type: 'system' as const, id: 'delivery' },
    correlation: makeId('req', Date.now(), randomBytes(10)),
    trace: { traceparent: span.traceparent },
  }
  await retryOnConflict(() =>
    withTransaction(pool, { workspaceId: o.workspaceId }, async (tx) => {
      await lockWorkspace(tx, o.workspaceId)
      const lane = await lockFailingLane(tx, {
        subscriptionId: o.subscriptionId,
        answered: o.reason === 'gone' ? o.deliveryId : null,
      })
      if (o.reason === 'failing' && !lane.isOverdue) return
      const command = { type: 'DisableSubscription' as const, reason: o.reason, failing: lane.failing }
      await changeSubscription(tx, { context, id: o.subscriptionId, command })
    }),
  ).finally(() => span.end())
}
