// How apps are used: by how many people, and what went wrong last.
import type { Transaction } from '@wds/postgres/transaction'
import type { KeptError } from './store-errors.ts'

export interface AppUsage {
  appId: string
  people: number
  grants: number
  /** Null: none is kept. */
  lastError: KeptError | null
}

type Row = Pick<AppUsage, 'appId' | 'people' | 'grants'> & {
  created: Date | null
  endpoint: KeptError['endpoint']
  error: string
  reason: string
  requestId: string
  [column: string]: unknown
}

/**
 * Of those apps that the transaction's workspace has. Grants are counted wherever they were given: engine_records_app; the last error is the
 * first of the primary key of oauth_errors, backwards.
 */
export async function readUsage(tx: Transaction, appIds: readonly string[]): Promise<AppUsage[]> {
  const { rows } = await tx.query<Row>({
    name: 'usage-of-apps',
    text: `select a.id as "appId", g.people, g.grants, e.created, e.endpoint, e.error, e.reason, e.request_id as "requestId"
             from unnest($2::text[]) with ordinality asked (id, nth)
             join oauth_apps a on a.workspace_id = $1 and a.id = asked.id and a.status <> 'deleted'
            cross join lateral (
              select count(distinct user_id)::int as people, count(*)::int as grants from engine_records
               where kind = 'Grant' and app_id = a.id and expires_at > app_now()) g
             left join lateral (
              select created, endpoint, error, reason, request_id from oauth_errors
               where workspace_id = $1 and app_id = a.id order by id desc limit 1) e on true
            order by asked.nth`,
    values: [tx.workspaceId, appIds],
  })
  return rows.map(({ appId, people, grants, created, endpoint, error, reason, requestId }) => ({
    appId,
    people,
    grants,
    lastError: created && { createdMs: created.getTime(), endpoint, error, reason, requestId },
  }))
}
