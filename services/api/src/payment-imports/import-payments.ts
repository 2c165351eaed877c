// Records the payments of a file, a batch of lines at a time (domain.md 3.12).
import { type Decided, decideNext, load, storeDecided, undecided } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import type { Transaction } from '@wds/postgres/transaction'
import { importInBatches, type Outcome } from '../files/in-batches.ts'
import { contextOf, type OpenFile } from '../files/open-file.ts'
import type { InvoiceEvent, InvoiceState } from '../invoices/domain/invoice-parts.ts'
import { invoices } from '../invoices/resource.ts'
import { rejected } from '../sources/domain/check-row.ts'
import {
  checkPaymentLine,
  judgePayment,
  type PaymentLine,
  paymentColumns,
  refusedPayment,
} from './domain/payment-line.ts'
import { findInvoiceIds } from './store-invoice-ids.ts'

type PaymentCells = Extract<PaymentLine, { ok: true }>['cells']

export const importPayments = (tx: Transaction, file: OpenFile): Promise<void> =>
  importInBatches(tx, file, { columns: paymentColumns, check: checkPaymentLine, record: recordPayments })

type DecidedInvoice = Decided<InvoiceState, InvoiceEvent>

async function recordPayments(tx: Transaction, file: OpenFile, lines: readonly PaymentCells[]): Promise<Outcome[]> {
  const ids = await findInvoiceIds(tx, [...new Set(lines.map(({ invoice }) => invoice))])
  const found = await loadAll(tx, new Set(ids.values()))
  const outcomes = lines.map((cells) => recordOne({ cells, ids, found }))
  for (const decided of found.values()) await storeDecided(tx, invoices, { context: contextOf(file.work), decided })
  return outcomes
}

/** In the order of their ids, which is that of their age: an invoice is locked before the credit notes that correct it, as elsewhere. */
async function loadAll(tx: Transaction, ids: ReadonlySet<string>): Promise<Map<string, DecidedInvoice>> {
  const found = new Map<string, DecidedInvoice>()
  for (const id of [...ids].sort()) {
    const loaded = await load(tx, invoices, id, { lock: true })
    if (loaded !== null) found.set(id, undecided(loaded))
  }
  return found
}

/** `found`: invoices as they are behind the lines before; each is written once, behind the last line. */
function recordOne(o: {
  cells: PaymentCells
  ids: ReadonlyMap<string, string>
  found: Map<string, DecidedInvoice>
}): Outcome {
  const { cells, found } = o
  const id = o.ids.get(cells.invoice) ?? ''
  const before = found.get(id)
  if (before === undefined) return rejected('unknown_invoice', 'invoice', cells.invoice)
  const { nowMs } = before.loaded
  const judged = judgePayment(cells, before.state, nowMs)
  if (!judged.ok) return judged
  if (judged.payment === null) return 'unchanged'
  const payment = { id: newId('ipm', nowMs), ...judged.payment }
  const command = { type: 'record_payment', payment, atMs: nowMs } as const
  const outcome = decideNext(invoices, before, command)
  if (!outcome.ok) return refusedPayment(outcome.error, cells)
  found.set(id, outcome.value)
  return 'recorded'
}
