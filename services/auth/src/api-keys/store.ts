// What is asked of all rows of API keys.
import { deleteInBatches } from '@wds/postgres/delete-in-batches'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** Keys that are neither revoked nor over. Primary key prefix (workspace_id). */
export async function countLiveKeys(tx: Transaction, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ live: number }>({
    name: 'count-live-keys',
    text: `select count(*)::int as live from api_keys
            where workspace_id = $1 and status = 'live' and (expires is null or expires > app_now())`,
    values: [workspaceId],
  })
  return rows[0]?.live ?? 0
}

/** Removes keys that were revoked more than 31 days ago (api_keys_revoked). */
export const pruneRevokedKeys = (pool: Pool): Promise<void> =>
  deleteInBatches(
    pool,
    `delete from api_keys where (workspace_id, key_id) in (
       select workspace_id, key_id from api_keys
        where status = 'revoked' and updated < app_now() - interval '31 days' order by updated limit $1)`,
  )
