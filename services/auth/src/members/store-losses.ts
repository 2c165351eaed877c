// What hangs on a member of the transaction's workspace: grants and keys, counted.
import type { Scope } from '@wds/contracts/scopes'
import type { Transaction } from '@wds/postgres/transaction'

/** Live grants of the person that would keep some, and none, of their scopes beside `kept`. Index grants_by_user. */
export async function countNarrowedGrants(
  tx: Transaction,
  { userId, kept }: { userId: string; kept: readonly Scope[] },
): Promise<{ cut: number; ended: number }> {
  const { rows } = await tx.query<{ cut: number; ended: number }>({
    name: 'count-narrowed-grants',
    text: `select count(*) filter (where state -> 'scopes' ?| $3 and not state -> 'scopes' <@ to_jsonb($3::text[]))::int as cut,
                  count(*) filter (where not state -> 'scopes' ?| $3)::int as ended
             from grants where workspace_id = $1 and user_id = $2 and status = 'live'`,
    values: [tx.workspaceId, userId, kept],
  })
  return rows[0] ?? { cut: 0, ended: 0 }
}

/** Keys that the person made and that are neither revoked nor over. Index api_keys_creator. */
export async function countKeysMadeBy(tx: Transaction, userId: string): Promise<number> {
  const { rows } = await tx.query<{ live: number }>({
    name: 'count-keys-made-by',
    text: `select count(*)::int as live from api_keys
            where workspace_id = $1 and creator = $2 and status = 'live' and (expires is null or expires > app_now())`,
    values: [tx.workspaceId, userId],
  })
  return rows[0]?.live ?? 0
}
