// GET /v1/invoices/{id}.pdf (domain.md 3.7). It never stores anything: a PDF is written each time that one is asked for.
import { hash } from 'node:crypto'
import { load } from '@wds/aggregate/aggregate'
import { loadOr404 } from '@wds/aggregate/resource'
import { FairTurns } from '@wds/http-service/fair-turns'
import { Problem } from '@wds/http-service/problem'
import type { Handle } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { operations } from '../openapi.generated.ts'
import { type DocumentOf, invoiceDocument, pdfLinesMax } from './domain/invoice-document.ts'
import { partiesNow } from './parties-now.ts'
import { invoices } from './resource.ts'
import { writePdf } from './write-pdf.ts'

// One at a time: one of 10,000 lines takes seconds of CPU and tens of MiB (decision 66).
const turns = new FairTurns(1, { waitMs: 10_000 })

/** A draft's text follows the settings and the brand, which its version does not: the tag is that of the bytes. */
export const readPdf: Handle<operations['readInvoicePdf']> = async (request) => {
  const { id } = request.params
  const { bytes, name } = await turns.run(request.client.workspaceId, async () => {
    const of = await request.read((tx) => documentOf(tx, id), { snapshot: true })
    const made = await writePdf(invoiceDocument(of), { signal: request.signal })
    return { bytes: made, name: of.state.number ?? id }
  })
  const etag = `"${hash('sha256', bytes, 'base64url')}"`
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${name}.pdf"`,
  }
  return { status: 200, bytes, headers: { ...headers, etag } }
}

/** Whom it names: as it was generated, and a draft as it would be now. */
async function documentOf(tx: Transaction, id: string): Promise<DocumentOf> {
  const { state, updatedMs } = await loadOr404(tx, invoices, id)
  const { fields, issuer, bill_to } = state
  if (fields === null || updatedMs === null) throw new Error('an invoice without fields')
  if (fields.lines.length > pdfLinesMax)
    throw new Problem('result_too_large', { detail: 'A PDF shows at most 10,000 lines; the CSV has them all.' })
  const corrected = fields.replaces === null ? null : await load(tx, invoices, fields.replaces, { lock: false })
  const parties = bill_to === null ? await partiesNow(tx, fields.brand_slug) : { issuer, billTo: bill_to }
  return { state, ...parties, corrects: corrected?.state.number ?? null, updatedMs }
}
