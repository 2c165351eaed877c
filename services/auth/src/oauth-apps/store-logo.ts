// Logos as bytes: stored for an app, read by strangers by their digest.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** A PNG of 256 × 256 pixels without metadata. `digest`: SHA-256 of it, 32 bytes. */
export interface Logo {
  png: Buffer
  digest: Buffer
}

/** In place of the one before, if there was one. */
export async function storeLogo(tx: Transaction, o: { workspaceId: string; appId: string; logo: Logo }): Promise<void> {
  await tx.query(
    `insert into oauth_app_logos (workspace_id, app_id, digest, png) values ($1, $2, $3, $4)
     on conflict (workspace_id, app_id) do update set digest = excluded.digest, png = excluded.png`,
    [o.workspaceId, o.appId, o.logo.digest, o.logo.png],
  )
}

/** The PNG of this digest, whosever it is (oauth_app_logos_digest). */
export async function readLogo(pool: Pool, digest: Buffer): Promise<Buffer | null> {
  const { rows } = await pool.query<{ png: Buffer }>({
    name: 'read-logo',
    text: 'select png from oauth_app_logos where digest = $1 limit 1',
    values: [digest],
  })
  return rows[0]?.png ?? null
}
