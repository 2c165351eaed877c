// Inviting people, and the invitations that are open.

import type { Role } from '@wds/contracts/roles'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { originOf, recordAudit } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { mayManage } from '../members/domain/membership.ts'
import { managingRefused } from '../members/refusals.ts'
import { lockWorkspace, membershipOf } from '../members/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { isEmail } from '../people/email.ts'
import { isPersonName } from '../people/name.ts'
import { invite } from './invite.ts'
import { deleteInvitation, type InvitationRow, listInvitations } from './store.ts'

/** Open invitations of a workspace. */
const openMax = 100

const toApi = ({ invitation_id: id, role, email, name, inviter, created, expires }: InvitationRow) => ({
  object: 'invitation' as const,
  id,
  role,
  email,
  name,
  inviter: inviter === 'operator' ? null : inviter,
  created: created.toISOString(),
  expires: expires.toISOString(),
})

/** Judged by the role as it is now, not as it was when the request came in. */
async function judgeManager(tx: Transaction, { session: { workspaceId, id } }: ApiRequest, role: Role): Promise<void> {
  await lockWorkspace(tx, workspaceId)
  const present = await membershipOf(tx, workspaceId, id)
  if (present === null || !mayManage({ userId: id, role: present.role }, role)) throw managingRefused()
}

const make =
  ({ authUrl }: Pick<Dependencies, 'authUrl'>): Handle<operations['inviteMember']> =>
  (request) => {
    const { role, email = null, name = null } = request.body
    const faults: Fault[] = []
    if (email !== null && !isEmail(email)) {
      faults.push({ pointer: '/email', code: 'invalid_format', detail: 'Must be a mail address.' })
    }
    if (name !== null && !isPersonName(name)) {
      const detail = 'Must have 1 to 100 characters that are seen.'
      faults.push({ pointer: '/name', code: 'invalid_value', detail })
    }
    if (faults.length > 0) throw problemOfFaults(faults)
    return request.write(async (tx) => {
      const { workspaceId, id: inviter } = request.session
      await judgeManager(tx, request, role)
      if ((await listInvitations(tx, workspaceId)).length >= openMax) {
        const detail = `A workspace has at most ${openMax} open invitations: end one of them first.`
        throw new Problem('limit_reached', { detail })
      }
      const origin = originOf(request)
      const { invitation, link } = await invite(tx, { role, email, name, inviter }, { workspaceId, authUrl, origin })
      return { status: 201, body: { ...toApi(invitation), link }, holdsSecret: true }
    })
  }

const list: Handle<operations['listInvitations']> = async (request) => {
  const rows = await request.read((tx) => listInvitations(tx, request.session.workspaceId))
  const body = { object: 'list' as const, data: rows.map(toApi), has_more: false, next_cursor: null }
  return { status: 200, body, cache: 'no-store' }
}

const revoke: Handle<operations['revokeInvitation']> = (request) =>
  request.write(async (tx) => {
    const { workspaceId } = request.session
    const found = (await listInvitations(tx, workspaceId)).find((row) => row.invitation_id === request.params.id)
    if (found === undefined) throw new Problem('not_found')
    await judgeManager(tx, request, found.role)
    await deleteInvitation(tx, workspaceId, found.invitation_id)
    await recordAudit(tx, { ...originOf(request), action: 'invitation_revoked', object: found.invitation_id })
    return { status: 204 }
  })

export const invitationRoutes = (o: Dependencies): RouteOf<paths>[] => [
  { method: 'POST', path: '/v1/members/invitations', session: 'manage_members', handle: make(o) },
  { method: 'GET', path: '/v1/members/invitations', session: 'manage_members', handle: list },
  { method: 'DELETE', path: '/v1/members/invitations/{id}', session: 'manage_members', handle: revoke },
]
