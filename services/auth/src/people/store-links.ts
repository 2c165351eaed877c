// Links with which somebody who has forgotten the password chooses a new one: shown once, used once, 24 hours.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

export interface PasswordLink {
  user_id: string
  /** Whose owner gave it; null: the operator. */
  workspace_id: string | null
  /** `usr_…` of that owner; null: the operator. */
  giver: string | null
}

export async function insertPasswordLink(tx: Transaction, digest: Buffer, o: PasswordLink): Promise<Date> {
  const { rows } = await tx.query<{ expires: Date }>(
    `insert into password_links (digest, user_id, workspace_id, giver, expires)
     values ($1, $2, $3, $4, app_now() + interval '24 hours') returning expires`,
    [digest, o.user_id, o.workspace_id, o.giver],
  )
  return (rows[0] as { expires: Date }).expires
}

/** The live one. By the primary key. */
export async function findPasswordLink(tx: Transaction, digest: Buffer): Promise<PasswordLink | null> {
  const { rows } = await tx.query<PasswordLink & { [column: string]: unknown }>(
    'select user_id, workspace_id, giver from password_links where digest = $1 and expires > app_now()',
    [digest],
  )
  return rows[0] ?? null
}

/** Uses it up: of several at once one gets true. By the primary key. */
export async function takePasswordLink(tx: Transaction, digest: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query('delete from password_links where digest = $1 and expires > app_now()', [digest])
  return rowCount === 1
}

/** All of a person. By password_links_user. */
export async function deletePasswordLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from password_links where user_id = $1', [userId])
}

/** Those that a person gave to others. By a scan: rows live for 24 hours. */
export async function deletePasswordLinksBy(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from password_links where giver = $1', [userId])
}

export async function prunePasswordLinks(pool: Pool): Promise<void> {
  await pool.query('delete from password_links where expires <= app_now()')
}
