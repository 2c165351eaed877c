// The end of a subscription: the host is typed, and what ends with it is counted.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { workspacePath } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useCommand, useRead } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { hostOf } from '../../view-models/host.ts'
import { openText } from './condition.ts'
import type { Webhook } from './webhook.ts'

export function DeleteSubscription({ webhook: { id, url } }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false)
  const { workspace } = useSession()
  const navigate = useNavigate()
  const host = hostOf(url).shown
  const { data } = useRead('/v1/webhooks/{id}/condition', { path: { id } }, { enabled: isAsking })
  const remove = useCommand((_: null) => api.delete('/v1/webhooks/{id}', { path: { id } }), {
    invalidates: ['/v1/dead-letters'],
    onDone: () => {
      announce(words.removed)
      void navigate(workspacePath(workspace.slug, 'webhooks') as object)
    },
  })
  return (
    <Card
      title={words.danger}
      hint={words.dangerHint}
      isPadded={false}
      actions={
        <Button icon="trash" onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.removeTitle(host)}
        action={words.remove}
        typed={host}
        isRunning={remove.isRunning}
        error={remove.error}
        onConfirm={() => remove.run(null)}
      >
        <Text size="sm">{words.removeText(data === undefined ? '…' : openText(data))}</Text>
      </ConfirmDialog>
    </Card>
  )
}
