// What the page of an invitation says of the workspace and of whoever invites.
import type { Transaction } from '@wds/postgres/transaction'

export interface InvitingWorkspace {
  workspaceName: string
  /** Null: the operator. */
  inviterName: string | null
}

/** Null for a workspace that is gone. By the primary keys. */
export async function findInviter(
  tx: Transaction,
  workspaceId: string,
  inviter: string,
): Promise<InvitingWorkspace | null> {
  const { rows } = await tx.query<{ workspace: string; inviter: string | null }>({
    name: 'inviter',
    text: `select w.state ->> 'name' as workspace, u.name as inviter from workspaces w left join users u on u.user_id = $2
            where w.workspace_id = $1 and w.status = 'active'`,
    values: [workspaceId, inviter],
  })
  const [row] = rows
  return row ? { workspaceName: row.workspace, inviterName: row.inviter } : null
}
