// Accepting an invitation: its token is the proof, and used up (domain.md 3.8). One that was used, has ended or never was is the same 404.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { Problem } from '@wds/http-service/problem'
import type { Handle } from '@wds/http-service/route'
import { setWorkspace, type Transaction } from '@wds/postgres/transaction'
import type { operations } from '../openapi.generated.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { digestOfToken } from './invitation-link.ts'
import { subAffiliates } from './resource.ts'
import { findInvited, type Invited, takeInvitation } from './store-invitations.ts'

/** Whom the token invites, or has invited, in a transaction with or without a workspace; null where it leads nowhere. */
export async function invitedBy(tx: Transaction, token: string): Promise<Invited | null> {
  const digest = digestOfToken(token)
  return digest === null ? null : findInvited(tx, digest)
}

/** In the workspace of the invitation. False where somebody else was faster, or the invitation is over. */
export async function accept(
  tx: Transaction,
  { workspaceId, subAffiliateId }: Invited,
  token: string,
): Promise<boolean> {
  const digest = digestOfToken(token)
  const loaded = await load(tx, subAffiliates, subAffiliateId, { lock: true })
  if (digest === null || loaded?.state.status !== 'invited' || !(await takeInvitation(tx, digest))) return false
  const { nowMs } = loaded
  const context = systemContext({ workspaceId, nowMs, actor: 'sub-affiliate-invitation', span: 'accept invitation' })
  await executeOrFail(tx, subAffiliates, { context, loaded, command: { type: 'accept', atMs: nowMs } })
  return true
}

export const acceptInvitation: Handle<operations['acceptSubAffiliateInvitation']> = (request) =>
  request.write(async (tx) => {
    const { token } = request.params
    const invited = await invitedBy(tx, token)
    if (invited !== null) await setWorkspace(tx, invited.workspaceId)
    if (invited === null || !(await accept(tx, invited, token))) throw new Problem('not_found')
    return { status: 200, cache: 'no-store', body: { object: 'sub_affiliate_invitation', status: 'accepted' } }
  }) as ReturnType<Handle<operations['acceptSubAffiliateInvitation']>>
