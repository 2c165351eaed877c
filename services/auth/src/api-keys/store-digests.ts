// SQL of api_key_digests: by which text a key is found.
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { ApiKeyEvent, StoredKey } from './domain/api-key.ts'

/** Keeps the digests of an event that gives a key a text (primary key, api_key_digests_key). */
export async function keepDigest(tx: Transaction, { type, data }: ApiKeyEvent): Promise<void> {
  if (type !== 'ApiKeyCreated' && type !== 'ApiKeyRotated') return
  if (type === 'ApiKeyRotated') {
    await tx.query(
      'update api_key_digests set ends_at = $3 where workspace_id = $1 and key_id = $2 and (ends_at is null or ends_at > $3)',
      [data.workspace_id, data.key_id, data.previous_ends],
    )
  }
  await tx.query(`insert into api_key_digests (digest, workspace_id, key_id) values (decode($1, 'hex'), $2, $3)`, [
    ...[data.digest, data.workspace_id, data.key_id],
  ])
}

/** A key that is accepted now. `expires`: RFC 3339, of the key or of this text, null for never. */
export interface FoundKey extends Pick<StoredKey, 'key_id' | 'workspace_id' | 'scopes' | 'cidrs' | 'expires'> {}

/** The live key of a text, null when there is none (primary keys). `digest`: SHA-256 in lower-case hex. */
export async function findKeyByDigest(pool: Pool, digest: string): Promise<FoundKey | null> {
  const { rows } = await pool.query<{ workspace_id: string; key_id: string; ends_at: Date | null }>({
    name: 'find-key-by-digest',
    text: `select workspace_id, key_id, ends_at from api_key_digests where digest = decode($1, 'hex')`,
    values: [digest],
  })
  const [text] = rows
  if (text === undefined) return null
  const { workspace_id: workspaceId, key_id, ends_at } = text
  return withTransaction(pool, { workspaceId, readOnly: true }, async (tx) => {
    const { rows: keys } = await tx.query<{ state: StoredKey; expires: Date | null }>({
      name: 'find-live-key',
      text: `select k.state, least(k.expires, $3::timestamptz) as expires
        from api_keys k join workspaces w using (workspace_id)
        where workspace_id = $1 and key_id = $2 and k.status = 'live' and w.status = 'active'
          and (least(k.expires, $3::timestamptz) > app_now()) is not false`,
      values: [workspaceId, key_id, ends_at],
    })
    const [key] = keys
    if (key === undefined) return null
    const { scopes, cidrs } = key.state
    return { key_id, workspace_id: workspaceId, scopes, cidrs, expires: key.expires?.toISOString() ?? null }
  })
}
