// Deletes the apps of a workspace that ends: whoever allowed them, in whatever workspace, has no connected app of nobody.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { oauthApps } from './aggregate.ts'
import type { EndGrantsOfApp } from './resource.ts'
import { listApps } from './store.ts'

/** All of the transaction's workspace, whose row the caller has locked, so none is registered meanwhile. */
export async function deleteApps(
  tx: Transaction,
  { context, endGrants }: { context: AppendContext; endGrants: EndGrantsOfApp },
): Promise<void> {
  for (const appId of await listApps(tx, context.workspaceId)) {
    const loaded = await load(tx, oauthApps, appId, { lock: true })
    // Deleted by somebody else in this moment.
    if (loaded === null || loaded.state.status === 'deleted') continue
    await endGrants(tx, appId, context)
    await executeOrFail(tx, oauthApps, { context, loaded, command: { type: 'delete' } })
  }
}
