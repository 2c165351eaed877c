// Decides what a person may do in a workspace by role (auth.md 1.2), and which scopes a role may hand on. Plans stand here too, since
// rights depend on both.
import { type Scope, scopes } from './scopes.ts'

/** The roles of a member, the strongest first. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

/** The plans of settled-points.md 22, smallest first. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof plans)[number]

/** The plans on which a workspace may register and edit apps, and have them newly authorised (settled-points.md 22). */
export const plansWithApps: readonly Plan[] = ['business', 'enterprise']

export function planAllowsApps(plan: Plan): boolean {
  return plansWithApps.includes(plan)
}

/** What a route of the settings API asks of the session's role. */
const rights = {
  /** Register and edit apps, rotate their secrets; the plan is judged beside it. */
  manage_apps: ['owner', 'admin'],
  /** Authorise an app for the workspace. */
  authorize_apps: ['owner', 'admin'],
  /** Make, change, rotate and revoke API keys. */
  manage_keys: ['owner', 'admin'],
  /** See and end the grants of everybody; without it a person's own. */
  manage_grants: ['owner', 'admin'],
  /** Invite, change and remove members; an admin no owners. */
  manage_members: ['owner', 'admin'],
  /** Change name, slug and `strict_event_scopes`; read the audit log. */
  manage_workspace: ['owner', 'admin'],
  /** Delete the workspace. */
  delete_workspace: ['owner'],
  /** Any member. */
  be_member: roles,
} as const satisfies Record<string, readonly Role[]>

/** Name of a right, also as `x-session` in the OpenAPI files. */
export type Right = keyof typeof rights

/** Whether the text names a right. */
export function isRight(text: string): text is Right {
  return Object.hasOwn(rights, text)
}

/** Whether a member of this role has the right. */
export function roleAllows(role: Role, right: Right): boolean {
  return (rights[right] as readonly Role[]).includes(role)
}

/** The roles that have the right, the strongest first. */
export function rolesWith(right: Right): readonly Role[] {
  return rights[right]
}

/** The widest scopes of a grant or console token of a person of this role, in the order of the specification. */
export function scopesOfRole(role: Role): readonly Scope[] {
  if (role === 'viewer') return scopes.filter((scope) => scope.endsWith(':read'))
  return role === 'member' ? scopes.filter((scope) => scope !== 'webhooks:manage') : scopes
}
