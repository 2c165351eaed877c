/** `workspaces create`: a workspace and its first key. */
import { callOperator, type OperatorAccess, OperatorError } from './operator.ts'

export async function createWorkspace(
  values: Record<string, string | boolean | undefined>,
  access: () => OperatorAccess,
): Promise<string> {
  const { name, plan = 'free', json = false } = values
  if (typeof name !== 'string' || name === '') throw new OperatorError('--name is missing')
  const made = await callOperator(access(), '/internal/workspaces', { name, plan })
  if (json) return JSON.stringify({ workspace_id: made.workspace_id, api_key: made.api_key })
  return `workspace  ${String(made.workspace_id)}\nkey        ${String(made.api_key)}  (shown once)`
}
