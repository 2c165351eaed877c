/** `workspaces create`: a workspace and its first key. */
import { type Command, UsageError } from './command.ts'
import { callOperator } from './operator.ts'
import { waitForKey } from './wait-for-key.ts'

const plans = ['free', 'pro', 'business', 'enterprise']

export const createWorkspace: Command['run'] = async ({ values, access, print }) => {
  const { name, plan = 'free', json = false } = values
  if (typeof name !== 'string' || name === '') throw new UsageError('--name is missing')
  if (!plans.includes(String(plan))) throw new UsageError(`--plan is one of ${plans.join(', ')}`)
  const operator = access()
  const made = await callOperator(operator, '/internal/workspaces', { name, plan })
  const { workspace_id, api_key } = made as { workspace_id: string; api_key: string }
  // Printed before the wait: a key that is lost is never shown again.
  if (json) print(JSON.stringify({ workspace_id, api_key }))
  else print(`workspace  ${workspace_id}\nkey        ${api_key}  (shown once)`)
  await waitForKey(operator.baseUrl, api_key)
}
