// Acknowledge, resolve and dismiss; each asks first, so that a note can be left.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Group } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Radio } from '../../components/radio.ts'
import { Text } from '../../components/text.ts'
import { Textarea } from '../../components/textarea.ts'
import { useCommand } from '../../queries.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, actionsOn } from '../../view-models/anomalies.ts'

type Action = ReturnType<typeof actionsOn>[number]
type Reason = NonNullable<Anomaly['reason']>

const reasons = Object.keys(words.reasons) as Reason[]
const noteMax = 1_000

const icons = { acknowledge: 'eye', resolve: 'check', dismiss: 'ban' } as const
const said = { acknowledge: words.acknowledged, resolve: words.resolved, dismiss: words.dismissed } as const
const explained = {
  acknowledge: words.acknowledgeText,
  resolve: words.resolveText,
  dismiss: words.dismissText,
} as const

interface ActionsProps {
  anomaly: Anomaly
  etag: string | null
}

export function AnomalyActions(o: ActionsProps) {
  const [asking, setAsking] = useState<Action | null>(null)
  const actions = actionsOn(o.anomaly)
  if (actions.length === 0) return null
  return (
    <Group gap="sm">
      {actions.map((action) => (
        <Button key={action} icon={icons[action]} onClick={() => setAsking(action)}>
          {words[action]}
        </Button>
      ))}
      {asking !== null && <AskFirst {...o} key={asking} action={asking} onClose={() => setAsking(null)} />}
    </Group>
  )
}

interface Wish {
  note: string
  reason: Reason
}

function AskFirst({ anomaly, etag, action, onClose }: ActionsProps & { action: Action; onClose: () => void }) {
  const [wish, setWish] = useState<Wish>({ note: '', reason: 'expected' })
  const command = useCommand((given: Wish, o) => send(anomaly.id, action, given, { ...o, etag }), {
    invalidates: ['/v1/anomalies'],
    onDone: () => {
      announce(said[action])
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words[action]}
      action={words[action]}
      isDangerous={false}
      isRunning={command.isRunning}
      error={command.error}
      onConfirm={() => command.run(wish)}
    >
      <Text size="sm">{explained[action]}</Text>
      {action === 'dismiss' && (
        <Radio.Group
          label={words.reason}
          value={wish.reason}
          onChange={(reason) => setWish({ ...wish, reason: reason as Reason })}
        >
          {reasons.map((reason) => (
            <Radio key={reason} value={reason} label={words.reasons[reason]} mt="xs" />
          ))}
        </Radio.Group>
      )}
      <Textarea
        label={words.note}
        description={words.noteHint}
        maxLength={noteMax}
        autosize
        minRows={2}
        value={wish.note}
        onChange={({ currentTarget: { value: note } }) => setWish({ ...wish, note })}
      />
    </ConfirmDialog>
  )
}

function send(
  id: string,
  action: Action,
  { note: text, reason }: Wish,
  { idempotencyKey, etag }: { idempotencyKey: string; etag: string | null },
) {
  const note = text.trim() === '' ? {} : { note: text.trim() }
  const options = { path: { id }, idempotencyKey, ...(etag === null ? {} : { ifMatch: etag }) }
  if (action === 'dismiss') return api.post('/v1/anomalies/{id}/dismiss', { ...options, body: { reason, ...note } })
  const path = action === 'resolve' ? '/v1/anomalies/{id}/resolve' : '/v1/anomalies/{id}/acknowledge'
  return api.post(path, { ...options, body: note })
}
