// Makes an invitation: a link that brings one person into the workspace with a role, once, within 7 days (auth.md 1.1).
import { newId } from '@wds/aggregate/new-id'
import type { Role } from '@wds/contracts/roles'
import type { Transaction } from '@wds/postgres/transaction'
import { recordAudit } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { makeLinkToken } from '../web/link-token.ts'
import { type InvitationRow, insertInvitation } from './store.ts'

export interface Invite {
  role: Role
  email: string | null
  name: string | null
  /** `usr_…`, or `operator`. */
  inviter: string
}

/** In the workspace of the transaction. `link` is shown once. */
export async function invite(
  tx: Transaction,
  { role, email, name, inviter }: Invite,
  o: { workspaceId: string; authUrl: string; origin: AuditOrigin },
): Promise<{ invitation: InvitationRow; link: string }> {
  const { token, digest } = makeLinkToken()
  const id = newId('ivt', Date.now())
  const row = { invitation_id: id, workspace_id: o.workspaceId, role, email, name, inviter }
  const invitation = await insertInvitation(tx, digest, row)
  await recordAudit(tx, { ...o.origin, action: 'member_invited', object: id })
  return { invitation, link: `${o.authUrl}/invitations/${token}` }
}
