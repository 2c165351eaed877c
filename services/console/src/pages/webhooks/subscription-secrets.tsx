// The secrets that sign, and a new one.
import { api } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RotateSecret } from '../../components/rotate-secret.tsx'
import { Code } from '../../components/text.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import type { Webhook } from './webhook.ts'

type Secret = Webhook['secrets'][number]

const columns: readonly Column<Secret>[] = [
  { title: words.hint, cell: ({ hint }) => <Code>…{hint}</Code> },
  { title: words.created, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  { title: words.ends, cell: ({ expires }) => <RelativeTime at={expires} none={words.current} />, isNarrow: true },
]

export function SubscriptionSecrets({ webhook: { id, secrets } }: { webhook: Webhook }) {
  return (
    <Card
      title={words.secretsTitle}
      hint={words.secretsHint}
      isPadded={false}
      actions={
        <RotateSecret
          words={words.rotation}
          overlaps={words.overlaps}
          preset={86_400}
          send={async (seconds, { idempotencyKey }) => {
            const options = { path: { id }, body: { overlap_seconds: seconds }, idempotencyKey }
            return (await api.post('/v1/webhooks/{id}/rotate-secret', options)).data.secret ?? ''
          }}
          invalidates={['/v1/webhooks']}
        />
      }
    >
      <DataTable
        caption={words.secretsTitle}
        columns={columns}
        rows={secrets}
        keyOf={({ created, hint }) => `${created} ${hint}`}
      />
    </Card>
  )
}
