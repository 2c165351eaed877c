/** Translates rows to the JSON that clients see. */
import type { WorkspaceRow } from '../store/workspaces.ts'

export function toApiWorkspace(row: WorkspaceRow): object {
  return {
    object: 'workspace',
    id: row.workspace_id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    strict_event_scopes: row.strict_event_scopes,
    version: row.version,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}
