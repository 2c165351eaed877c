// What is done with a payout; each asks first, in a dialog of its own. Each is sent over the version that the page shows.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ChooseOne } from '../../components/choose-one.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { TextInput } from '../../components/fields.ts'
import { Group } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
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

export function PayoutActions(o: ActionsProps) {
  const [asking, setAsking] = useState<PayoutAction | null>(null)
  const actions = payoutActions(o.payout)
  if (actions.length === 0) return null
  return (
    <Group gap="sm">
      {actions.map((action, at) => (
        <Button
          key={action}
          look={at === 0 ? 'primary' : 'quiet'}
          icon={icons[action]}
          onClick={() => setAsking(action)}
        >
          {words.actions[action]}
        </Button>
      ))}
      {asking !== null && <AskFirst {...o} key={asking} action={asking} onClose={() => setAsking(null)} />}
    </Group>
  )
}

interface Wish {
  reference: string
  failure: keyof typeof words.failures
  hold: keyof typeof words.holdReasons
}

function AskFirst({ payout, etag, action, onClose }: ActionsProps & { action: PayoutAction; onClose: () => void }) {
  const [wish, setWish] = useState<Wish>({ reference: '', failure: 'method_rejected', hold: 'fraud_review' })
  const command = useCommand((given: Wish, o) => send(payout, action, given, { ...o, etag }), {
    invalidates: ['/v1/payouts', '/v1/sub-affiliates'],
    onDone: () => {
      announce(words.done[action])
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.titles[action]}
      action={words.actions[action]}
      isDangerous={action === 'cancel' || action === 'mark_failed' || action === 'record_return'}
      isRunning={command.isRunning}
      error={command.error}
      onConfirm={() => command.run(wish)}
    >
      <Text size="sm">{words.about[action]}</Text>
      {action === 'mark_paid' && (
        <TextInput
          label={words.reference}
          description={words.referenceHint}
          maxLength={100}
          autoComplete="off"
          value={wish.reference}
          error={faultOf(command.error, '/reference')}
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
    </ConfirmDialog>
  )
}

function send(
  { id }: Payout,
  action: PayoutAction,
  wish: Wish,
  { idempotencyKey, etag }: { idempotencyKey: string; etag: string | null },
) {
  const options = { path: { id }, idempotencyKey, ...(etag === null ? {} : { ifMatch: etag }) }
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
