// Rows of invitations. One is found by the SHA-256 of the token in its link; one that was used or has ended is gone.
import type { Role } from '@wds/contracts/roles'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

export interface InvitationRow {
  invitation_id: string
  workspace_id: string
  role: Role
  /** Of whom it is for; null where the inviter did not say. */
  email: string | null
  name: string | null
  /** `usr_…`, or `operator`. */
  inviter: string
  created: Date
  expires: Date
}

const columns = 'invitation_id, workspace_id, role, email, name, inviter, created, expires'

/** Ends after 7 days (auth.md 1.1). */
export async function insertInvitation(
  tx: Transaction,
  digest: Buffer,
  o: Omit<InvitationRow, 'created' | 'expires'>,
): Promise<InvitationRow> {
  const { rows } = await tx.query<InvitationRow & { [column: string]: unknown }>({
    name: 'invitation-new',
    text: `insert into invitations (digest, invitation_id, workspace_id, role, email, name, inviter, expires)
           values ($1, $2, $3, $4, $5, $6, $7, app_now() + interval '7 days') returning ${columns}`,
    values: [digest, o.invitation_id, o.workspace_id, o.role, o.email, o.name, o.inviter],
  })
  return rows[0] as InvitationRow
}

/** The live one. By the primary key. */
export async function findInvitation(tx: Transaction, digest: Buffer): Promise<InvitationRow | null> {
  const { rows } = await tx.query<InvitationRow & { [column: string]: unknown }>({
    name: 'invitation-find',
    text: `select ${columns} from invitations where digest = $1 and expires > app_now()`,
    values: [digest],
  })
  return rows[0] ?? null
}

/** Uses it up: of several at once one gets it. By the primary key. */
export async function takeInvitation(tx: Transaction, digest: Buffer): Promise<InvitationRow | null> {
  const { rows } = await tx.query<InvitationRow & { [column: string]: unknown }>({
    name: 'invitation-take',
    text: `delete from invitations where digest = $1 and expires > app_now() returning ${columns}`,
    values: [digest],
  })
  return rows[0] ?? null
}

/** The live ones of a workspace, newest first. By invitations_workspace. */
export async function listInvitations(tx: Transaction, workspaceId: string): Promise<InvitationRow[]> {
  const { rows } = await tx.query<InvitationRow & { [column: string]: unknown }>({
    name: 'invitations-list',
    text: `select ${columns} from invitations where workspace_id = $1 and expires > app_now() order by created desc, invitation_id desc`,
    values: [workspaceId],
  })
  return rows
}

/** Of a workspace. By the unique index on the id. */
export async function deleteInvitation(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.query('delete from invitations where workspace_id = $1 and invitation_id = $2', [workspaceId, id])
}

/** Those that a person gave, in whatever workspace. By a scan: rows live for 7 days. */
export async function deleteInvitationsBy(
  tx: Transaction,
  userId: string,
): Promise<Pick<InvitationRow, 'invitation_id' | 'workspace_id'>[]> {
  const { rows } = await tx.query<
    Pick<InvitationRow, 'invitation_id' | 'workspace_id'> & { [column: string]: unknown }
  >({
    name: 'invitations-delete-by',
    text: 'delete from invitations where inviter = $1 returning invitation_id, workspace_id',
    values: [userId],
  })
  return rows
}

/** Open ones keep their worth, and name the person of this address (`emailKeyOf`) no more. By a scan: rows live for 7 days. */
export async function forgetInvited(tx: Transaction, emailKey: string): Promise<void> {
  await tx.query('update invitations set name = null, email = null where lower(normalize(trim(email), nfkc)) = $1', [
    emailKey,
  ])
}

export async function pruneInvitations(pool: Pool): Promise<void> {
  await pool.query('delete from invitations where expires <= app_now()')
}
