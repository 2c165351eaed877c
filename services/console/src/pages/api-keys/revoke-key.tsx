// The end of a key, for good.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import type { ApiKey } from './api-key.ts'

export function RevokeKey({ apiKey: { id, name }, etag }: { apiKey: ApiKey; etag: string | null }) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useCommand(
    ({ ifMatch }: { ifMatch: string | null }) =>
      api.delete('/v1/api-keys/{id}', { path: { id }, ...(ifMatch === null ? {} : { ifMatch }) }),
    {
      invalidates: ['/v1/api-keys'],
      onDone: () => {
        setAsking(false)
        announce(words.revoked)
      },
    },
  )
  const close = () => {
    setAsking(false)
    revoke.reset()
  }
  return (
    <Card
      title={words.revoke}
      hint={words.revokeHint}
      isPadded={false}
      actions={
        <Button icon="ban" onClick={() => setAsking(true)}>
          {words.revoke}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.revokeTitle(name)}
        action={words.revoke}
        typed={name}
        isRunning={revoke.isRunning}
        error={revoke.error}
        onConfirm={() => revoke.run({ ifMatch: etag })}
      >
        <Text size="sm">{words.revokeText(name)}</Text>
      </ConfirmDialog>
    </Card>
  )
}
