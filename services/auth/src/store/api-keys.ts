/** Rows of API keys, each the fold of its stream. Never holds a key, only its digest. */
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { ApiKeyCreated } from '../domain/api-key.ts'

/** Keys that are neither revoked nor over. Primary key prefix (workspace_id). */
export async function countLiveKeys(tx: Transaction, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ live: number }>({
    name: 'count_live_keys',
    text: `select count(*)::int as live from api_keys
            where workspace_id = $1 and revoked is null and (expires is null or expires > app_now())`,
    values: [workspaceId],
  })
  return rows[0]?.live ?? 0
}

export async function insertApiKey(
  tx: Transaction,
  key: ApiKeyCreated['data'],
  at: { version: number; created: string },
): Promise<void> {
  await tx.query({
    name: 'insert_api_key',
    text: `insert into api_keys (workspace_id, key_id, digest, prefix, last4, name, scopes, cidrs, expires, version, created, updated)
           values ($1, $2, decode($3, 'hex'), $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    values: [
      key.workspace_id,
      key.key_id,
      key.digest,
      key.prefix,
      key.last4,
      key.name,
      key.scopes,
      key.cidrs,
      key.expires,
      at.version,
      at.created,
    ],
  })
}

const prunedMax = 1_000

/** Removes keys that were revoked more than 31 days ago, at most 1,000 in one statement until all are gone (api_keys_revoked). */
export async function pruneRevokedKeys(pool: Pool): Promise<void> {
  for (let removed = prunedMax; removed === prunedMax; ) {
    const { rowCount } = await pool.query(
      `delete from api_keys where (workspace_id, key_id) in (
        select workspace_id, key_id from api_keys where revoked < app_now() - interval '31 days' order by revoked limit $1)`,
      [prunedMax],
    )
    removed = rowCount ?? 0
  }
}
