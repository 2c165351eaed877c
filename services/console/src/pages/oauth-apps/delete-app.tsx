// The end of an app: its name is typed, and the grants that end with it are counted.
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
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import type { OAuthApp } from './oauth-app.ts'

export function DeleteApp({ app: { id, name }, etag }: { app: OAuthApp; etag: string | null }) {
  const [isAsking, setAsking] = useState(false)
  const { workspace } = useSession()
  const navigate = useNavigate()
  const usage = useRead('/v1/oauth-apps/usage', { query: { app_id: [id] } }, { enabled: isAsking }).data?.data[0]
  const remove = useCommand(
    ({ ifMatch }: { ifMatch: string | null }) =>
      api.delete('/v1/oauth-apps/{id}', { path: { id }, ...(ifMatch === null ? {} : { ifMatch }) }),
    {
      onDone: () => {
        announce(words.removed)
        void navigate(workspacePath(workspace.slug, 'oauth-apps') as object)
      },
    },
  )
  const close = () => {
    setAsking(false)
    remove.reset()
  }
  return (
    <Card
      title={words.remove}
      hint={words.removeHint}
      isPadded={false}
      actions={
        <Button icon="trash" onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.removeTitle(name)}
        action={words.remove}
        typed={name}
        isRunning={remove.isRunning}
        error={remove.error}
        onConfirm={() => remove.run({ ifMatch: etag })}
      >
        <Text size="sm">{words.removeText(usage?.grants ?? 0)}</Text>
      </ConfirmDialog>
    </Card>
  )
}
