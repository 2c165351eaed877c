// Rows of subscriptions, each the fold of its stream, and the lanes that belong to them. Nothing here decides: the decider did.
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { SubscriptionFields } from '../domain/subscription.ts'

/** A subscription as stored, with what its lane knows of it and hints of its live secrets. */
export interface SubscriptionRow {
  subscription_id: string
  workspace_id: string
  status: 'enabled' | 'disabled' | 'deleted'
  disabled_reason: string | null
  url: string
  events: string[]
  description: string | null
  headers: Record<string, string>
  rate_limit: number | null
  max_in_flight: number
  owner_type: string
  owner_id: string
  version: number
  created: Date
  updated: Date
  failing_since: Date | null
  last_delivered: Date | null
  /** Newest first. Instants as text, since they come out of JSON. */
  secrets: { hint: string; created: string; expires: string | null }[]
}

const columns = `s.subscription_id, s.workspace_id, s.status, s.disabled_reason, s.url, s.events, s.description, s.headers, s.rate_limit,
  s.max_in_flight, s.owner_type, s.owner_id, s.version, s.created, s.updated, l.failing_since, l.last_delivered,
  (select coalesce(jsonb_agg(jsonb_build_object('hint', x.hint, 'created', x.created, 'expires', x.expires) order by x.version desc), '[]')
     from subscription_secrets x
    where x.subscription_id = s.subscription_id and x.workspace_id = s.workspace_id and (x.expires is null or x.expires > app_now())) as secrets`

/** One that is not deleted. Primary key. */
export async function readSubscription(
  tx: Queryable,
  workspaceId: string,
  id: string,
): Promise<SubscriptionRow | null> {
  const { rows } = await tx.query<SubscriptionRow>({
    name: 'subscription-read',
    text: `select ${columns} from subscriptions s join lanes l on l.subscription_id = s.subscription_id and l.workspace_id = s.workspace_id
            where s.subscription_id = $2 and s.workspace_id = $1 and s.status <> 'deleted'`,
    values: [workspaceId, id],
  })
  return rows[0] ?? null
}

/** Status of a subscription, deleted ones included; null when there is none. Primary key. */
export async function readSubscriptionStatus(tx: Queryable, workspaceId: string, id: string): Promise<string | null> {
  const { rows } = await tx.query<{ status: string }>({
    name: 'subscription-status',
    text: 'select status from subscriptions where subscription_id = $2 and workspace_id = $1',
    values: [workspaceId, id],
  })
  return rows[0]?.status ?? null
}

/** Newest first, from behind `after` on. Index subscriptions_list. */
export async function listSubscriptions(
  tx: Queryable,
  o: { workspaceId: string; status: string | null; after: { created: string; id: string } | null; limit: number },
): Promise<SubscriptionRow[]> {
  const { rows } = await tx.query<SubscriptionRow>({
    name: 'subscription-list',
    text: `select ${columns} from subscriptions s join lanes l on l.subscription_id = s.subscription_id and l.workspace_id = s.workspace_id
            where s.workspace_id = $1 and s.status <> 'deleted' and ($2::text is null or s.status = $2)
              and ($3::timestamptz is null or (s.created, s.subscription_id) < ($3::timestamptz, $4))
            order by s.created desc, s.subscription_id desc limit $5`,
    values: [o.workspaceId, o.status, o.after?.created ?? null, o.after?.id ?? '', o.limit],
  })
  return rows
}

/** How many the workspace has, deleted ones left out. Index subscriptions_list. */
export async function countSubscriptions(tx: Queryable, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>({
    name: 'subscription-count',
    text: "select count(*)::int as n from subscriptions where workspace_id = $1 and status <> 'deleted'",
    values: [workspaceId],
  })
  return rows[0]?.n ?? 0
}

/** The row and its lane. The caller holds the workspace's row. */
export async function insertSubscription(
  tx: Transaction,
  o: { id: string; owner: { type: string; id: string }; fields: SubscriptionFields; version: number; created: string },
): Promise<void> {
  const { fields } = o
  await tx.query({
    name: 'subscription-insert',
    text: `with s as (
             insert into subscriptions (workspace_id, subscription_id, status, url, events, description, headers, rate_limit, max_in_flight,
                                        owner_type, owner_id, version, created, updated)
             values ($1, $2, 'enabled', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12))
           insert into lanes (workspace_id, subscription_id, max_in_flight, cap, rate) values ($1, $2, $8::int, least(2, $8::int), $7::int)`,
    values: [
      tx.workspaceId,
      o.id,
      fields.url,
      fields.events,
      fields.description,
      JSON.stringify(fields.headers),
      fields.rate_limit,
      fields.max_in_flight,
      o.owner.type,
      o.owner.id,
      o.version,
      o.created,
    ],
  })
}

/** What a client changed; the lane follows. The caller holds the workspace's row. */
export async function updateSubscription(
  tx: Transaction,
  o: { id: string; fields: SubscriptionFields; version: number; updated: string },
): Promise<void> {
  const { fields } = o
  await tx.query({
    name: 'lane-lock',
    text: 'select 1 from lanes where subscription_id = $2 and workspace_id = $1 for update',
    values: [tx.workspaceId, o.id],
  })
  await tx.query({
    name: 'subscription-update',
    text: `with s as (
             update subscriptions set url = $3, events = $4, description = $5, headers = $6, rate_limit = $7, max_in_flight = $8, version = $9, updated = $10
              where subscription_id = $2 and workspace_id = $1)
           update lanes set max_in_flight = $8, rate = $7::int, cap = least(cap, $8) where subscription_id = $2 and workspace_id = $1`,
    values: [
      tx.workspaceId,
      o.id,
      fields.url,
      fields.events,
      fields.description,
      JSON.stringify(fields.headers),
      fields.rate_limit,
      fields.max_in_flight,
      o.version,
      o.updated,
    ],
  })
}
