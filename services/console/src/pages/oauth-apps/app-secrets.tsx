// The secrets that are accepted: a new one beside the present one, and the end of one.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { announce } from '../../components/live-region.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Select } from '../../components/select.ts'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

type Row = OAuthApp['secrets'][number] & { nth: number }

type OverlapHours = 0 | 1 | 24 | 72

export function AppSecrets({ app }: { app: OAuthApp }) {
  const [isAsking, setAsking] = useState(false)
  const [overlap, setOverlap] = useState('24')
  const [secret, setSecret] = useState<string | null>(null)
  const [ending, setEnding] = useState<string | null>(null)
  const gate = usePlanGate()
  const add = useCommand(
    (hours: OverlapHours, { idempotencyKey }) =>
      api.post('/v1/oauth-apps/{id}/secrets', {
        path: { id: app.id },
        body: { overlap_hours: hours },
        idempotencyKey,
      }),
    {
      invalidates: ['/v1/oauth-apps'],
      onDone: ({ data }) => {
        setAsking(false)
        setSecret(data.client_secret)
      },
    },
  )
  const end = useCommand(
    (secretId: string) =>
      api.delete('/v1/oauth-apps/{id}/secrets/{secret_id}', { path: { id: app.id, secret_id: secretId } }),
    {
      invalidates: ['/v1/oauth-apps'],
      onDone: () => {
        setEnding(null)
        announce(words.secretEnded)
      },
    },
  )
  const close = () => {
    setAsking(false)
    setEnding(null)
    add.reset()
    end.reset()
  }
  const done = () => {
    setSecret(null)
    add.reset()
  }
  const rows = app.secrets.map((one, at) => ({ ...one, nth: at + 1 }))
  return (
    <Card
      title={words.secrets}
      hint={words.secretsHint}
      isPadded={false}
      actions={
        <Button icon="key" disabledBecause={gate} onClick={() => setAsking(true)}>
          {words.newSecret}
        </Button>
      }
    >
      <DataTable caption={words.secrets} columns={columnsWith(setEnding)} rows={rows} keyOf={({ id }) => id} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.newSecret}
        action={words.newSecret}
        isDangerous={false}
        isRunning={add.isRunning}
        error={add.error}
        onConfirm={() => add.run(Number(overlap) as OverlapHours)}
      >
        <Text size="sm">{words.newSecretText}</Text>
        <Select
          label={words.overlap}
          data={[...words.overlaps]}
          value={overlap}
          allowDeselect={false}
          onChange={(value) => setOverlap(value ?? '24')}
        />
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={ending !== null}
        onClose={close}
        title={words.endSecretTitle}
        action={words.endSecret}
        isRunning={end.isRunning}
        error={end.error}
        onConfirm={() => ending !== null && end.run(ending)}
      >
        <Text size="sm">{words.endSecretText}</Text>
      </ConfirmDialog>
      <SecretOnce secret={secret} title={words.newSecretTitle} what={words.clientSecret} onDone={done} />
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
