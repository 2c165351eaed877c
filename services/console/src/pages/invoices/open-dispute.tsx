// Why a brand contests an invoice.
import type { Schemas } from '../../api.ts'
import { ChooseOne } from '../../components/choose-one.tsx'
import { Textarea } from '../../components/textarea.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'

export interface DisputeWish {
  reason: Schemas['DisputeReason']
  note: string
}

export const disputeWish: DisputeWish = { reason: 'amount', note: '' }
const noteMax = 1_000

export function OpenDispute({ wish, onChange }: { wish: DisputeWish; onChange: (wish: DisputeWish) => void }) {
  return (
    <>
      <ChooseOne
        label={words.reason}
        words={words.reasons}
        value={wish.reason}
        onChange={(reason) => onChange({ ...wish, reason })}
      />
      <Textarea
        label={words.note}
        maxLength={noteMax}
        autosize
        minRows={2}
        value={wish.note}
        onChange={({ currentTarget: { value: note } }) => onChange({ ...wish, note })}
      />
    </>
  )
}
