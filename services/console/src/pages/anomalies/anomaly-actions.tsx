// Acknowledge, resolve and dismiss; each asks first, so that a note can be left.
import { useState } from 'react'
import { api } from '../../api.ts'
import { ActionButtons, AskFirst } from '../../components/ask-first.tsx'
import { ChooseOne } from '../../components/choose-one.tsx'
import { Textarea } from '../../components/textarea.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, actionsOn } from '../../view-models/anomalies.ts'

type Action = ReturnType<typeof actionsOn>[number]

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
  return (
    <ActionButtons actions={actionsOn(o.anomaly)} words={words} icons={icons}>
      {(action, onClose) => <Ask {...o} key={action} action={action} onClose={onClose} />}
    </ActionButtons>
  )
}

interface Wish {
  note: string
  reason: NonNullable<Anomaly['reason']>
}

function Ask({ anomaly, etag, action, onClose }: ActionsProps & { action: Action; onClose: () => void }) {
  const [wish, setWish] = useState<Wish>({ note: '', reason: 'expected' })
  return (
    <AskFirst
      title={words[action]}
      action={words[action]}
      about={explained[action]}
      done={said[action]}
      etag={etag}
      body={wish}
      send={(given, o) => send(anomaly.id, action, given, o)}
      invalidates={['/v1/anomalies']}
      onClose={onClose}
    >
      {() => (
        <>
          {action === 'dismiss' && (
            <ChooseOne
              label={words.reason}
              words={words.reasons}
              value={wish.reason}
              onChange={(reason) => setWish({ ...wish, reason })}
            />
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
        </>
      )}
    </AskFirst>
  )
}

function send(
  id: string,
  action: Action,
  { note: text, reason }: Wish,
  o: { idempotencyKey: string; ifMatch?: string },
) {
  const note = text.trim() === '' ? {} : { note: text.trim() }
  const options = { path: { id }, ...o }
  if (action === 'dismiss') return api.post('/v1/anomalies/{id}/dismiss', { ...options, body: { reason, ...note } })
  return api.post(`/v1/anomalies/{id}/${action}`, { ...options, body: note })
}
