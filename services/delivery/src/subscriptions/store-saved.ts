// What subscriptions ask for and with which scopes they were saved.
import type { Scope } from '@wds/contracts/scopes'
import type { Transaction } from '@wds/postgres/transaction'

export interface Saved {
  id: string
  url: string
  events: string[]
  /** Of whoever saved it last; none where that is not known, as fan-out takes it. */
  scopes: Scope[]
}

/** All of the transaction's workspace, of which there are 50 at most, oldest first. Index subscriptions_live. */
export async function listSaved(tx: Transaction): Promise<Saved[]> {
  const { rows } = await tx.query<Saved & { [column: string]: unknown }>({
    name: 'subscriptions-saved',
    text: `select subscription_id as id, url, events, coalesce(scopes, '{}') as scopes from subscriptions
            where workspace_id = $1 and status <> 'deleted' order by created, subscription_id`,
    values: [tx.workspaceId],
  })
  return rows
}
