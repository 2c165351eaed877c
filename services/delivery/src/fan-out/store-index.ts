// Reads what matching needs of a workspace: version and enabled subscriptions in one statement, so that they belong together.
import type { Queryable } from '@wds/postgres/pool'
import type { Matchable } from './domain/matching.ts'

/** The subscriptions of a workspace as of one version. */
export interface SubscriptionIndexEntry {
  workspaceId: string
  version: string
  subscriptions: Matchable[]
}

/** Primary key of workspaces, index subscriptions_live. */
export async function loadSubscriptionIndex(db: Queryable, workspaceIds: string[]): Promise<SubscriptionIndexEntry[]> {
  const { rows } = await db.query<{
    workspace_id: string
    version: string
    subscriptions: SubscriptionIndexEntry['subscriptions']
  }>({
    name: 'subscription-index',
    text: `select w.workspace_id, w.subscriptions_version as version,
                  coalesce((select jsonb_agg(jsonb_build_object('subscriptionId', s.subscription_id, 'events', s.events, 'filter', s.filter,
                                     'scopes', case when w.strict_event_scopes then coalesce(s.scopes, '{}') end))
                              from subscriptions s where s.workspace_id = w.workspace_id and s.status = 'enabled'), '[]') as subscriptions
             from workspaces w where w.workspace_id = any($1)`,
    values: [workspaceIds],
  })
  return rows.map((row) => ({ workspaceId: row.workspace_id, version: row.version, subscriptions: row.subscriptions }))
}
