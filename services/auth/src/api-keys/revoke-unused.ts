// Ends keys that nobody uses (auth.md 5); the settings API tells of it 30 days before.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { endEach, takeEach } from '@wds/service-host/end-each'
import { serverContext } from '@wds/telemetry/spans'
import { apiKeys } from './aggregate.ts'
import { findUnusedKeys, pruneUses } from './store-uses.ts'

const batch = 100

/** `pool`: of the worker role. Rejects where some could not be ended, once the others are. */
export function revokeUnusedKeys(pool: Pool): Promise<void> {
  const unused = { batch, find: (limit: number) => findUnusedKeys(pool, limit) }
  return takeEach([() => endEach({ ...unused, end: (key) => revoke(pool, key) }), () => pruneUses(pool)])
}

function revoke(pool: Pool, { workspaceId, keyId }: { workspaceId: string; keyId: string }): Promise<void> {
  const actor = { type: 'system', id: 'unused-for-365-days' } as const
  const context = { workspaceId, actor, correlation: newId('req', Date.now()), trace: serverContext(undefined) }
  return withTransaction(pool, { workspaceId }, async (tx) => {
    const loaded = await load(tx, apiKeys, keyId, { lock: true })
    // Its owner was faster.
    if (loaded?.state.status !== 'live') return
    await executeOrFail(tx, apiKeys, { context, loaded, command: { type: 'revoke' } })
  })
}
