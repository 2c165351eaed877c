// What of all sub-affiliates of a workspace is decided together: how many there are, whose an external id is, what of the ledger comes first.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'

/** Sub-affiliates that a workspace may have, removed ones included (security.md 5). */
export const subAffiliatesMax = 10_000

/**
 * Held until the transaction ends by whoever decides on sub-affiliates of the workspace together: it comes behind the locks of rows, and
 * before what is decided on is read.
 */
export async function lockSubAffiliates(tx: Transaction): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('sub_affiliates:' || $1, 0))", [workspaceOf(tx)])
}

/** The index sub_affiliates_list serves it. */
export async function countSubAffiliates(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::integer as count from sub_affiliates where workspace_id = $1',
    [workspaceOf(tx)],
  )
  return rows[0]?.count ?? 0
}

/** Whose external id it is, or null. The index sub_affiliates_by_external_id serves it. */
export async function findByExternalId(tx: Transaction, externalId: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from sub_affiliates where workspace_id = $1 and external_id = $2',
    [workspaceOf(tx), externalId],
  )
  return rows[0]?.id ?? null
}

/** Ids by external id, of those that are there. The index sub_affiliates_by_external_id serves it. */
export async function idsByExternalId(tx: Transaction, externalIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ id: string; external_id: string }>(
    'select id, external_id from sub_affiliates where workspace_id = $1 and external_id = any($2)',
    [workspaceOf(tx), externalIds],
  )
  return new Map(rows.map(({ id, external_id }) => [external_id, id]))
}

/** External ids of those that are not removed: rows name them. The index sub_affiliates_list serves it. */
export async function knownSubAffiliates(tx: Transaction): Promise<Set<string>> {
  const { rows } = await tx.query<{ external_id: string }>(
    `select external_id from sub_affiliates where workspace_id = $1 and status <> 'removed' and external_id is not null`,
    [workspaceOf(tx)],
  )
  return new Set(rows.map(({ external_id }) => external_id))
}
