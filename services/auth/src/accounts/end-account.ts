// Ends an account, by the operator alone: an account belongs to no workspace. Disabled: nobody signs in with it and its grants end; it
// stays a member. Erased: besides, it leaves every workspace, and name, address, password and identities are removed for good.
import { execute, load } from '@wds/aggregate/aggregate'
import { Problem } from '@wds/http-service/problem'
import { setWorkspace, type Transaction } from '@wds/postgres/transaction'
import { announceUnstreamed } from '../announcements/store.ts'
import { type By, originOfBy, recordAuditOfPerson } from '../audit/audit.ts'
import { forgetInvited } from '../invitations/store.ts'
import { membershipIdOf } from '../members/domain/membership.ts'
import type { Grants } from '../members/ports.ts'
import { members } from '../members/resource.ts'
import { countOtherOwners, lockWorkspace, setPerson, workspacesOf } from '../members/store.ts'
import { emailKeyOf } from '../people/email.ts'
import { eraseUser, findAccount, setUserStatus } from '../people/store.ts'
import { deletePasswordLinks } from '../people/store-links.ts'
import { endSessionsOf } from '../sessions/session.ts'
import { deleteKnownBrowsers } from '../throttle/store-known-browsers.ts'

interface Ending {
  userId: string
  grants: Grants
  by: By
}

/** In a transaction of no workspace. Can be repeated. Throws Problem `not_found`. */
export async function disableAccount(tx: Transaction, { userId, grants, by }: Ending): Promise<void> {
  const account = await findAccount(tx, userId, { lock: true })
  if (account === null || account.status === 'erased') throw new Problem('not_found')
  if (account.status === 'disabled') return
  await setPerson(tx, userId)
  await setUserStatus(tx, userId, 'disabled')
  await deletePasswordLinks(tx, userId)
  await endSessionsOf(tx, { userId, reason: 'user_disabled', requestId: by.correlation })
  await grants.end(tx, { userId }, { reason: 'user_disabled', by })
  await announceUnstreamed(tx, [{ type: 'UserDisabled', key: userId, data: { user_id: userId } }], {
    actor: by.actor,
    requestId: by.correlation,
  })
  await recordAuditOfPerson(tx, { ...originOfBy(by), action: 'user_disabled', object: userId })
}

/** Throws Problem `invalid_state` for the last owner of a workspace: that one needs another owner, or its end, first. */
export async function eraseAccount(tx: Transaction, o: Ending): Promise<void> {
  const { userId, by } = o
  await disableAccount(tx, o)
  const { email } = (await findAccount(tx, userId)) ?? {}
  await setPerson(tx, userId)
  await recordAuditOfPerson(tx, { ...originOfBy(by), action: 'user_erased', object: userId })
  for (const { id: workspaceId } of await workspacesOf(tx)) {
    await setWorkspace(tx, workspaceId)
    await leave(tx, { ...o, workspaceId })
  }
  await setWorkspace(tx, '')
  await deleteKnownBrowsers(tx, userId)
  if (email !== undefined) await forgetInvited(tx, emailKeyOf(email))
  await eraseUser(tx, userId)
}

async function leave(
  tx: Transaction,
  { userId, workspaceId, grants, by }: Ending & { workspaceId: string },
): Promise<void> {
  await lockWorkspace(tx, workspaceId)
  const resource = members(grants)
  const loaded = await load(tx, resource, membershipIdOf(userId), { lock: true })
  if (loaded === null) return
  const otherOwners = await countOtherOwners(tx, workspaceId, userId)
  const command = { type: 'remove', by: null, otherOwners } as const
  const outcome = await execute(tx, resource, { context: { ...by, workspaceId }, loaded, command })
  if (outcome.ok || outcome.error.code !== 'invalid_state') return
  const { current_status, allowed } = outcome.error
  const detail = `This person is the last owner of ${workspaceId}: give it another owner, or delete it, first.`
  throw new Problem('invalid_state', { detail, members: { current_status, allowed } })
}
