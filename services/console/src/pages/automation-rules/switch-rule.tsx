// Switches a rule on, or off after asking.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import type { AutomationRule } from '../../view-models/automation-rules.ts'

const invalidates = ['/v1/automation-rules']

export function SwitchRule({ rule: { id, enabled } }: { rule: AutomationRule }) {
  const [isAsking, setAsking] = useState(false)
  const path = { id }
  const enable = useCommand(
    (_: null, { idempotencyKey }) => api.post('/v1/automation-rules/{id}/enable', { path, idempotencyKey }),
    { invalidates, onDone: () => announce(words.enabled) },
  )
  const disable = useCommand(
    (_: null, { idempotencyKey }) => api.post('/v1/automation-rules/{id}/disable', { path, idempotencyKey }),
    {
      invalidates,
      onDone: () => {
        setAsking(false)
        announce(words.disabled)
      },
    },
  )
  if (!enabled)
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
        isDangerous={false}
        isRunning={disable.isRunning}
        error={disable.error}
        onConfirm={() => disable.run(null)}
      >
        <Text size="sm">{words.disableText}</Text>
      </ConfirmDialog>
    </>
  )
}
