// A new text for a key, shown once; the present one goes on until the overlap is over.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Select } from '../../components/select.ts'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import type { ApiKey } from './api-key.ts'

type OverlapHours = 0 | 1 | 24 | 72

export function RotateKey({ apiKey: { id } }: { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const [overlap, setOverlap] = useState('24')
  const [key, setKey] = useState<string | null>(null)
  const rotate = useCommand(
    (hours: OverlapHours, { idempotencyKey }) =>
      api.post('/v1/api-keys/{id}/rotate', { path: { id }, body: { overlap_hours: hours }, idempotencyKey }),
    {
      invalidates: ['/v1/api-keys'],
      onDone: ({ data }) => {
        setAsking(false)
        setKey(data.api_key)
      },
    },
  )
  const close = () => {
    setAsking(false)
    rotate.reset()
  }
  const done = () => {
    setKey(null)
    rotate.reset()
  }
  return (
    <Card
      title={words.rotateTitle}
      hint={words.rotateHint}
      isPadded={false}
      actions={
        <Button icon="refresh" onClick={() => setAsking(true)}>
          {words.rotate}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.rotateTitle}
        action={words.rotate}
        isDangerous={false}
        isRunning={rotate.isRunning}
        error={rotate.error}
        onConfirm={() => rotate.run(Number(overlap) as OverlapHours)}
      >
        <Text size="sm">{words.rotateHint}</Text>
        <Select
          label={words.overlap}
          data={[...words.overlaps]}
          value={overlap}
          allowDeselect={false}
          onChange={(value) => setOverlap(value ?? '24')}
        />
      </ConfirmDialog>
      <SecretOnce secret={key} title={words.secretTitle} what={words.secret} onDone={done} />
    </Card>
  )
}
