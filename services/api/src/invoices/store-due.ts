// When invoices fall overdue: rows that a change of the invoice sets, and that the worker takes in turn over workspaces.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { takeInTurn } from '../work-queue/store-turns.ts'

/** Sets the instant of an invoice, or takes it away. Primary key of invoice_due_work. */
export async function setOverdueAt(tx: Transaction, o: { id: string; atMs: number | null }): Promise<void> {
  const { id, atMs } = o
  if (atMs === null) {
    await tx.query('delete from invoice_due_work where workspace_id = $1 and invoice_id = $2', [workspaceOf(tx), id])
    return
  }
  await tx.query(
    `insert into invoice_due_work (workspace_id, invoice_id, due) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (workspace_id, invoice_id) do update set due = excluded.due`,
    [workspaceOf(tx), id, atMs],
  )
}

export interface DueInvoice {
  workspaceId: string
  id: string
}

/** An invoice whose instant has come, of each workspace in turn, the oldest first. The index invoice_due_work_due and the primary key serve it. */
export function takeDueInvoice(tx: Transaction, after: string): Promise<DueInvoice | null> {
  return takeInTurn(tx, { table: 'invoice_due_work', lock: 'invoice_due', oldestOf }, after)
}

async function oldestOf(tx: Transaction, workspaceId: string): Promise<DueInvoice | null> {
  const { rows } = await tx.query<{ invoice_id: string }>(
    `select invoice_id from invoice_due_work where workspace_id = $1 and due <= app_now() order by due, invoice_id limit 1`,
    [workspaceId],
  )
  return rows[0] ? { workspaceId, id: rows[0].invoice_id } : null
}

/** Looks at the invoice again later. */
export async function deferDueInvoice(tx: Transaction, o: DueInvoice, waitMs: number): Promise<void> {
  await tx.query(
    `update invoice_due_work set due = app_now() + $3::float8 * interval '1 millisecond'
     where workspace_id = $1 and invoice_id = $2`,
    [o.workspaceId, o.id, waitMs],
  )
}
