// What a role means, what a person loses with another one, and who may change whom (auth.md 1.2).
import { type Right, type Role, roleAllows, roles, scopesOfRole } from '@wds/contracts/roles'
import { type Scope, scopes } from '@wds/contracts/scopes'
import { counted } from '../texts/counts.ts'

/** A row of the table of roles: a right, or a scope of what the role can hand on. */
export interface RoleRow {
  key: Right | Scope
  allowed: readonly Role[]
}

const rights: readonly Right[] = [
  'manage_apps',
  'authorize_apps',
  'manage_keys',
  'manage_grants',
  'manage_members',
  'manage_workspace',
  'delete_workspace',
]

/** Rights first, then the scopes in the order of the specification. */
export const roleRows: readonly RoleRow[] = [
  ...rights.map((key) => ({ key, allowed: roles.filter((role) => roleAllows(role, key)) })),
  ...scopes.map((key) => ({ key, allowed: roles.filter((role) => scopesOfRole(role).includes(key)) })),
]

/** The roles that a person of this role may give. An admin makes no owners. */
export const rolesToGive = (own: Role): readonly Role[] =>
  own === 'owner' ? roles : roles.filter((r) => r !== 'owner')

/** May somebody of the role `own` change or remove a member of the role `other`? Owners are changed by owners alone. */
export function mayChange(own: Role, other: Role): boolean {
  return roleAllows(own, 'manage_members') && (own === 'owner' || other !== 'owner')
}

interface Losses {
  /** Null: removed. */
  role: Role | null
  scopes: readonly string[]
  grants_cut: number
  grants_ended: number
  api_keys: number
}

/** One sentence for each kind of loss; none: nothing is lost. */
export function lossLines(losses: Losses): string[] {
  const { scopes: lost, grants_cut: cut, grants_ended: ended, api_keys: keys } = losses
  const lines: string[] = []
  if (lost.length > 0 && losses.role !== null) lines.push(`No longer: ${lost.join(', ')}.`)
  if (ended > 0) lines.push(`${counted(ended, 'connected app ends', 'connected apps end')}.`)
  if (cut > 0) lines.push(`${counted(cut, 'connected app loses', 'connected apps lose')} scopes.`)
  if (keys > 0) lines.push(`${counted(keys, 'API key')} that the person made ${keys === 1 ? 'stays' : 'stay'}.`)
  return lines
}
