// The workspace's row: first in the lock order, and the version by which every matching knows that it is current.
// Whoever changes a subscription locks it before anything else and raises the version in the same transaction.
import type { Transaction } from '@wds/postgres/transaction'

/** Locks the workspace's row, making it if need be. First statement of every change of a subscription. Primary key. */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query({
    name: 'workspace-make',
    text: 'insert into workspaces (workspace_id) values ($1) on conflict do nothing',
    values: [workspaceId],
  })
  await tx.query({
    name: 'workspace-lock',
    text: 'select 1 from workspaces where workspace_id = $1 for no key update',
    values: [workspaceId],
  })
}

/** Makes every loaded index of the workspace's subscriptions stale. Primary key. */
export async function raiseSubscriptionsVersion(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query({
    name: 'workspace-raise',
    text: 'update workspaces set subscriptions_version = subscriptions_version + 1 where workspace_id = $1',
    values: [workspaceId],
  })
}
