// Fetches a period again: a run with a window of its own.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/choices.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextInput } from '../../components/fields.ts'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { faultOf, stillWrong } from '../../view-models/faults.ts'

export function Backfill({ integrationId }: { integrationId: string }) {
  const [isOpen, setOpen] = useState(false)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [allowEmpty, setAllowEmpty] = useState(false)
  const start = useCommand(
    (body: Schemas['SyncRunWish'], { idempotencyKey }) =>
      api.post('/v1/integrations/{integration_id}/sync-runs', {
        path: { integration_id: integrationId },
        body,
        idempotencyKey,
      }),
    {
      invalidates: ['/v1/integrations', '/v1/sync-runs'],
      onDone: () => {
        setOpen(false)
        announce(words.started)
      },
    },
  )
  const body = withoutUndefined<Schemas['SyncRunWish']>({
    window: { from, to },
    allow_empty: allowEmpty ? true : undefined,
  })
  const error = stillWrong(start.error, start.sent, body)
  const close = () => {
    setOpen(false)
    start.reset()
  }
  return (
    <>
      <Button icon="repeat" onClick={() => setOpen(true)}>
        {words.backfill}
      </Button>
      <Dialog title={words.backfillTitle} isOpen={isOpen} onClose={close}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            start.run(body)
          }}
        >
          <Stack>
            <Text size="sm">{words.backfillText}</Text>
            <Group grow align="flex-start">
              <TextInput
                type="date"
                label={words.from}
                required
                value={from}
                error={faultOf(error, '/window')}
                onChange={(event) => setFrom(event.currentTarget.value)}
              />
              <TextInput
                type="date"
                label={words.to}
                required
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
              />
            </Group>
            <Checkbox
              label={words.allowEmpty}
              description={words.allowEmptyHint}
              checked={allowEmpty}
              onChange={(event) => setAllowEmpty(event.currentTarget.checked)}
            />
            {error !== null && <ProblemNote error={error} takesFocus />}
            <Group justify="space-between" gap="sm">
              <CurlView method="post" path={`/v1/integrations/${integrationId}/sync-runs`} body={body} />
              <Button look="primary" type="submit" isRunning={start.isRunning}>
                {words.startBackfill}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
