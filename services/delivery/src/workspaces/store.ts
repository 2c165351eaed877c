// The workspace's row: first in the lock order, and the version by which every matching knows that it is current.
// Whoever changes a subscription locks it before anything else and raises the version in the same transaction.
import type { Transaction } from '@wds/postgres/transaction'

/** Makes the workspace's row where there is none. Primary key. */
export async function makeWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query({
    name: 'workspace-make',
    text: 'insert into workspaces (workspace_id) values ($1) on conflict do nothing',
    values: [workspaceId],
  })
}

/** Locks the workspace's row, making it if need be. First statement of every change of a subscription. Primary key. */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await makeWorkspace(tx, workspaceId)
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

/** Whether subscribers need the read scope of each event type (settled-points.md 20). Primary key. */
export async function readStrictEventScopes(tx: Transaction, workspaceId: string): Promise<boolean> {
  const { rows } = await tx.query<{ strict: boolean }>({
    name: 'workspace-strict',
    text: 'select strict_event_scopes as strict from workspaces where workspace_id = $1',
    values: [workspaceId],
  })
  return rows[0]?.strict ?? false
}

/** Takes the setting over from auth; events that are fanned out after the commit are matched by it. Primary key. */
export async function setStrictEventScopes(tx: Transaction, workspaceId: string, isStrict: boolean): Promise<void> {
  await tx.query({
    name: 'workspace-set-strict',
    text: `update workspaces set strict_event_scopes = $2, subscriptions_version = subscriptions_version + 1
            where workspace_id = $1 and strict_event_scopes <> $2`,
    values: [workspaceId, isStrict],
  })
}

/**
 * Counts one test of the workspace. True, or false when there were `most` in this minute; then it is not counted. The caller holds the
 * workspace's row. Primary key.
 */
export async function countTest(tx: Transaction, workspaceId: string, most: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'workspace-test',
    text: `update workspaces w set tests = case when m.is_over then 1 else w.tests + 1 end,
                  tests_since = case when m.is_over then app_now() else w.tests_since end
             from (select tests_since < app_now() - interval '1 min' as is_over from workspaces where workspace_id = $1) m
            where w.workspace_id = $1 and (m.is_over or w.tests < $2)`,
    values: [workspaceId, most],
  })
  return rowCount === 1
}
