// Stores the credentials of integrations, as ciphertext only. Plain text never reaches this file's table or its errors.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { EncryptedColumn } from '@wds/service-host/reencrypt-secrets'

/** Table and column that the envelope is bound to (security.md 3). */
export const credentialsColumn = { table: 'integration_credentials', column: 'ciphertext' } as const

/** For `reencrypt-secrets`. Primary key. */
export const storedCredentials: EncryptedColumn = { ...credentialsColumn, id: 'integration_id', of: 'workspace' }

/** The ciphertext, or null. The primary key serves it. */
export async function readCiphertext(tx: Transaction, integrationId: string): Promise<string | null> {
  const { rows } = await tx.query<{ ciphertext: string }>(
    'select ciphertext from integration_credentials where workspace_id = $1 and integration_id = $2',
    [workspaceOf(tx), integrationId],
  )
  return rows[0]?.ciphertext ?? null
}

/** In place of what was stored before. */
export async function writeCiphertext(tx: Transaction, integrationId: string, ciphertext: string): Promise<void> {
  await tx.query(
    `insert into integration_credentials (workspace_id, integration_id, ciphertext) values ($1, $2, $3)
     on conflict (workspace_id, integration_id) do update set ciphertext = excluded.ciphertext`,
    [workspaceOf(tx), integrationId, ciphertext],
  )
}

export async function deleteCiphertext(tx: Transaction, integrationId: string): Promise<void> {
  await tx.query('delete from integration_credentials where workspace_id = $1 and integration_id = $2', [
    workspaceOf(tx),
    integrationId,
  ])
}
