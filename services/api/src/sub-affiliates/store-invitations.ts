// Invitations by the SHA-256 of the token in their link. One that has ended stays, so that its page can say how, until its sub-affiliate is
// erased. A token itself never reaches this file.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'

export type InvitationState = 'open' | 'used' | 'replaced' | 'withdrawn' | 'expired'

/** Whom a token invites, or has invited. */
export interface Invited {
  workspaceId: string
  subAffiliateId: string
  state: InvitationState
  /** Of an open one: when it ends by itself. */
  expiresMs: number
}

/** Of those before, the one that was open is replaced, and what ended long ago is gone. The index sub_affiliate_invitations_of serves it. */
export async function replaceInvitation(
  tx: Transaction,
  o: { subAffiliateId: string; digest: Buffer; expiresMs: number },
): Promise<void> {
  await endInvitations(tx, o.subAffiliateId, 'replaced')
  await tx.query(
    `delete from sub_affiliate_invitations
     where workspace_id = $1 and sub_affiliate_id = $2 and expires < app_now() - interval '90 days'`,
    [workspaceOf(tx), o.subAffiliateId],
  )
  await tx.query(
    `insert into sub_affiliate_invitations (digest, workspace_id, sub_affiliate_id, expires)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000))`,
    [o.digest, workspaceOf(tx), o.subAffiliateId, o.expiresMs],
  )
}

/** In a transaction with or without a workspace; null where there is none. The primary key serves it. */
export async function findInvited(tx: Transaction, digest: Buffer): Promise<Invited | null> {
  const { rows } = await tx.query<{
    workspace_id: string
    sub_affiliate_id: string
    state: InvitationState
    expires_ms: number
  }>(
    `select workspace_id, sub_affiliate_id, extract(epoch from expires)::float8 * 1000 as expires_ms,
       coalesce(ended, case when expires > app_now() then 'open' else 'expired' end) as state
     from sub_affiliate_invitations where digest = $1`,
    [digest],
  )
  const [row] = rows
  if (row === undefined) return null
  const { workspace_id: workspaceId, sub_affiliate_id: subAffiliateId, state, expires_ms: expiresMs } = row
  return { workspaceId, subAffiliateId, state, expiresMs }
}

/** Uses it up: of several at once one gets it. The primary key serves it. */
export async function takeInvitation(tx: Transaction, digest: Buffer): Promise<boolean> {
  const { rows } = await tx.query(
    `update sub_affiliate_invitations set ended = 'used', expires = app_now()
     where workspace_id = $1 and digest = $2 and ended is null and expires > app_now() returning 1`,
    [workspaceOf(tx), digest],
  )
  return rows.length > 0
}

/** Those that had not ended. The index sub_affiliate_invitations_of serves it. */
export async function endInvitations(
  tx: Transaction,
  subAffiliateId: string,
  how: 'replaced' | 'withdrawn',
): Promise<void> {
  await tx.query(
    `update sub_affiliate_invitations set ended = $3, expires = least(expires, app_now())
     where workspace_id = $1 and sub_affiliate_id = $2 and ended is null`,
    [workspaceOf(tx), subAffiliateId, how],
  )
}

/** The index sub_affiliate_invitations_of serves it. */
export async function deleteInvitations(tx: Transaction, subAffiliateId: string): Promise<void> {
  const place = [workspaceOf(tx), subAffiliateId]
  await tx.query('delete from sub_affiliate_invitations where workspace_id = $1 and sub_affiliate_id = $2', place)
}
