// Whose tokens are: the member `user_context` of a token answer (settled-points.md 16).
import { load } from '@wds/aggregate/aggregate'
import { allInOrder, type Transaction } from '@wds/postgres/transaction'
import { workspaces } from '../../workspaces/aggregate.ts'
import { activeName } from './people.ts'

export interface UserContext {
  workspace: { id: string; name: string; slug: string; plan: string }
  user: { id: string; name: string | null }
}

/** In a transaction of the workspace. */
export async function readUserContext(
  tx: Transaction,
  { workspaceId: id, userId }: { workspaceId: string; userId: string },
): Promise<UserContext> {
  const [found, name] = await allInOrder([load(tx, workspaces, id, { lock: false }), activeName(tx, userId)])
  if (found === null || found.state.status === 'none') throw new Error(`workspace ${id} has no row`)
  const { name: workspaceName, slug, plan } = found.state
  return { workspace: { id, name: workspaceName, slug, plan }, user: { id: userId, name } }
}
