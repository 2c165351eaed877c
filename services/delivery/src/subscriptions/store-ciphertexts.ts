// The ciphertexts of signing secrets, for the command that encrypts them by another key.
import type { Queryable } from '@wds/postgres/pool'

/** A secret as stored. `id` is unique by itself: it begins with the subscription's. */
export interface StoredCiphertext {
  workspaceId: string
  id: string
  ciphertext: string
}

/** The next secrets behind `after` by id. The table is read in its order: by hand, seldom. */
export async function listSecrets(db: Queryable, after: string, limit: number): Promise<StoredCiphertext[]> {
  const { rows } = await db.query<StoredCiphertext>(
    `select workspace_id as "workspaceId", secret_id as id, ciphertext from subscription_secrets
      where secret_id > $1 order by secret_id limit $2`,
    [after, limit],
  )
  return rows
}

/** One round trip. One that was removed or replaced meanwhile is left alone; returns how many were replaced. */
export async function replaceCiphertexts(
  db: Queryable,
  secrets: (StoredCiphertext & { anew: string })[],
): Promise<number> {
  if (secrets.length === 0) return 0
  const { rowCount } = await db.query(
    `update subscription_secrets s set ciphertext = n.anew
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) n(workspace, id, old, anew)
      where s.workspace_id = n.workspace and s.subscription_id = split_part(n.id, '.', 1) and s.secret_id = n.id and s.ciphertext = n.old`,
    [
      secrets.map(({ workspaceId }) => workspaceId),
      secrets.map(({ id }) => id),
      secrets.map(({ ciphertext }) => ciphertext),
      secrets.map(({ anew }) => anew),
    ],
  )
  return rowCount ?? 0
}
