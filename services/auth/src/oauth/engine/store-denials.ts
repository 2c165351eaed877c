// Access tokens that were revoked one by one, until they are over.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** False: it was denied before. `exp`: epoch seconds. */
export async function denyToken(
  tx: Transaction,
  { workspaceId, jti, exp }: { workspaceId: string; jti: string; exp: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'deny-token',
    // A little longer than it lives: clocks differ.
    text: `insert into token_denials (workspace_id, jti, expires_at) values ($1, $2, to_timestamp($3) + interval '1 minute')
      on conflict do nothing`,
    values: [workspaceId, jti, exp],
  })
  return rowCount === 1
}

/** The primary key serves it. */
export async function isTokenDenied(tx: Transaction, workspaceId: string, jti: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'is-token-denied',
    text: 'select from token_denials where workspace_id = $1 and jti = $2',
    values: [workspaceId, jti],
  })
  return rowCount === 1
}

/** By a scan: the table holds what was revoked within the hour. `pool`: of the worker role. */
export async function pruneDenials(pool: Pool): Promise<void> {
  await pool.query('delete from token_denials where expires_at < app_now()')
}
