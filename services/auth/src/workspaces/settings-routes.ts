// The workspace in the settings API: reading (also with any token), changing, deleting, and its audit log.
import { execute, load } from '@wds/aggregate/aggregate'
import { commonFields } from '@wds/aggregate/resource'
import { requireMatch } from '@wds/http-service/conditional'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { Grants } from '../members/ports.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { workspaces } from './aggregate.ts'
import type { WorkspaceRejection, WorkspaceSettings, WorkspaceState } from './domain/workspace.ts'

type Loaded = NonNullable<Awaited<ReturnType<typeof load<WorkspaceState>>>>

/** 404 for one that is gone. */
export async function loadWorkspace(tx: Transaction, workspaceId: string, o: { lock: boolean }): Promise<Loaded> {
  const found = await load(tx, workspaces, workspaceId, o)
  if (found?.state.status !== 'active') throw new Problem('not_found')
  return found
}

export function toApi(found: Loaded) {
  if (found.state.status === 'none') throw new Error('a workspace that is stored was created')
  const { status: _, ...fields } = found.state
  return { ...commonFields('workspace', found), ...fields }
}

/** Carries a command out on the workspace of the client. Throws the Problem of a refusal. */
async function command(
  tx: Transaction,
  request: ApiRequest,
  what: { type: 'update'; patch: Partial<WorkspaceSettings> } | { type: 'delete' },
): Promise<Loaded> {
  const { workspaceId } = request.session
  const loaded = await loadWorkspace(tx, workspaceId, { lock: true })
  requireMatch(request, loaded.version)
  const outcome = await execute(tx, workspaces, { context: request.context, loaded, command: { ...what, workspaceId } })
  if (!outcome.ok) throw refusal(outcome.error)
  return outcome.value
}

const faults = {
  invalid_name: ['/name', 'Must hold characters that are seen and no others, and not be the name of this service.'],
  invalid_slug: ['/slug', 'Must be 1 to 63 small letters, digits and hyphens, and begin with a letter or digit.'],
} as const

function refusal(rejection: WorkspaceRejection): Problem {
  if (rejection === 'not_found' || rejection === 'already_exists') return new Problem(rejection)
  const [pointer, detail] = faults[rejection]
  return problemOfFaults([{ pointer, code: 'invalid_value', detail }])
}

const read: Handle<operations['readWorkspace']> = async (request) => {
  const found = await request.read((tx) => loadWorkspace(tx, request.client.workspaceId, { lock: false }))
  return { status: 200, body: toApi(found), version: found.version }
}

const change: Handle<operations['changeWorkspace']> = (request) =>
  request.write(async (tx) => {
    const changed = await command(tx, request, { type: 'update', patch: request.body })
    return { status: 200, body: toApi(changed), version: changed.version }
  })

/** What ends with a workspace, given in by the files of src/. */
interface Endings {
  grants: Grants
  endApps(tx: Transaction, context: ApiRequest['context']): Promise<void>
}

/** Its grants and apps end with it; keys and tokens are refused by the event, and nobody finds it any more. */
const remove =
  ({ grants, endApps }: Endings): Handle<operations['deleteWorkspace']> =>
  (request) =>
    request.write(async (tx) => {
      const { workspaceId } = request.session
      await command(tx, request, { type: 'delete' })
      const { workspaceId: _, ...by } = request.context
      await grants.end(tx, { workspaceId }, { reason: 'workspace_deleted', by })
      await endApps(tx, request.context)
      return { status: 204 }
    })

export const workspaceSettingsRoutes = (o: Endings): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/workspace', scope: 'any', session: 'be_member', handle: read },
  { method: 'PATCH', path: '/v1/workspace', session: 'manage_workspace', handle: change },
  { method: 'DELETE', path: '/v1/workspace', session: 'delete_workspace', handle: remove(o) },
]
