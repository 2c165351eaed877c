// Posts an adjustment to the ledger of a sub-affiliate.
import { useState } from 'react'
import { api } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { TextInput } from '../../components/fields.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { faultOf } from '../../view-models/faults.ts'
import { adjustmentDraft, newAdjustment, type SubAffiliate } from '../../view-models/sub-affiliates.ts'

interface AdjustBalanceProps {
  subAffiliate: SubAffiliate
  onClose: () => void
}

export function AdjustBalance({ subAffiliate, onClose }: AdjustBalanceProps) {
  const [draft, setDraft] = useState(() => adjustmentDraft(subAffiliate))
  const { id, payout_currency: currency } = subAffiliate
  const body = newAdjustment(draft, currency)
  return (
    <AskFirst
      title={words.titles.adjust}
      action={words.actions.adjust}
      about={words.about.adjust}
      done={words.done.adjust}
      body={body}
      send={(given, o) => api.post('/v1/sub-affiliates/{id}/adjustments', { path: { id }, body: given, ...o })}
      invalidates={['/v1/sub-affiliates']}
      onClose={onClose}
    >
      {({ error, wasTried }) => (
        <>
          <TextInput
            label={words.adjustAmount(currency)}
            description={words.adjustAmountHint}
            required
            value={draft.amount}
            error={(wasTried && body === null ? words.adjustFault : null) ?? faultOf(error, '/amount')}
            onChange={({ currentTarget: { value: amount } }) => setDraft({ ...draft, amount })}
          />
          <TextInput
            type="month"
            label={words.adjustMonth}
            description={words.adjustMonthHint}
            value={draft.month}
            error={faultOf(error, '/month')}
            onChange={({ currentTarget: { value: month } }) => setDraft({ ...draft, month })}
          />
          <TextInput
            label={words.note}
            description={words.noteHint}
            maxLength={255}
            autoComplete="off"
            value={draft.note}
            error={faultOf(error, '/note')}
            onChange={({ currentTarget: { value: note } }) => setDraft({ ...draft, note })}
          />
        </>
      )}
    </AskFirst>
  )
}
