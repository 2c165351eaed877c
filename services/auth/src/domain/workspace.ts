/** Decides which workspaces may come into being. Knows nothing of keys, people or requests. */
import { accept, type Decider, reject } from '@wds/decider/decider'

/** The plans of decisions.md 22, smallest first. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof plans)[number]

export interface WorkspaceCreated {
  type: 'WorkspaceCreated'
  data: { workspace_id: string; name: string; slug: string; plan: Plan }
}
export type WorkspaceEvent = WorkspaceCreated

export interface CreateWorkspace {
  type: 'CreateWorkspace'
  workspaceId: string
  /** 1 to 255 characters, stored byte-exact. */
  name: string
  plan: Plan
}
export type WorkspaceCommand = CreateWorkspace
export type WorkspaceRejection = 'already_exists' | 'invalid_name'
export type WorkspaceState = { exists: false } | { exists: true; name: string; slug: string; plan: Plan }

/** `Acme Media GmbH` becomes `acme-media-gmbh`; a name without a letter or digit of ASCII becomes `workspace`. At most 63 characters. */
export function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-').slice(0, 63)
  const trimmed = slug.endsWith('-') ? slug.slice(0, -1) : slug
  return trimmed === '' ? 'workspace' : trimmed
}

export const workspaceDecider: Decider<WorkspaceState, WorkspaceCommand, WorkspaceEvent, WorkspaceRejection> = {
  initialState: { exists: false },
  evolve: (_state, event) => ({
    exists: true,
    name: event.data.name,
    slug: event.data.slug,
    plan: event.data.plan,
  }),
  decide: (state, command) => {
    if (state.exists) return reject('already_exists')
    if (command.name.length < 1 || command.name.length > 255 || command.name.includes('\u0000')) {
      return reject('invalid_name')
    }
    return accept({
      type: 'WorkspaceCreated',
      data: {
        workspace_id: command.workspaceId,
        name: command.name,
        slug: slugOf(command.name),
        plan: command.plan,
      },
    })
  },
}
