// Switches a subscription on, or off after asking.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import type { Webhook } from './webhook.ts'

const invalidates = ['/v1/webhooks', '/v1/deliveries']

export function SwitchButton({ webhook: { id, status } }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false)
  const path = { id }
  const enable = useCommand(
    (_: null, { idempotencyKey }) => api.post('/v1/webhooks/{id}/enable', { path, idempotencyKey }),
    {
      invalidates,
      onDone: () => announce(words.enabled),
    },
  )
  const disable = useCommand(
    (_: null, { idempotencyKey }) => api.post('/v1/webhooks/{id}/disable', { path, idempotencyKey }),
    {
      invalidates,
      onDone: () => {
        setAsking(false)
        announce(words.disabled)
      },
    },
  )
  if (status === 'disabled')
    return (
      <>
        {enable.error !== null && <ProblemNote error={enable.error} onTryAgain={() => enable.run(null)} />}
        <Button look="primary" icon="play" isRunning={enable.isRunning} onClick={() => enable.run(null)}>
          {words.enable}
        </Button>
      </>
    )
  return (
    <>
      <Button icon="pause" onClick={() => setAsking(true)}>
        {words.disable}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.disableTitle}
        action={words.disable}
        isRunning={disable.isRunning}
        error={disable.error}
        onConfirm={() => disable.run(null)}
      >
        <Text size="sm">{words.disableText}</Text>
      </ConfirmDialog>
    </>
  )
}
