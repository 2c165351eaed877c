// The console's own pages call with a token of five minutes that acts for a signed-in person (auth.md 1.4). Here stands who that is, and
// what the person's role lets the pages do where no scope says it.
import { type Right, type Role, roleAllows, roles, scopesOfRole } from '@wds/contracts/roles'
import { Problem } from './problem.ts'
import type { RequestClient } from './route.ts'
import { roleNotAllowed } from './session.ts'

/** Client id of the console's tokens. */
const consoleId = 'console'

/** Who acts: of a console token the person, else the client itself. */
export function actorOf(client: RequestClient): Pick<RequestClient, 'id'> & { type: RequestClient['kind'] } {
  return isConsole(client) ? { type: 'user', id: client.userId } : { type: client.kind, id: client.id }
}

/** Is it a token of the console? */
export function isConsole(client: RequestClient): client is RequestClient & { kind: 'client' } {
  return client.kind === 'client' && client.id === consoleId
}

/**
 * For what only a signed-in person of a role does, through the console. Throws Problems `session_required` for every other token and
 * `role_not_allowed`. A console token has the scopes of the role, by which roles with the same scopes are not told apart: a right that
 * one of them lacks is refused to both.
 */
export function judgeConsole(client: RequestClient, right: Right): void {
  if (!isConsole(client)) {
    throw new Problem('session_required', { detail: 'Only a signed-in person does this, in the console.' })
  }
  const possible = roles.filter((role) => isSame(new Set(scopesOfRole(role)), client.scopes))
  const [role = null] = possible
  if (role === null || !possible.every((one: Role) => roleAllows(one, right))) throw roleNotAllowed(right, role)
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one))
}
