// `workspaces create`: a workspace, its first key and its first owner; `workspaces plan`.
import { type Command, required, secretOf, UsageError, type Values } from './command.ts'
import { callOperator } from './operator.ts'
import { waitForKey } from './wait-for-key.ts'

const plans = ['free', 'pro', 'business', 'enterprise']

interface Made {
  workspace_id: string
  api_key: string
  user_id?: string
  invitation_link?: string
}

export const createWorkspace: Command['run'] = async ({ values, access, print }) => {
  const { name, plan = 'free', json = false } = values
  if (typeof name !== 'string' || name === '') throw new UsageError('--name is missing')
  judgePlan(String(plan))
  const owner = ownerOf(values)
  const operator = access()
  const body = { name, plan, owner: owner ?? undefined }
  const { workspace_id, api_key, user_id, invitation_link } = (await callOperator(
    operator,
    '/internal/workspaces',
    body,
  )) as unknown as Made
  // Printed before the wait: a key or link that is lost is never shown again.
  if (json) print(JSON.stringify({ workspace_id, api_key, user_id, invitation_link }))
  else {
    print(`workspace  ${workspace_id}\nkey        ${api_key}  (shown once)`)
    if (user_id !== undefined) print(`owner      ${user_id}`)
    if (invitation_link !== undefined) print(`owner      ${invitation_link}  (good for one person, 7 days, shown once)`)
  }
  await waitForKey(operator.baseUrl, api_key)
}

function ownerOf(values: Values): { email: string; name: string | undefined; password: string | undefined } | null {
  const { 'owner-email': email, 'owner-name': name, 'owner-password-file': file } = values
  if (typeof email !== 'string') {
    if (name !== undefined || file !== undefined) throw new UsageError('--owner-email is missing')
    return null
  }
  const password = typeof file === 'string' ? secretOf(values, 'owner-password-file') : undefined
  return { email, name: typeof name === 'string' ? name : undefined, password }
}

/** The plan of a workspace from now on. */
export const changePlan: Command['run'] = async ({ values, access, print }) => {
  const [id, plan] = [required(values, 'id'), required(values, 'plan')]
  if (!/^wsp_[0-9A-Z]{26}$/.test(id)) throw new UsageError('--id is the id of a workspace, wsp_…')
  judgePlan(plan)
  await callOperator(access(), `/internal/workspaces/${id}/plan`, { plan })
  print(`${id} has the plan ${plan}`)
}

function judgePlan(plan: string): void {
  if (!plans.includes(plan)) throw new UsageError(`--plan is one of ${plans.join(', ')}`)
}
