// Exports of invoices, as their list shows them (domain.md 3.12).
import { listedInvoices } from '../invoices/resource.ts'
import { listExport } from './export-list.ts'

export const invoicesExport = listExport({
  scope: 'invoices:read',
  listed: listedInvoices,
  columns: {
    id: (row) => row.id,
    number: (row) => row.number,
    kind: (row) => row.kind,
    status: (row) => row.status,
    brand_slug: (row) => row.brand_slug,
    period_from: (row) => row.period.from,
    period_to: (row) => row.period.to,
    time_zone: (row) => row.time_zone,
    currency: (row) => row.currency,
    line_items_count: (row) => row.line_items_count,
    subtotal: (row) => row.subtotal,
    tax_amount: (row) => row.tax_amount,
    total: (row) => row.total,
    amount_paid: (row) => row.amount_paid,
    amount_due: (row) => row.amount_due,
    dispute_reason: (row) => row.dispute?.reason ?? null,
    created: (row) => row.created,
    issued: (row) => row.issued,
    sent: (row) => row.sent,
    due: (row) => row.due,
    paid: (row) => row.paid,
    voided: (row) => row.voided,
    replaces: (row) => row.replaces,
    replaced_by: (row) => row.replaced_by,
    memo: (row) => row.memo,
  },
})
