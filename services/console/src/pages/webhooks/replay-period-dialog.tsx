// Replays a period of one subscription: what was missed, given up, or asked for again. Planned and confirmed as every bulk replay.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/choices.ts'
import { Dialog } from '../../components/dialog.tsx'
import { TextInput } from '../../components/fields.ts'
import { Group, Stack } from '../../components/layout.ts'
import { MultiSelect } from '../../components/multi-select.ts'
import { Text } from '../../components/text.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { fromLocalInput, toLocalInput } from '../../view-models/local-input.ts'
import { ReplayDialog, type ReplayRequest } from '../dead-letters/replay-dialog.tsx'
import { useCatalogTypes } from './use-catalog-types.ts'

type NewReplay = Schemas['NewReplayOfWebhook']
type Which = NonNullable<NewReplay['status']>[number]

const dayMs = 86_400_000

function requestOf(id: string, body: NewReplay): ReplayRequest {
  const path = { id }
  return {
    key: JSON.stringify(body),
    count: async () =>
      (await api.post('/v1/webhooks/{id}/replays', { path, body: { ...body, dry_run: true } }))
        .data as Schemas['ReplayDryRun'],
    begin: async (idempotencyKey) =>
      (await api.post('/v1/webhooks/{id}/replays', { path, body, idempotencyKey })).data as Schemas['Replay'],
  }
}

interface ReplayPeriodDialogProps {
  webhookId: string
  /** RFC 3339, where the period begins unless the person says otherwise; null: a day ago. */
  since: string | null
  onClose: () => void
}

export function ReplayPeriodDialog({ webhookId, since, onClose }: ReplayPeriodDialogProps) {
  const [from, setFrom] = useState(() => toLocalInput(since ?? new Date(Date.now() - dayMs).toISOString()))
  const [to, setTo] = useState('')
  const [which, setWhich] = useState<readonly Which[]>(['dead', 'missing'])
  const [types, setTypes] = useState<readonly string[]>([])
  const [request, setRequest] = useState<ReplayRequest | null>(null)
  const names = useCatalogTypes().map(({ type }) => type)
  const toggle = (one: Which) =>
    setWhich(which.includes(one) ? which.filter((other) => other !== one) : [...which, one])
  const count = () => {
    const [begin, end] = [fromLocalInput(from), fromLocalInput(to)]
    setRequest(
      requestOf(
        webhookId,
        withoutUndefined({
          since: begin,
          until: end,
          types: types.length === 0 ? undefined : [...types],
          status: [...which],
        }),
      ),
    )
  }
  return (
    <>
      <Dialog title={words.periodTitle} isOpen={request === null} onClose={onClose} size="lg">
        <Stack>
          <Text size="sm">{words.periodHint}</Text>
          <Group gap="sm">
            <TextInput
              label={words.since}
              type="datetime-local"
              required
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              label={words.until}
              type="datetime-local"
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
          </Group>
          <fieldset className="wds-fieldset">
            <legend>{words.which}</legend>
            <Stack gap="xs">
              {words.whichOptions.map(({ value, label }) => (
                <Checkbox key={value} label={label} checked={which.includes(value)} onChange={() => toggle(value)} />
              ))}
            </Stack>
          </fieldset>
          <MultiSelect
            label={words.types}
            placeholder={types.length === 0 ? words.allTypes : ''}
            data={names}
            value={[...types]}
            searchable
            clearable
            onChange={setTypes}
          />
          <Group justify="flex-end">
            <Button look="primary" disabledBecause={which.length === 0 ? words.chooseWhich : null} onClick={count}>
              {words.countFirst}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      <ReplayDialog request={request} onClose={onClose} />
    </>
  )
}
