// The secrets that sign, and a new one.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Select } from '../../components/select.ts'
import { Code, Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import type { Webhook } from './webhook.ts'

type Secret = Webhook['secrets'][number]

const columns: readonly Column<Secret>[] = [
  { title: words.hint, cell: ({ hint }) => <Code>…{hint}</Code> },
  { title: words.created, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  { title: words.ends, cell: ({ expires }) => <RelativeTime at={expires} none={words.current} />, isNarrow: true },
]

export function SubscriptionSecrets({ webhook }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false)
  const [overlap, setOverlap] = useState('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const path = { id: webhook.id }
  const rotate = useCommand(
    (seconds: number, { idempotencyKey }) =>
      api.post('/v1/webhooks/{id}/rotate-secret', { path, body: { overlap_seconds: seconds }, idempotencyKey }),
    {
      invalidates: ['/v1/webhooks'],
      onDone: ({ data }) => {
        setAsking(false)
        setSecret(data.secret ?? '')
      },
    },
  )
  const done = () => {
    setSecret(null)
    rotate.reset()
  }
  return (
    <Card
      title={words.secretsTitle}
      hint={words.secretsHint}
      isPadded={false}
      actions={
        <Button icon="key" onClick={() => setAsking(true)}>
          {words.rotate}
        </Button>
      }
    >
      <DataTable
        caption={words.secretsTitle}
        columns={columns}
        rows={webhook.secrets}
        keyOf={({ created, hint }) => `${created} ${hint}`}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.rotateTitle}
        action={words.rotate}
        isDangerous={false}
        isRunning={rotate.isRunning}
        error={rotate.error}
        onConfirm={() => rotate.run(Number(overlap))}
      >
        <Text size="sm">{words.rotateText}</Text>
        <Select
          label={words.overlap}
          data={[...words.overlaps]}
          value={overlap}
          allowDeselect={false}
          onChange={(value) => setOverlap(value ?? '86400')}
        />
      </ConfirmDialog>
      <SecretOnce secret={secret} title={words.secretTitle} what={words.secret} onDone={done} />
    </Card>
  )
}
