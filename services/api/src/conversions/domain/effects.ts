// Decides which measures the conversions of an event count and sum (domain.md 4.3).

import type { PostbackEvent } from '../../sources/domain/postback-settings.ts'
import type { Measure } from '../../stats/domain/measures.ts'

/** The measures that the number of conversions, their amounts and their commissions go to. */
export interface Effect {
  counts: readonly Measure[]
  amount: readonly Measure[]
  commission: readonly Measure[]
  /** Without it the conversion says nothing. */
  needs: 'amount' | 'commission' | null
}

const none = { counts: [], amount: [], commission: [], needs: null } as const

const effects: Readonly<Record<PostbackEvent, Effect>> = {
  click: { ...none, counts: ['clicks'] },
  signup: { ...none, counts: ['signups'] },
  ftd: { ...none, counts: ['ftds', 'deposits'], amount: ['ftd_amount', 'deposits_amount'] },
  qualified_ftd: { ...none, counts: ['qualified_ftds'], commission: ['cpa_commission'] },
  deposit: { ...none, counts: ['deposits'], amount: ['deposits_amount'] },
  chargeback: { ...none, amount: ['chargebacks_amount'], needs: 'amount' },
  commission: { ...none, commission: ['revshare_commission'], needs: 'commission' },
}
const otherCommission: Effect = { ...effects.commission, commission: ['other_commission'] }

/** `kind`: of a commission, which is a revenue share unless it says something else. */
export function effectOf(event: PostbackEvent, kind: 'other' | null): Effect {
  return event === 'commission' && kind === 'other' ? otherCommission : effects[event]
}
