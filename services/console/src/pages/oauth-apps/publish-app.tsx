// Makes an app in development live; it never goes back.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

export function PublishApp({ app, etag }: { app: OAuthApp; etag: string | null }) {
  const [isAsking, setAsking] = useState(false)
  const publish = useCommand(
    ({ ifMatch }: { ifMatch: string | null }, { idempotencyKey }) =>
      api.post('/v1/oauth-apps/{id}/publish', {
        path: { id: app.id },
        idempotencyKey,
        ...(ifMatch === null ? {} : { ifMatch }),
      }),
    {
      invalidates: ['/v1/oauth-apps'],
      onDone: () => {
        setAsking(false)
        announce(words.published)
      },
    },
  )
  const close = () => {
    setAsking(false)
    publish.reset()
  }
  return (
    <Card
      title={words.publishTitle}
      hint={words.publishHint}
      isPadded={false}
      actions={
        <Button look="primary" disabledBecause={usePlanGate()} onClick={() => setAsking(true)}>
          {words.publish}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.publishTitle}
        action={words.publish}
        isDangerous={false}
        isRunning={publish.isRunning}
        error={publish.error}
        onConfirm={() => publish.run({ ifMatch: etag })}
      >
        <Text size="sm">{words.publishHint}</Text>
      </ConfirmDialog>
    </Card>
  )
}
