// When invoices fall overdue: rows that a change of the invoice sets, and that the worker takes in turn over workspaces.
import type { Transaction } from '@wds/postgres/transaction'
import { type DueRow, deferDue, setDue, takeDue } from '../work-queue/store-due-rows.ts'

const rows = { table: 'invoice_due_work', column: 'invoice_id' } as const

/** Sets the instant of an invoice, or takes it away. */
export const setOverdueAt = (tx: Transaction, o: { id: string; atMs: number | null }) => setDue(tx, rows, o)

/** An invoice whose instant has come. */
export const takeDueInvoice = (tx: Transaction, after: string) => takeDue(tx, { ...rows, lock: 'invoice_due' }, after)

/** Looks at the invoice again later. */
export const deferDueInvoice = (tx: Transaction, invoice: DueRow, waitMs: number) =>
  deferDue(tx, rows, { ...invoice, waitMs })
