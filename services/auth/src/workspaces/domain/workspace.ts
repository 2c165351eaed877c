// Decides which workspaces there are, how they are called and which plan they have. Knows nothing of keys, people or requests.
import type { AuthEvent } from '@wds/contracts/auth-events'
import type { Plan } from '@wds/contracts/roles'
import { accept, type Decider, reject } from '@wds/decider/decider'
import { hidesCharacters, isOurName } from '../../names/domain/shown-name.ts'

export type WorkspaceEvent = AuthEvent<
  'WorkspaceCreated' | 'WorkspaceChanged' | 'WorkspacePlanChanged' | 'WorkspaceDeleted'
>

export interface CreateWorkspace {
  type: 'create'
  workspaceId: string
  /** 1 to 255 characters that are seen, stored byte-exact; not the name of this service. */
  name: string
  plan: Plan
}
/** What owners and admins set. */
export interface WorkspaceSettings {
  name: string
  /** Lower-case letters, digits and hyphens, 1 to 63. */
  slug: string
  /** settled-points.md 20. */
  strict_event_scopes: boolean
}
export interface ChangeWorkspace {
  type: 'update'
  workspaceId: string
  patch: Partial<WorkspaceSettings>
}
/** By the operator alone. */
export interface ChangePlan {
  type: 'change_plan'
  workspaceId: string
  plan: Plan
}
export interface DeleteWorkspace {
  type: 'delete'
  workspaceId: string
}
export type WorkspaceCommand = CreateWorkspace | ChangeWorkspace | ChangePlan | DeleteWorkspace
export type WorkspaceRejection = 'already_exists' | 'not_found' | 'invalid_name' | 'invalid_slug'
export type WorkspaceState = { status: 'none' } | ({ status: 'active' | 'deleted'; plan: Plan } & WorkspaceSettings)

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

// Strangers read it on the consent page.
const isName = (name: string) => name.length <= 255 && name.trim() !== '' && !hidesCharacters(name) && !isOurName(name)
const isSlug = (slug: string) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)

type Made = { name: string; slug: string; plan: Plan }

export const workspaceDecider: Decider<WorkspaceState, WorkspaceCommand, WorkspaceEvent, WorkspaceRejection> = {
  initialState: { status: 'none' },
  evolve(state, { type, data: { workspace_id: _, ...data } }) {
    if (type === 'WorkspaceCreated') return { status: 'active', strict_event_scopes: false, ...(data as Made) }
    if (state.status === 'none') return state
    switch (type) {
      case 'WorkspaceChanged':
      case 'WorkspacePlanChanged':
        return { ...state, ...data }
      case 'WorkspaceDeleted':
        return { ...state, status: 'deleted' }
    }
  },
  decide: (state, command) => {
    if (command.type === 'create') return create(state, command)
    if (state.status !== 'active') return reject('not_found')
    const { workspaceId: workspace_id } = command
    if (command.type === 'delete') return accept({ type: 'WorkspaceDeleted', data: { workspace_id } })
    if (command.type === 'change_plan') {
      if (command.plan === state.plan) return accept()
      return accept({ type: 'WorkspacePlanChanged', data: { workspace_id, plan: command.plan } })
    }
    const { patch } = command
    if (!isName(patch.name ?? state.name)) return reject('invalid_name')
    if (!isSlug(patch.slug ?? state.slug)) return reject('invalid_slug')
    const names = ['name', 'slug', 'strict_event_scopes'] as const
    const changed = names.filter((name) => patch[name] !== undefined && patch[name] !== state[name])
    if (changed.length === 0) return accept()
    const values = Object.fromEntries(changed.map((name) => [name, patch[name]])) as Partial<WorkspaceSettings>
    return accept({ type: 'WorkspaceChanged', data: { workspace_id, ...values } })
  },
}

function create(state: WorkspaceState, { workspaceId, name, plan }: CreateWorkspace) {
  if (state.status !== 'none') return reject('already_exists' as const)
  if (!isName(name)) return reject('invalid_name' as const)
  const data = { workspace_id: workspaceId, name, slug: slugOf(name), plan }
  return accept({ type: 'WorkspaceCreated' as const, data })
}
