// Exports of payouts, as their list shows them (domain.md 3.12).
import { payouts } from '../payouts/resource.ts'
import { listExport } from './export-list.ts'

export const payoutsExport = listExport({
  scope: 'invoices:read',
  listed: payouts,
  columns: {
    id: (row) => row.id,
    status: (row) => row.status,
    sub_affiliate_id: (row) => row.sub_affiliate_id,
    amount: (row) => row.amount,
    currency: (row) => row.currency,
    period_from: (row) => row.period.from,
    period_to: (row) => row.period.to,
    entries: (row) => row.entries,
    scheduled_for: (row) => row.scheduled_for,
    time_zone: (row) => row.time_zone,
    held_reason: (row) => row.held?.reason ?? null,
    created: (row) => row.created,
    paid: (row) => row.paid,
    returned: (row) => row.returned,
    failure_code: (row) => row.failure_code,
    reference: (row) => row.reference,
  },
})
