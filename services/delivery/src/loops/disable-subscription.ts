// Disables a subscription on the engine's own account: its receiver is gone, or has failed for 5 days (decisions.md 7).
import { randomBytes } from 'node:crypto'
import { makeId } from '@wds/contracts/ids'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { newTraceContext } from '@wds/telemetry/trace-context'
import { readFailingSince } from '../store/parked-lanes.ts'
import { changeSubscription } from '../store/subscription-stream.ts'

/** Repeating it changes nothing: eight 410s in flight disable once. */
export async function disableSubscription(
  pool: Pool,
  o: { workspaceId: string; subscriptionId: string; reason: 'gone' | 'failing' },
): Promise<void> {
  const context = {
    workspaceId: o.workspaceId,
    actor: { type: 'system' as const, id: 'delivery' },
    correlation: makeId('req', Date.now(), randomBytes(10)),
    trace: newTraceContext(),
  }
  const command = { type: 'DisableSubscription' as const, reason: o.reason }
  await retryOnConflict(() =>
    withTransaction(pool, { workspaceId: o.workspaceId }, async (tx) => {
      const failingSince = await readFailingSince(tx, o.subscriptionId)
      await changeSubscription(tx, { context, id: o.subscriptionId, command, failingSince })
    }),
  )
}
