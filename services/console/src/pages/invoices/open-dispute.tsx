// Why a brand contests an invoice.
import type { Schemas } from '../../api.ts'
import { Radio } from '../../components/radio.ts'
import { Text } from '../../components/text.ts'
import { Textarea } from '../../components/textarea.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'

export interface DisputeWish {
  reason: Schemas['DisputeReason']
  note: string
}

export const disputeWish: DisputeWish = { reason: 'amount', note: '' }
const reasons = Object.keys(words.reasons) as DisputeWish['reason'][]
const noteMax = 1_000

export function OpenDispute({ wish, onChange }: { wish: DisputeWish; onChange: (wish: DisputeWish) => void }) {
  return (
    <>
      <Text size="sm">{words.disputeText}</Text>
      <Radio.Group
        label={words.reason}
        value={wish.reason}
        onChange={(reason) => onChange({ ...wish, reason: reason as DisputeWish['reason'] })}
      >
        {reasons.map((reason) => (
          <Radio key={reason} value={reason} label={words.reasons[reason]} mt="xs" />
        ))}
      </Radio.Group>
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
