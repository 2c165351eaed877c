// SQL of api_key_uses: when keys were last let in.
import type { ApiKeysUsed } from '@wds/contracts/access-events'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** A key that was not used, changed or rotated for so long is revoked (auth.md 5). */
export const unusedDaysMax = 365

/** Keeps the latest minute of each key, in whatever order they are told (primary key). */
export async function keepUses(tx: Transaction, { used, keys }: ApiKeysUsed): Promise<void> {
  await tx.query({
    name: 'keep-key-uses',
    text: `insert into api_key_uses (workspace_id, key_id, last_used)
      select w, k, date_trunc('minute', $3::timestamptz) from unnest($1::text[], $2::text[]) as u(w, k) order by w, k
      on conflict (workspace_id, key_id) do update set last_used = excluded.last_used
        where api_key_uses.last_used < excluded.last_used`,
    values: [keys.map(({ workspace_id }) => workspace_id), keys.map(({ key_id }) => key_id), used],
  })
}

/** Last uses of keys of the workspace of `tx`, by key; of those that were never used none (primary key). */
export async function readUses(tx: Transaction, keyIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await tx.query<{ id: string; last_used: Date }>({
    name: 'read-key-uses',
    text: 'select key_id as id, last_used from api_key_uses where workspace_id = $1 and key_id = any ($2::text[])',
    values: [tx.workspaceId, keyIds],
  })
  return new Map(rows.map(({ id, last_used }) => [id, last_used]))
}

/** Live keys that are to be revoked, at most `limit`. By a scan: of keys there are few. `pool`: of the worker role. */
export async function findUnusedKeys(pool: Pool, limit: number): Promise<{ workspaceId: string; keyId: string }[]> {
  const { rows } = await pool.query<{ workspaceId: string; keyId: string }>(
    `select workspace_id as "workspaceId", key_id as "keyId" from api_keys k left join api_key_uses u using (workspace_id, key_id)
      where k.status = 'live' and greatest(k.updated, u.last_used) < app_now() - make_interval(days => $1)
      order by workspace_id, key_id limit $2`,
    [unusedDaysMax, limit],
  )
  return rows
}

/** Removes uses of keys that are gone by now: a live key that was not used for so long is none. api_key_uses_old serves it. */
export async function pruneUses(pool: Pool): Promise<void> {
  await pool.query("delete from api_key_uses where last_used < app_now() - interval '400 days'")
}
