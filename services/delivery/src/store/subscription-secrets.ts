// Signing secrets, as ciphertext only. The plain text never reaches this file's tables or its errors.
import type { Transaction } from '@wds/postgres/transaction'

/** Table and column that the envelope of a secret is bound to (security.md 3). */
export const secretColumn = { table: 'subscription_secrets', column: 'ciphertext' } as const

/** Stores one secret; `hint` is its last four characters. */
export async function insertSecret(
  tx: Transaction,
  o: { subscriptionId: string; secretId: string; version: number; ciphertext: string; hint: string; created: string },
): Promise<void> {
  await tx.query({
    name: 'secret-insert',
    text: `insert into subscription_secrets (workspace_id, subscription_id, secret_id, version, ciphertext, hint, created)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [tx.workspaceId, o.subscriptionId, o.secretId, o.version, o.ciphertext, o.hint, o.created],
  })
}
