// `apps create`, `apps suspend`, `apps reinstate`: OAuth apps, whatever the plan of their workspace.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Command, fileOf, required, UsageError } from './command.ts'
import { callOperator } from './operator.ts'

export const createApp: Command['run'] = async ({ values, access, print }) => {
  const urls = values['redirect-url']
  if (!Array.isArray(urls) || urls.length === 0) throw new UsageError('--redirect-url is missing')
  const app = {
    name: required(values, 'name'),
    redirect_urls: urls,
    scopes: required(values, 'scopes').split(','),
    state: values.development === true ? 'development' : 'live',
  }
  const form = new FormData()
  form.set('workspace_id', JSON.stringify(required(values, 'workspace')))
  form.set('app', JSON.stringify(app))
  form.set('logo', readLogo(fileOf(values, 'logo')))
  const made = await callOperator(access(), '/internal/oauth-apps', form)
  const { id: app_id, client_id, client_secret } = made as Record<string, string>
  if (values.json === true) print(JSON.stringify({ app_id, client_id, client_secret }))
  else print(`app            ${app_id}\nclient id      ${client_id}\nclient secret  ${client_secret}  (shown once)`)
}

function readLogo(path: string): File {
  try {
    return new File([readFileSync(path)], basename(path))
  } catch (error) {
    throw new UsageError(`the file of --logo cannot be read: ${(error as Error).message}`)
  }
}

/** `suspend`: no secret is accepted and nobody may authorise it any more. `reinstate` lifts that. */
export const commandApp =
  (command: 'suspend' | 'reinstate'): Command['run'] =>
  async ({ values, access, print }) => {
    const id = required(values, 'id')
    if (!/^app_[0-9A-Z]{26}$/.test(id)) throw new UsageError('--id is the id of an app, app_…')
    await callOperator(access(), `/internal/oauth-apps/${id}/${command}`, {})
    print(`${id} is ${command === 'suspend' ? 'suspended' : 'reinstated'}`)
  }
