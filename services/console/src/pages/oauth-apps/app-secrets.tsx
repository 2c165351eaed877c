// The secrets that are accepted: a new one beside the present one, and the end of one.
import { useState } from 'react'
import { api } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RotateSecret } from '../../components/rotate-secret.tsx'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { overlapsInHours } from '../../texts/overlaps.ts'
import { texts } from '../../texts.ts'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

type Row = OAuthApp['secrets'][number] & { nth: number }

export function AppSecrets({ app }: { app: OAuthApp }) {
  const [ending, setEnding] = useState<string | null>(null)
  const gate = usePlanGate()
  const path = { id: app.id }
  const rows = app.secrets.map((one, at) => ({ ...one, nth: at + 1 }))
  return (
    <Card
      title={words.secrets}
      hint={words.secretsHint}
      isPadded={false}
      actions={
        <RotateSecret
          words={words.rotation}
          overlaps={overlapsInHours}
          preset={24}
          send={async (hours, { idempotencyKey }) => {
            const options = { path, body: { overlap_hours: hours }, idempotencyKey }
            return (await api.post('/v1/oauth-apps/{id}/secrets', options)).data.client_secret
          }}
          invalidates={['/v1/oauth-apps']}
          disabledBecause={gate}
        />
      }
    >
      <DataTable caption={words.secrets} columns={columnsWith(setEnding)} rows={rows} keyOf={({ id }) => id} />
      {ending !== null && (
        <AskFirst
          title={words.endSecretTitle}
          action={words.endSecret}
          about={words.endSecretText}
          done={words.secretEnded}
          isDangerous
          body={{ ...path, secret_id: ending }}
          send={(path) => api.delete('/v1/oauth-apps/{id}/secrets/{secret_id}', { path })}
          invalidates={['/v1/oauth-apps']}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  )
}

const columnsWith = (onEnd: (id: string) => void): readonly Column<Row>[] => [
  { title: words.secret, cell: ({ nth }) => words.secretNumber(nth) },
  { title: words.made, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  { title: words.lastUsed, cell: (row) => <RelativeTime at={row.last_used} none={texts.time.never} />, isNarrow: true },
  { title: words.ends, cell: ({ ends }) => <RelativeTime at={ends} none={words.open} />, isNarrow: true },
  {
    title: words.endSecret,
    isTitleHidden: true,
    isNarrow: true,
    cell: ({ id, nth }) => (
      <Button size="xs" label={words.endSecretOf(nth)} onClick={() => onEnd(id)}>
        {words.endSecret}
      </Button>
    ),
  },
]
