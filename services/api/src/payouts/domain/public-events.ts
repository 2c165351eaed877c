// Decides what others are told of a payout (domain.md 5.42 to 5.44).
import type { PublicEvent } from '@wds/contracts/envelope'
import type { PayoutEvent, PayoutState } from './payout.ts'

/** Announcement of a payout's event, or null. `state` is the state after it. A payout fails or is returned, never both. */
export function payoutPublicEvent(id: string, { fields }: PayoutState, event: PayoutEvent): PublicEvent | null {
  if (fields === null) throw new Error('a payout without fields')
  const { sub_affiliate_id, amount, currency, period, scheduled_for } = fields
  const about = { sub_affiliate_id, payout_id: id, amount, currency }
  const failed = (failure_code: string): PublicEvent => ({
    type: 'sub_affiliate.payout_failed',
    onceKey: id,
    data: { ...about, failure_code },
  })
  switch (event.type) {
    case 'PayoutScheduled':
      return { type: 'sub_affiliate.payout_scheduled', onceKey: id, data: { ...about, scheduled_for } }
    case 'PayoutPaid': {
      const paid = new Date(event.data.paid_ms).toISOString()
      const data = { ...about, period_from: period.from, period_to: period.to, paid }
      return { type: 'sub_affiliate.paid', onceKey: id, data }
    }
    case 'PayoutFailed':
      return failed(event.data.failure_code)
    case 'PayoutReturned':
      return failed('returned')
    case 'PayoutHeld':
    case 'PayoutReleased':
    case 'ProcessingBegan':
    case 'PayoutCanceled':
      return null
  }
}
