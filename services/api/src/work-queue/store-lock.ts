// The row of an integration is the lock of its work: whoever changes its runs or imports takes it first, then the lease.
import type { Transaction } from '@wds/postgres/transaction'

/** The lock that whoever changes runs or imports takes first, also where the integration is deleted. The primary key serves it. */
export async function lockRowOfIntegration(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.query('select 1 from integrations where workspace_id = $1 and id = $2 for no key update', [workspaceId, id])
}

/** The same lock where it is free; false where somebody holds it. */
export async function tryLockRowOfIntegration(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from integrations where workspace_id = $1 and id = $2 for no key update skip locked',
    [workspaceId, id],
  )
  return rows.length > 0
}
