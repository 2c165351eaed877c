// Invitations that are open, by the SHA-256 of the token in their link: one that was used or has ended is gone. A token itself never reaches
// this file.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'

/** Whom a token invites. */
export interface Invited {
  workspaceId: string
  subAffiliateId: string
}

/** The index sub_affiliate_invitations_of serves the removal of one that was open before. */
export async function replaceInvitation(
  tx: Transaction,
  o: { subAffiliateId: string; digest: Buffer; expiresMs: number },
): Promise<void> {
  await deleteInvitations(tx, o.subAffiliateId)
  await tx.query(
    `insert into sub_affiliate_invitations (digest, workspace_id, sub_affiliate_id, expires)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000))`,
    [o.digest, workspaceOf(tx), o.subAffiliateId, o.expiresMs],
  )
}

/** In a transaction without a workspace; null where there is none. The primary key serves it. */
export async function findInvited(tx: Transaction, digest: Buffer): Promise<Invited | null> {
  const { rows } = await tx.query<{ workspace_id: string; sub_affiliate_id: string }>(
    'select workspace_id, sub_affiliate_id from sub_affiliate_invitations where digest = $1 and expires > app_now()',
    [digest],
  )
  return rows[0] ? { workspaceId: rows[0].workspace_id, subAffiliateId: rows[0].sub_affiliate_id } : null
}

/** Uses it up: of several at once one gets it. The primary key serves it. */
export async function takeInvitation(tx: Transaction, digest: Buffer): Promise<boolean> {
  const { rows } = await tx.query(
    `delete from sub_affiliate_invitations where workspace_id = $1 and digest = $2 and expires > app_now() returning 1`,
    [workspaceOf(tx), digest],
  )
  return rows.length > 0
}

/** The index sub_affiliate_invitations_of serves it. */
export async function deleteInvitations(tx: Transaction, subAffiliateId: string): Promise<void> {
  const place = [workspaceOf(tx), subAffiliateId]
  await tx.query('delete from sub_affiliate_invitations where workspace_id = $1 and sub_affiliate_id = $2', place)
}
