// Records the payments of a file (domain.md 3.12). The first turn reads it whole, so that a file that is none records nothing; each further
// one records a batch of lines and how far it came, in one transaction.
import { type Decided, decideNext, load, storeDecided, undecided } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { Turn } from '@wds/pacing/turn'
import type { Transaction } from '@wds/postgres/transaction'
import { headerOf, piecesFrom } from '../files/file-place.ts'
import { chunksOf, completeFile, contextOf, noCounts, type OpenFile } from '../files/open-file.ts'
import { readLines } from '../files/read-lines.ts'
import type { ImportCounts } from '../imports/domain/import.ts'
import { type FileProgress, keepProgress } from '../imports/store-file-work.ts'
import { addRejects, rejectOf } from '../imports/store-rejects.ts'
import type { InvoiceEvent, InvoiceState } from '../invoices/domain/invoice-parts.ts'
import { invoices } from '../invoices/resource.ts'
import { type RejectedRow, rejected } from '../sources/domain/check-row.ts'
import { recordsMax, rejectsKeptMax } from '../sources/domain/ingest-limits.ts'
import { SourceFailure } from '../sources/source.ts'
import {
  checkPaymentLine,
  judgePayment,
  type PaymentLine,
  paymentColumns,
  refusedPayment,
} from './domain/payment-line.ts'
import { findInvoiceIds } from './store-invoice-ids.ts'

/** Lines of a turn: who pays an invoice by hand waits for one at most. */
export const batchLines = 100

export async function importPayments(tx: Transaction, file: OpenFile): Promise<void> {
  const { work } = file
  if (work.progress === null) {
    await readWhole(tx, file)
    return keepProgress(tx, work, { byte: 0, line: 0, counts: noCounts })
  }
  const { lines, place, isEnd } = await readBatch(tx, file, work.progress)
  const counts = await recordBatch(tx, file, { lines, before: work.progress.counts })
  if (isEnd) await completeFile(tx, file, { counts })
  else await keepProgress(tx, work, { ...place, counts })
}

/** Throws SourceFailure for a file that is none, or too large. */
async function readWhole(tx: Transaction, { work, order: { format } }: OpenFile): Promise<void> {
  const turn = new Turn()
  let seen = 0
  for await (const { line } of readLines({ bytes: chunksOf(tx, work), format, columns: paymentColumns })) {
    if (turn.isOver()) await turn.pass()
    seen += 1
    if (seen > recordsMax) throw new SourceFailure('feed_too_large', line)
  }
}

type DecidedInvoice = Decided<InvoiceState, InvoiceEvent>

interface NumberedLine {
  line: number
  row: PaymentLine
}

async function readBatch(
  tx: Transaction,
  { work, order: { format } }: OpenFile,
  { byte, line }: FileProgress,
): Promise<{ lines: NumberedLine[]; place: { byte: number; line: number }; isEnd: boolean }> {
  const place = { byte, line }
  const header = format === 'csv' && byte > 0 ? await headerOf(tx, work) : []
  const bytes = piecesFrom(tx, work, place)
  const behind = byte === 0 ? {} : { behind: { lines: line, header } }
  const lines: NumberedLine[] = []
  for await (const { line, row } of readLines({ bytes, format, columns: paymentColumns, ...behind })) {
    lines.push({ line, row: row.ok ? checkPaymentLine(row.cells) : row })
    if (lines.length === batchLines) return { lines, place, isEnd: false }
  }
  return { lines, place, isEnd: true }
}

/** Gives the counts behind the batch. */
async function recordBatch(
  tx: Transaction,
  file: OpenFile,
  { lines, before }: { lines: NumberedLine[]; before: ImportCounts },
): Promise<ImportCounts> {
  const { workspaceId, importId } = file.work
  const names = lines.flatMap(({ row }) => (row.ok ? [row.cells.invoice] : []))
  const ids = await findInvoiceIds(tx, [...new Set(names)])
  const found = await loadAll(tx, new Set(ids.values()))
  const rejects = []
  let unchanged = 0
  for (const { line, row } of lines) {
    const outcome = row.ok ? recordOne({ cells: row.cells, ids, found }) : row
    if (outcome === 'unchanged') unchanged += 1
    else if (outcome !== 'recorded') rejects.push(rejectOf(line, outcome))
  }
  for (const decided of found.values()) await storeDecided(tx, invoices, { context: contextOf(file.work), decided })
  await addRejects(tx, workspaceId, importId, rejects.slice(0, Math.max(0, rejectsKeptMax - before.rejected)))
  return {
    lines: before.lines + lines.length,
    accepted: before.accepted + lines.length - rejects.length,
    rejected: before.rejected + rejects.length,
    unchanged: before.unchanged + unchanged,
  }
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
  cells: Extract<PaymentLine, { ok: true }>['cells']
  ids: ReadonlyMap<string, string>
  found: Map<string, DecidedInvoice>
}): 'recorded' | 'unchanged' | RejectedRow {
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
