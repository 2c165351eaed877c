// A payment as it came in: amount, day, how, and the reference by which it is taken once.
import type { Schemas } from '../../api.ts'
import { TextInput } from '../../components/fields.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { faultOf } from '../../view-models/faults.ts'
import { amountInput, type Invoice, minorOf } from '../../view-models/invoices.ts'
import { dayIn } from '../../view-models/local-input.ts'

export interface PaymentWish {
  amount: string
  received: string
  method: string
  reference: string
}

/** All that is due, today in the invoice's zone, beyond which no day is taken. */
export function paymentWish({ amount_due: due, currency, time_zone: zone }: Invoice): PaymentWish {
  const received = dayIn(zone, Date.now())
  return { amount: amountInput(due, currency), received, method: 'bank', reference: '' }
}

/** Null: something is missing, or no amount. */
export function paymentOf(
  { amount, received, method, reference }: PaymentWish,
  { currency }: Invoice,
): Schemas['NewPayment'] | null {
  const minor = minorOf(amount, currency)
  const texts = { received, method: method.trim(), reference: reference.trim() }
  return minor === null || Object.values(texts).includes('') ? null : { amount: minor, ...texts }
}

interface RecordPaymentProps {
  invoice: Invoice
  wish: PaymentWish
  onChange: (wish: PaymentWish) => void
  error: Error | null
  wasTried: boolean
}

export function RecordPayment({ invoice, wish, onChange, error, wasTried }: RecordPaymentProps) {
  const { currency } = invoice
  const isMissing = (text: string) => (wasTried && text.trim() === '' ? words.needed : null)
  const amountFault = wasTried && minorOf(wish.amount, currency) === null ? words.paymentFault : null
  return (
    <>
      <TextInput
        label={words.paymentAmount(currency)}
        required
        inputMode="decimal"
        value={wish.amount}
        error={amountFault ?? faultOf(error, '/amount')}
        onChange={({ currentTarget: { value: amount } }) => onChange({ ...wish, amount })}
      />
      <TextInput
        type="date"
        label={words.paymentDate}
        required
        value={wish.received}
        error={isMissing(wish.received) ?? faultOf(error, '/received')}
        onChange={({ currentTarget: { value: received } }) => onChange({ ...wish, received })}
      />
      <TextInput
        label={words.method}
        description={words.methodHint}
        required
        maxLength={40}
        value={wish.method}
        error={isMissing(wish.method) ?? faultOf(error, '/method')}
        onChange={({ currentTarget: { value: method } }) => onChange({ ...wish, method })}
      />
      <TextInput
        label={words.reference}
        description={words.referenceHint}
        required
        maxLength={100}
        autoComplete="off"
        value={wish.reference}
        error={isMissing(wish.reference) ?? faultOf(error, '/reference')}
        onChange={({ currentTarget: { value: reference } }) => onChange({ ...wish, reference })}
      />
    </>
  )
}
