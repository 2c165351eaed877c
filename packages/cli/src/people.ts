// `people disable`, `people erase`, `people password-link`: accounts, which belong to no workspace.
import { type Command, required } from './command.ts'
import { callOperator } from './operator.ts'

/** `disable`: nobody signs in with it and its grants end. `erase`: besides, it leaves its workspaces, and name and address are removed for good. */
export const endPerson =
  (command: 'disable' | 'erase'): Command['run'] =>
  async ({ values, access, print }) => {
    const email = required(values, 'email')
    const { user_id: id } = await callOperator(access(), `/internal/people/${command}`, { email })
    print(`${id} is ${command}d`)
  }

export const makePasswordLink: Command['run'] = async ({ values, access, print }) => {
  const email = required(values, 'email')
  const made = await callOperator(access(), '/internal/people/password-link', { email })
  const { link, expires } = made as Record<string, string>
  print(values.json === true ? JSON.stringify({ link, expires }) : `${link}  (single use, until ${expires})`)
}
