// Finds invoices by what a file names them. It never reads more of them than that.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'

/** Ids of invoices by their id or number; what names none is missing. The primary key and the index invoices_number serve it. */
export async function findInvoiceIds(tx: Transaction, names: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ name: string; id: string }>(
    `select id as name, id from invoices where workspace_id = $1 and id = any($2)
     union all select number, id from invoices where workspace_id = $1 and number = any($2)`,
    [workspaceOf(tx), names],
  )
  return new Map(rows.map(({ name, id }) => [name, id]))
}
