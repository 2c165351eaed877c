// Schedules a payout of a sub-affiliate: all that is available to it, unless an amount is typed.
import { useState } from 'react'
import { api } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { TextInput } from '../../components/fields.ts'
import { useOpenPage } from '../../components/route-link.tsx'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { faultOf } from '../../view-models/faults.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { newPayout, type PayoutWish } from '../../view-models/payouts.ts'
import type { SubAffiliate } from '../../view-models/sub-affiliates.ts'

export function SchedulePayout({ subAffiliate, onClose }: { subAffiliate: SubAffiliate; onClose: () => void }) {
  const openPage = useOpenPage()
  const [wish, setWish] = useState<PayoutWish>({ amount: '', day: '' })
  const { balance, payout_currency: currency } = subAffiliate
  const body = newPayout(subAffiliate, wish)
  return (
    <AskFirst
      title={words.titles.pay}
      action={words.actions.pay}
      about={words.availableNow(moneyText(balance.available, balance.currency))}
      done={words.done.pay}
      body={body}
      send={(given, o) => api.post('/v1/payouts', { body: given, ...o })}
      invalidates={['/v1/payouts', '/v1/sub-affiliates']}
      onDone={({ data }) => openPage(`payouts/${data.id}`)}
      onClose={onClose}
    >
      {({ error, wasTried }) => (
        <>
          <TextInput
            label={words.payAmount(currency)}
            description={words.payAmountHint}
            inputMode="decimal"
            value={wish.amount}
            error={(wasTried && body === null ? words.amountFault : null) ?? faultOf(error, '/amount')}
            onChange={({ currentTarget: { value: amount } }) => setWish({ ...wish, amount })}
          />
          <TextInput
            type="date"
            label={words.payDay}
            description={words.payDayHint}
            value={wish.day}
            error={faultOf(error, '/scheduled_for')}
            onChange={({ currentTarget: { value: day } }) => setWish({ ...wish, day })}
          />
        </>
      )}
    </AskFirst>
  )
}
