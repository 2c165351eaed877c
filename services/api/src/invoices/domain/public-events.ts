// Decides what others are told of an invoice (domain.md 5.28 to 5.35). Nothing is told of a draft.
import type { PublicEvent } from '@wds/contracts/envelope'
import type { Payment } from './amounts.ts'
import { replacedBy, totalsOfInvoice } from './invoice.ts'
import type { InvoiceEvent, InvoiceState } from './invoice-parts.ts'

/** Announcement of an invoice's event, or null. `state` is the state after all events of the command. */
export function invoicePublicEvent(id: string, state: InvoiceState, event: InvoiceEvent): PublicEvent | null {
  const { fields, number } = state
  if (fields === null) throw new Error('an invoice without fields')
  const { brand_slug, currency } = fields
  if (event.type === 'InvoiceVoided') {
    const { total: amount } = totalsOfInvoice(state)
    const data = { invoice_id: id, number, brand_slug, amount, currency, replaced_by: replacedBy(state) }
    return { type: 'invoice.voided', onceKey: id, data }
  }
  if (number === null) return null
  const place = { invoice_id: id, number, brand_slug }
  const { total, amount_due } = totalsOfInvoice(
    event.type === 'PaymentRecorded' ? upTo(state, event.data.payment) : state,
  )
  const updated = (changed: string[]): PublicEvent => ({
    type: 'invoice.updated',
    onceKey: null,
    data: { ...place, changed },
  })
  switch (event.type) {
    case 'InvoiceDrafted':
      return null
    case 'InvoiceUpdated':
      return updated(event.data.changed)
    case 'InvoiceGenerated': {
      const { kind, period } = fields
      const about = { kind, period_from: period.from, period_to: period.to, amount: total, currency }
      return { type: 'invoice.generated', onceKey: id, data: { ...place, ...about, due: event.data.due } }
    }
    case 'InvoiceSent':
      return { type: 'invoice.sent', onceKey: null, data: { ...place, channel: event.data.channel } }
    case 'PaymentRecorded': {
      // The last one is told as invoice.paid.
      if (amount_due === 0) return null
      const { id: onceKey, amount } = event.data.payment
      return { type: 'invoice.partially_paid', onceKey, data: { ...place, amount, amount_due, currency } }
    }
    case 'InvoicePaid': {
      const paid = new Date(event.data.at_ms).toISOString()
      return { type: 'invoice.paid', onceKey: id, data: { ...place, amount: total, currency, paid } }
    }
    case 'InvoiceFellOverdue': {
      const { due, days_overdue } = event.data
      return {
        type: 'invoice.overdue',
        onceKey: `${id} ${due}`,
        data: { ...place, amount_due, currency, due, days_overdue },
      }
    }
    case 'InvoiceDisputed':
      return {
        type: 'invoice.disputed',
        onceKey: null,
        data: { ...place, amount: total, currency, reason: event.data.reason },
      }
    case 'DisputeResolved':
      return updated(['dispute'])
    case 'InvoiceReplaced':
    case 'ReplacementWithdrawn':
      return updated(['replaced_by'])
  }
}

/** As it was behind the payment: others may have been recorded with it. */
function upTo({ fields, payments }: InvoiceState, payment: Payment): Pick<InvoiceState, 'fields' | 'payments'> {
  return { fields, payments: payments.slice(0, payments.findLastIndex(({ id }) => id === payment.id) + 1) }
}
