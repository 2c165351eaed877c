/** Rows of workspaces, each the fold of its stream. */
import type { Transaction } from '@wds/postgres/transaction'
import type { Plan } from '../domain/workspace.ts'

export interface WorkspaceRow {
  workspace_id: string
  name: string
  slug: string
  plan: Plan
  strict_event_scopes: boolean
  version: number
  created: Date
  updated: Date
}

/** Primary key. */
export async function readWorkspace(tx: Transaction, workspaceId: string): Promise<WorkspaceRow | null> {
  const { rows } = await tx.query<WorkspaceRow>({
    name: 'read_workspace',
    text: `select workspace_id, name, slug, plan, strict_event_scopes, version, created, updated
             from workspaces where workspace_id = $1`,
    values: [workspaceId],
  })
  return rows[0] ?? null
}

export async function insertWorkspace(
  tx: Transaction,
  row: { workspaceId: string; name: string; slug: string; plan: Plan; version: number; created: string },
): Promise<void> {
  await tx.query({
    name: 'insert_workspace',
    text: `insert into workspaces (workspace_id, name, slug, plan, version, created, updated)
           values ($1, $2, $3, $4, $5, $6, $6)`,
    values: [row.workspaceId, row.name, row.slug, row.plan, row.version, row.created],
  })
}
