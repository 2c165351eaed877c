// Schedules a payout of a sub-affiliate: all that is available to it, unless an amount is typed.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { TextInput } from '../../components/fields.ts'
import { announce } from '../../components/live-region.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { faultOf } from '../../view-models/faults.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { newPayout, type PayoutWish, type SubAffiliate } from '../../view-models/payouts.ts'

export function SchedulePayout({ partner, onClose }: { partner: SubAffiliate; onClose: () => void }) {
  const openPage = useOpenPage()
  const [wish, setWish] = useState<PayoutWish>({ amount: '', day: '' })
  const [wasTried, setTried] = useState(false)
  const command = useCommand(
    (body: Schemas['NewPayout'], { idempotencyKey }) => api.post('/v1/payouts', { body, idempotencyKey }),
    {
      invalidates: ['/v1/payouts', '/v1/sub-affiliates'],
      onDone: ({ data }) => {
        announce(words.done.pay)
        onClose()
        openPage(`payouts/${data.id}`)
      },
    },
  )
  const { balance, payout_currency: currency } = partner
  const body = newPayout(partner, wish)
  const confirm = () => {
    setTried(true)
    if (body !== null) command.run(body)
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.titles.pay}
      action={words.actions.pay}
      isDangerous={false}
      isRunning={command.isRunning}
      error={command.error}
      onConfirm={confirm}
    >
      <Text size="sm">{words.availableNow(moneyText(balance.available, balance.currency))}</Text>
      <TextInput
        label={words.payAmount(currency)}
        description={words.payAmountHint}
        inputMode="decimal"
        value={wish.amount}
        error={(wasTried && body === null ? words.payAmountFault : null) ?? faultOf(command.error, '/amount')}
        onChange={({ currentTarget: { value: amount } }) => setWish({ ...wish, amount })}
      />
      <TextInput
        type="date"
        label={words.payDay}
        description={words.payDayHint}
        value={wish.day}
        error={faultOf(command.error, '/scheduled_for')}
        onChange={({ currentTarget: { value: day } }) => setWish({ ...wish, day })}
      />
    </ConfirmDialog>
  )
}
