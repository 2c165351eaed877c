// What the engine asks of people: read from their rows on every request.
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { membershipOf } from '../../members/store.ts'
import { findAccount } from '../../people/store.ts'

/** Name of a person who may act; null: unknown, disabled or erased. */
export async function activeName(tx: Transaction, userId: string): Promise<string | null> {
  const account = await findAccount(tx, userId)
  return account?.status === 'active' ? account.name : null
}

/** May this person act, and in this workspace where one is named? */
export function mayAct(pool: Pool, userId: string, workspaceId: string | null): Promise<boolean> {
  return withTransaction(pool, { workspaceId, readOnly: true }, async (tx) => {
    const isMember = async () => workspaceId === null || (await membershipOf(tx, workspaceId, userId)) !== null
    const [name, isThere] = await allInOrder([activeName(tx, userId), isMember()])
    return name !== null && isThere
  })
}
