// Ends keys that nobody uses (auth.md 5); the settings API tells of it 30 days before.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import { apiKeys } from './aggregate.ts'
import { findUnusedKeys, pruneUses } from './store-uses.ts'

const batch = 100

/** `pool`: of the worker role. */
export async function revokeUnusedKeys(pool: Pool): Promise<void> {
  for (let found = batch; found === batch; ) {
    const unused = await findUnusedKeys(pool, batch)
    found = unused.length
    for (const { workspaceId, keyId } of unused) {
      const actor = { type: 'system', id: 'unused-for-365-days' } as const
      const context = { workspaceId, actor, correlation: newId('req', Date.now()), trace: serverContext(undefined) }
      await withTransaction(pool, { workspaceId }, async (tx) => {
        const loaded = await load(tx, apiKeys, keyId, { lock: true })
        // Its owner was faster.
        if (loaded?.state.status !== 'live') return
        await executeOrFail(tx, apiKeys, { context, loaded, command: { type: 'revoke' } })
      })
    }
  }
  await pruneUses(pool)
}
