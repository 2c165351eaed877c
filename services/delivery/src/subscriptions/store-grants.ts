// Grants that changed, until their subscriptions have followed. One that ended is followed twice: a request that was let in before may
// save a subscription after the first time.
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** A grant of an app that ended (`scopes` null) or lost scopes, by the event that told it. */
export interface ChangedGrant {
  workspaceId: string
  eventId: string
  grantId: string
  /** Those that are left. */
  scopes: string[] | null
}

/** One to be followed. `since`: only what was made from then on; null: all. */
export type TakenGrant = ChangedGrant & { since: Date | null }

/** An app that was suspended (`scopes` null) or lost scopes. */
export type ChangedApp = Pick<ChangedGrant, 'eventId' | 'scopes'> & { clientId: string }

/** One round trip for each; repeated ones change nothing. */
export async function insertChangedGrants(tx: Queryable, grants: ChangedGrant[]): Promise<void> {
  for (const { workspaceId, eventId, grantId, scopes } of grants) {
    await tx.query({
      name: 'changed-grant-insert',
      text: `insert into changed_grants (workspace_id, event_id, grant_id, scopes) values ($1, $2, $3, $4) on conflict do nothing`,
      values: [workspaceId, eventId, grantId, scopes],
    })
  }
}

/** Longer than a request that was let in before its grant ended may take until it saves, ms. */
const savesEndMs = 120_000

/**
 * All grants of the app, in whatever workspace, that subscriptions hang on; repeated, it changes nothing. One that is suspended is
 * remembered: a request that was let in before may make the first subscription of another grant. Index subscriptions_client.
 */
export async function insertGrantsOfApp(tx: Queryable, { clientId, eventId, scopes }: ChangedApp): Promise<void> {
  await tx.query({
    name: 'changed-app-insert',
    text: `with remembered as (
             insert into suspended_apps (event_id, client_id) select $2, $1 where $3::text[] is null on conflict do nothing)
           insert into changed_grants (workspace_id, event_id, grant_id, scopes)
           select distinct workspace_id, $2, owner_grant, $3::text[] from subscriptions
            where state #>> '{owner,id}' = $1 and owner_grant is not null and status <> 'deleted'
           on conflict do nothing`,
    values: [clientId, eventId, scopes],
  })
}

/** What it makes from now on is its right again. */
export async function forgetSuspendedApp(tx: Queryable, clientId: string): Promise<void> {
  await tx.query({
    name: 'suspended-app-forget',
    text: 'delete from suspended_apps where client_id = $1',
    values: [clientId],
  })
}

/**
 * The second look at the app that was suspended first, `savesEndMs` ago: its grants are to be followed for what was made since. False: there is
 * none. Index subscriptions_client; few rows wait.
 */
export async function lookAgainAtApp(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ taken: number }>({
    name: 'suspended-app-take',
    text: `with next as materialized (
             select event_id, client_id, suspended from suspended_apps where suspended <= app_now() - $1::int * interval '1 ms'
              order by suspended limit 1 for update skip locked),
           removed as (delete from suspended_apps where event_id = any(array(select event_id from next))),
           noted as (
             insert into changed_grants (workspace_id, event_id, grant_id, followed)
             select distinct s.workspace_id, n.event_id, s.owner_grant, n.suspended from next n
               join subscriptions s on s.state #>> '{owner,id}' = n.client_id
              where s.owner_grant is not null and s.status <> 'deleted' and s.created >= n.suspended
             on conflict do nothing)
           select count(*)::int as taken from next`,
    values: [savesEndMs],
  })
  return rows[0]?.taken === 1
}

/**
 * Takes the oldest one that is due and that nobody else takes, with the commit of `tx`, but none of the workspaces `but`; null: none. One that ended comes again after
 * `savesEndMs`, for what was made since. The look is materialised: a join may make it again for each row, and with a row of its own it
 * would take them all. Primary key.
 */
export async function takeChangedGrant(tx: Queryable, but: readonly string[] = []): Promise<TakenGrant | null> {
  const { rows } = await tx.query<TakenGrant>({
    name: 'changed-grant-take',
    text: `with next as materialized (
             select ctid as place, followed, workspace_id, event_id, grant_id, scopes from changed_grants
              where coalesce(followed + $1::int * interval '1 ms' <= app_now(), true) and workspace_id <> all($2::text[])
              order by event_id limit 1 for update skip locked),
           put_off as (
             update changed_grants set followed = app_now()
              where ctid = any(array(select place from next where scopes is null and followed is null))),
           removed as (
             delete from changed_grants
              where ctid = any(array(select place from next where scopes is not null or followed is not null)))
           select workspace_id as "workspaceId", event_id as "eventId", grant_id as "grantId", scopes, followed as since from next`,
    values: [savesEndMs, but],
  })
  return rows[0] ?? null
}

/** The subscriptions of the transaction's workspace that hang on the grant, deleted ones left out. Index subscriptions_grant. */
export async function listOfGrant(tx: Transaction, { grantId, since }: TakenGrant): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'subscriptions-of-grant',
    text: `select subscription_id as id from subscriptions
            where workspace_id = $1 and owner_grant = $2 and status <> 'deleted' and ($3::timestamptz is null or created >= $3)
            order by subscription_id`,
    values: [tx.workspaceId, grantId, since],
  })
  return rows.map(({ id }) => id)
}
