// What is done with a payout.
import { useState } from 'react'
import { api } from '../../api.ts'
import { ActionButtons, AskFirst } from '../../components/ask-first.tsx'
import { ChooseOne } from '../../components/choose-one.tsx'
import { TextInput } from '../../components/fields.ts'
import { payoutTexts as words } from '../../texts/payouts.ts'
import { faultOf } from '../../view-models/faults.ts'
import { type Payout, type PayoutAction, payoutActions } from '../../view-models/payouts.ts'

interface ActionsProps {
  payout: Payout
  etag: string | null
}

const icons = {
  mark_paid: 'check',
  mark_failed: 'x',
  record_return: 'repeat',
  hold: 'pause',
  release: 'play',
  cancel: 'ban',
} as const satisfies Record<PayoutAction, string>

/** What comes next by itself; the others are for when something goes wrong. */
const usual: readonly PayoutAction[] = ['mark_paid', 'release']
const dangerous: readonly PayoutAction[] = ['cancel', 'mark_failed', 'record_return']

export function PayoutActions(o: ActionsProps) {
  const actions = payoutActions(o.payout)
  return (
    <ActionButtons
      actions={actions}
      words={words.actions}
      icons={icons}
      primary={actions.find((action) => usual.includes(action))}
    >
      {(action, onClose) => <Ask {...o} key={action} action={action} onClose={onClose} />}
    </ActionButtons>
  )
}

interface Wish {
  reference: string
  failure: keyof typeof words.failures
  hold: keyof typeof words.holdReasons
}

function Ask({ payout, etag, action, onClose }: ActionsProps & { action: PayoutAction; onClose: () => void }) {
  const [wish, setWish] = useState<Wish>({ reference: '', failure: 'method_rejected', hold: 'fraud_review' })
  return (
    <AskFirst
      title={words.titles[action]}
      action={words.actions[action]}
      about={words.about[action]}
      done={words.done[action]}
      isDangerous={dangerous.includes(action)}
      etag={etag}
      body={wish}
      send={(given, o) => send(payout, action, given, o)}
      invalidates={['/v1/payouts', '/v1/sub-affiliates']}
      onClose={onClose}
    >
      {({ error }) => (
        <>
          {action === 'mark_paid' && (
            <TextInput
              label={words.reference}
              description={words.referenceHint}
              maxLength={100}
              autoComplete="off"
              value={wish.reference}
              error={faultOf(error, '/reference')}
              onChange={({ currentTarget: { value: reference } }) => setWish({ ...wish, reference })}
            />
          )}
          {action === 'mark_failed' && (
            <ChooseOne
              label={words.reason}
              words={words.failures}
              value={wish.failure}
              onChange={(failure) => setWish({ ...wish, failure })}
            />
          )}
          {action === 'hold' && (
            <ChooseOne
              label={words.reason}
              words={words.holdReasons}
              value={wish.hold}
              onChange={(hold) => setWish({ ...wish, hold })}
            />
          )}
        </>
      )}
    </AskFirst>
  )
}

function send({ id }: Payout, action: PayoutAction, wish: Wish, o: { idempotencyKey: string; ifMatch?: string }) {
  const options = { path: { id }, ...o }
  const reference = wish.reference.trim()
  switch (action) {
    case 'mark_paid':
      return api.post('/v1/payouts/{id}/mark-paid', { ...options, body: reference === '' ? {} : { reference } })
    case 'mark_failed':
      return api.post('/v1/payouts/{id}/mark-failed', { ...options, body: { failure_code: wish.failure } })
    case 'record_return':
      return api.post('/v1/payouts/{id}/record-return', { ...options, body: {} })
    case 'hold':
      return api.post('/v1/payouts/{id}/hold', { ...options, body: { reason: wish.hold } })
    case 'release':
      return api.post('/v1/payouts/{id}/release', options)
    case 'cancel':
      return api.post('/v1/payouts/{id}/cancel', options)
  }
}
