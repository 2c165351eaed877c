// What acts for a person without a password: a new one leaves it, or ends it, and the page says which (decision 95).
import { setWorkspace, withTransaction } from '@wds/postgres/transaction'
import { readAppFaces } from '../connected-apps/store.ts'
import type { Dependencies } from '../dependencies.ts'
import { toConnected } from '../identities/connected.ts'
import { identitiesOf } from '../identities/store.ts'
import { workspacesOf } from '../members/store.ts'
import { countKeysMadeBy } from '../members/store-losses.ts'
import { clientsAllowedBy } from '../oauth/grants/store.ts'

export interface AccessWithoutPassword {
  /** Providers with whose accounts the person signs in. */
  connected: string[]
  /** Apps that the person allowed, in whatever workspace. */
  apps: string[]
  /** Live API keys that the person made, in all workspaces of now. They are the workspaces'. */
  keys: number
  /** Names of the person's workspaces. */
  workspaces: string[]
}

export function readAccessWithoutPassword(
  { pool, providers }: Pick<Dependencies, 'pool' | 'providers'>,
  userId: string,
): Promise<AccessWithoutPassword> {
  return withTransaction(pool, { workspaceId: null, userId, readOnly: true }, async (tx) => {
    const connected = toConnected(await identitiesOf(tx, userId), providers)
    const clientIds = await clientsAllowedBy(tx, userId)
    const faces = await readAppFaces(tx, clientIds)
    const workspaces = await workspacesOf(tx)
    let keys = 0
    for (const { id } of workspaces) {
      await setWorkspace(tx, id)
      keys += await countKeysMadeBy(tx, userId)
    }
    return {
      connected: distinct(connected.map(({ title }) => title)),
      apps: distinct(clientIds.map((clientId) => faces.get(clientId)?.name ?? clientId)),
      keys,
      workspaces: workspaces.map(({ name }) => name),
    }
  })
}

const distinct = (names: readonly string[]) => [...new Set(names)]
