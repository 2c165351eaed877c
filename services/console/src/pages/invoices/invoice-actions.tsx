// What is done with an invoice; each asks first, in a dialog of its own. Each is sent over the version that the page shows.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Group } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { useCommand } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { actionsOn, type Invoice, type InvoiceAction } from '../../view-models/invoices.ts'
import { type DisputeWish, disputeWish, OpenDispute } from './open-dispute.tsx'
import { type PaymentWish, paymentOf, paymentWish, RecordPayment } from './record-payment.tsx'
import { AboutGenerate, type Channel, ChooseChannel, PlainText } from './simple-questions.tsx'

interface ActionsProps {
  invoice: Invoice
  etag: string | null
  name: string
}

const buttons = {
  generate: { icon: 'check', label: words.generate },
  record_payment: { icon: 'plus', label: words.recordPayment },
  send: { icon: 'send', label: words.send },
  dispute: { icon: 'alert', label: words.dispute_ },
  resolve_dispute: { icon: 'check', label: words.resolve },
  void: { icon: 'ban', label: words.void_ },
} as const

export function InvoiceActions(o: ActionsProps) {
  const [asking, setAsking] = useState<InvoiceAction | null>(null)
  const actions = actionsOn(o.invoice)
  if (actions.length === 0) return null
  return (
    <Group gap="sm">
      {actions.map((action, at) => (
        <Button
          key={action}
          look={at === 0 ? 'primary' : 'quiet'}
          icon={buttons[action].icon}
          onClick={() => setAsking(action)}
        >
          {buttons[action].label}
        </Button>
      ))}
      {asking !== null && <AskFirst {...o} key={asking} action={asking} onClose={() => setAsking(null)} />}
    </Group>
  )
}

interface Wish {
  channel: Channel
  payment: PaymentWish
  dispute: DisputeWish
}

const titles = (name: string): Record<InvoiceAction, string> => ({
  generate: words.generateTitle,
  record_payment: words.paymentTitle,
  send: words.sendTitle,
  dispute: words.disputeTitle,
  resolve_dispute: words.resolveTitle,
  void: words.voidTitle(name),
})

function AskFirst({
  invoice,
  etag,
  name,
  action,
  onClose,
}: ActionsProps & { action: InvoiceAction; onClose: () => void }) {
  const [wish, setWish] = useState<Wish>({ channel: 'email', payment: paymentWish(invoice), dispute: disputeWish })
  const [wasTried, setTried] = useState(false)
  const command = useCommand((given: Wish, o) => send(invoice, action, given, { ...o, etag }), {
    invalidates: ['/v1/invoices'],
    onDone: () => {
      announce(words.done[action])
      onClose()
    },
  })
  const confirm = () => {
    setTried(true)
    if (action !== 'record_payment' || paymentOf(wish.payment, invoice) !== null) command.run(wish)
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={titles(name)[action]}
      action={action === 'record_payment' ? words.record : buttons[action].label}
      isDangerous={action === 'void'}
      isRunning={command.isRunning}
      error={command.error}
      onConfirm={confirm}
    >
      {action === 'generate' && <AboutGenerate />}
      {action === 'send' && (
        <ChooseChannel channel={wish.channel} onChange={(channel) => setWish({ ...wish, channel })} />
      )}
      {action === 'record_payment' && (
        <RecordPayment
          invoice={invoice}
          wish={wish.payment}
          onChange={(payment) => setWish({ ...wish, payment })}
          error={command.error}
          wasTried={wasTried}
        />
      )}
      {action === 'dispute' && (
        <OpenDispute wish={wish.dispute} onChange={(dispute) => setWish({ ...wish, dispute })} />
      )}
      {action === 'resolve_dispute' && <PlainText>{words.resolveText}</PlainText>}
      {action === 'void' && <PlainText>{words.voidText}</PlainText>}
    </ConfirmDialog>
  )
}

function send(
  invoice: Invoice,
  action: InvoiceAction,
  { channel, payment, dispute }: Wish,
  { idempotencyKey, etag }: { idempotencyKey: string; etag: string | null },
) {
  const options = { path: { id: invoice.id }, idempotencyKey, ...(etag === null ? {} : { ifMatch: etag }) }
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
      const body = { reason: dispute.reason, ...(note === '' ? {} : { note }) }
      return api.post('/v1/invoices/{id}/dispute', { ...options, body })
    }
    case 'resolve_dispute':
      return api.post('/v1/invoices/{id}/resolve-dispute', options)
    case 'void':
      return api.post('/v1/invoices/{id}/void', options)
  }
}
