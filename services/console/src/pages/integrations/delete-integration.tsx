// The end of an integration: its name is typed, and what ends with it is counted.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { workspacePath } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useCommand, useList } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { integrationTexts as words } from '../../texts/integrations.ts'
import type { Integration } from './integration-frame.tsx'

export function DeleteIntegration({ integration: { id, name } }: { integration: Integration }) {
  const [isAsking, setAsking] = useState(false)
  const { workspace } = useSession()
  const navigate = useNavigate()
  const open = useList(
    '/v1/integrations/{integration_id}/sync-runs',
    { path: { integration_id: id }, query: { status: ['queued', 'running', 'retry_wait'] } },
    { enabled: isAsking },
  )
  const remove = useCommand((_: null) => api.delete('/v1/integrations/{id}', { path: { id } }), {
    invalidates: ['/v1/sync-runs'],
    onDone: () => {
      announce(words.removed)
      void navigate(workspacePath(workspace.slug, 'integrations') as object)
    },
  })
  return (
    <Card
      title={words.danger}
      hint={words.dangerHint}
      actions={
        <Button icon="trash" onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.removeTitle(name)}
        action={words.remove}
        typed={name}
        isRunning={remove.isRunning}
        error={remove.error}
        onConfirm={() => remove.run(null)}
      >
        <Text size="sm">{words.removeText(open.rows === undefined ? '…' : words.openRuns(open.rows.length))}</Text>
      </ConfirmDialog>
    </Card>
  )
}
