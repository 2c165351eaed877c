// What stands beside the row of a subscription: its secrets, as ciphertext only, and what its lane knows of the receiver. The plain text
// of a secret never reaches this file's tables or its errors.
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { EncryptedColumn } from '@wds/service-host/reencrypt-secrets'

/** Table and column that the envelope of a secret is bound to (security.md 3). */
export const secretColumn = { table: 'subscription_secrets', column: 'ciphertext' } as const

/** For `reencrypt-secrets`. Index subscription_secrets_workspace. */
export const storedSecrets: EncryptedColumn = { ...secretColumn, id: 'secret_id', of: 'workspace' }

/** Stores one secret; `hint` is its last four characters. */
export async function insertSecret(
  tx: Transaction,
  o: {
    subscriptionId: string
    secretId: string
    version: number
    ciphertext: string
    hint: string
    createdMs: number
  },
): Promise<void> {
  await tx.query({
    name: 'secret-insert',
    text: `insert into subscription_secrets (workspace_id, subscription_id, secret_id, version, ciphertext, hint, created)
           values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000))`,
    values: [tx.workspaceId, o.subscriptionId, o.secretId, o.version, o.ciphertext, o.hint, o.createdMs],
  })
}

/** Lets the secrets that are live now end at `endsMs` at the latest; returns how many are live at `nowMs` from then on. Primary key. */
export async function endSecrets(
  tx: Transaction,
  o: { subscriptionId: string; endsMs: number; nowMs: number },
): Promise<number> {
  const { rows } = await tx.query<{ live: boolean }>({
    name: 'secrets-end',
    text: `update subscription_secrets set expires = least(expires, to_timestamp($3::float8 / 1000))
            where subscription_id = $2 and workspace_id = $1 returning expires > to_timestamp($4::float8 / 1000) as live`,
    values: [tx.workspaceId, o.subscriptionId, o.endsMs, o.nowMs],
  })
  return rows.filter(({ live }) => live).length
}

/** Removes secrets whose overlap is over, at most 1,000; returns how many. Index subscription_secrets_expired. */
export async function removeExpiredSecrets(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from subscription_secrets where ctid = any(array(
       select ctid from subscription_secrets where expires < app_now() - interval '1 hour' limit 1000))`,
  )
  return rowCount ?? 0
}

/** How many the workspace has, deleted ones left out. Index subscriptions_live. */
export async function countSubscriptions(tx: Queryable, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>({
    name: 'subscription-count',
    text: "select count(*)::int as n from subscriptions where workspace_id = $1 and status <> 'deleted'",
    values: [workspaceId],
  })
  return rows[0]?.n ?? 0
}

/** What the API shows of a subscription besides its own state. */
export interface SubscriptionDetails {
  failingSince: Date | null
  lastDelivered: Date | null
  /** Live ones, newest first. */
  secrets: { hint: string; created: string; expires: string | null }[]
}

/** Of the transaction's workspace, by subscription. Primary keys of lanes and of secrets. */
export async function readDetails(tx: Transaction, ids: string[]): Promise<Map<string, SubscriptionDetails>> {
  const { rows } = await tx.query<SubscriptionDetails & { id: string }>({
    name: 'subscription-beside',
    text: `select l.subscription_id as id, l.failing_since as "failingSince", l.last_delivered as "lastDelivered",
                  (select coalesce(jsonb_agg(jsonb_build_object('hint', x.hint, 'created', x.created, 'expires', x.expires) order by x.version desc), '[]')
                     from subscription_secrets x
                    where x.subscription_id = l.subscription_id and x.workspace_id = l.workspace_id and (x.expires is null or x.expires > app_now())) as secrets
             from lanes l where l.subscription_id = any($2) and l.workspace_id = $1`,
    values: [tx.workspaceId, ids],
  })
  const instant = (text: string | null) => (text === null ? null : new Date(text).toISOString())
  return new Map(
    rows.map(({ id, failingSince, lastDelivered, secrets }) => {
      // Instants as text, since they come out of JSON.
      const shown = secrets.map(({ hint, created, expires }) => {
        return { hint, created: new Date(created).toISOString(), expires: instant(expires) }
      })
      return [id, { failingSince, lastDelivered, secrets: shown }]
    }),
  )
}
