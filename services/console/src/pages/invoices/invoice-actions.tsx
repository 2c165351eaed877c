// What is done with an invoice.
import type { OptionsOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ActionButtons, AskFirst } from '../../components/ask-first.tsx'
import { ChooseOne } from '../../components/choose-one.tsx'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { actionsOn, type Invoice, type InvoiceAction } from '../../view-models/invoices.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { type DisputeWish, disputeWish, OpenDispute } from './open-dispute.tsx'
import { type PaymentWish, paymentOf, paymentWish, RecordPayment } from './record-payment.tsx'
import { WarnOfIssuer } from './warn-of-issuer.tsx'

interface ActionsProps {
  invoice: Invoice
  etag: string | null
  name: string
}

const icons = {
  generate: 'check',
  record_payment: 'plus',
  send: 'send',
  dispute: 'alert',
  resolve_dispute: 'check',
  void: 'ban',
} as const

const labels: Record<InvoiceAction, string> = {
  generate: words.generate,
  record_payment: words.recordPayment,
  send: words.send,
  dispute: words.dispute_,
  resolve_dispute: words.resolve,
  void: words.void_,
}

export function InvoiceActions(o: ActionsProps) {
  const actions = actionsOn(o.invoice)
  return (
    <ActionButtons actions={actions} words={labels} icons={icons} primary={actions[0]}>
      {(action, onClose) => <Ask {...o} key={action} action={action} onClose={onClose} />}
    </ActionButtons>
  )
}

interface Wish {
  channel: keyof typeof words.channels
  payment: PaymentWish
  dispute: DisputeWish
}

const questions = ({ invoice, name }: ActionsProps): Record<InvoiceAction, { title: string; about: string }> => ({
  generate: { title: words.generateTitle, about: words.generateText },
  record_payment: {
    title: words.paymentTitle,
    about: words.paymentDue(moneyText(invoice.amount_due, invoice.currency)),
  },
  send: { title: words.sendTitle, about: words.sendText },
  dispute: { title: words.disputeTitle, about: words.disputeText },
  resolve_dispute: { title: words.resolveTitle, about: words.resolveText },
  void:
    invoice.status === 'draft'
      ? { title: words.voidDraftTitle, about: words.voidDraftText }
      : { title: words.voidTitle(name), about: words.voidText },
})

function Ask({ action, onClose, ...o }: ActionsProps & { action: InvoiceAction; onClose: () => void }) {
  const { invoice, etag } = o
  const [wish, setWish] = useState<Wish>({ channel: 'email', payment: paymentWish(invoice), dispute: disputeWish })
  const isWhole = action !== 'record_payment' || paymentOf(wish.payment, invoice) !== null
  return (
    <AskFirst
      {...questions(o)[action]}
      action={action === 'record_payment' ? words.record : labels[action]}
      done={words.done[action]}
      isDangerous={action === 'void'}
      etag={etag}
      body={isWhole ? wish : null}
      send={(given, version) => send(invoice, action, given, version)}
      invalidates={['/v1/invoices']}
      onClose={onClose}
    >
      {(asked) => (
        <>
          {action === 'generate' && <WarnOfIssuer />}
          {action === 'send' && (
            <ChooseOne
              label={words.channel}
              words={words.channels}
              value={wish.channel}
              onChange={(channel) => setWish({ ...wish, channel })}
            />
          )}
          {action === 'record_payment' && (
            <RecordPayment
              {...asked}
              invoice={invoice}
              wish={wish.payment}
              onChange={(payment) => setWish({ ...wish, payment })}
            />
          )}
          {action === 'dispute' && (
            <OpenDispute wish={wish.dispute} onChange={(dispute) => setWish({ ...wish, dispute })} />
          )}
        </>
      )}
    </AskFirst>
  )
}

function send(
  invoice: Invoice,
  action: InvoiceAction,
  { channel, payment, dispute }: Wish,
  o: { idempotencyKey: string; ifMatch?: string },
) {
  const options = { path: { id: invoice.id }, ...o }
  switch (action) {
    case 'generate':
      return api.post('/v1/invoices/{id}/generate', options)
    case 'send':
      return api.post('/v1/invoices/{id}/send', { ...options, body: { channel } })
    case 'record_payment': {
      const body = paymentOf(payment, invoice)
      if (body === null) throw new Error('a payment that is not whole')
      return api.post('/v1/invoices/{id}/record-payment', { ...options, body })
    }
    case 'dispute': {
      const note = dispute.note.trim()
      const body = withoutUndefined<OptionsOf<'/v1/invoices/{id}/dispute', 'post'>['body']>({
        reason: dispute.reason,
        note: note === '' ? undefined : note,
      })
      return api.post('/v1/invoices/{id}/dispute', { ...options, body })
    }
    case 'resolve_dispute':
      return api.post('/v1/invoices/{id}/resolve-dispute', options)
    case 'void':
      return api.post('/v1/invoices/{id}/void', options)
  }
}
