// Sends a file to an integration that takes files, and says what became of it.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { TextInput } from '../../components/fields.ts'
import { FileField } from '../../components/file-field.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useCommand, useRead } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { countText } from '../../view-models/numbers.ts'
import { mediaTypeOf } from '../../view-models/upload.ts'

interface Upload {
  /** Tells one file from another, so that each has an idempotency key of its own. */
  mark: string
  from: string
  to: string
}

const slowMs = 600_000

export function UploadFile({ integrationId }: { integrationId: string }) {
  const [file, setFile] = useState<File | null>(null)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [importId, setImportId] = useState<string | null>(null)
  const send = useCommand(
    ({ from: first, to: last }: Upload, { idempotencyKey }) =>
      api.post('/v1/imports', {
        query: {
          ...{ type: 'stats', integration_id: integrationId },
          ...(first === '' ? {} : { covers_from: first }),
          ...(last === '' ? {} : { covers_to: last }),
        },
        body: file as File,
        contentType: mediaTypeOf((file as File).name),
        idempotencyKey,
        timeoutMs: slowMs,
      }),
    {
      invalidates: ['/v1/integrations', '/v1/sync-runs'],
      onDone: ({ data }) => {
        setImportId(data.id)
        announce(words.uploadTaken)
      },
    },
  )
  const submit = () => {
    setMissing(file === null)
    if (file !== null) send.run({ mark: `${file.name} ${file.size} ${file.lastModified}`, from, to })
  }
  return (
    <Card title={words.upload} hint={words.uploadHint}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          {send.error !== null && <ProblemNote error={send.error} takesFocus />}
          <FileField
            label={words.file}
            accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
            onChange={setFile}
            error={isMissing && file === null ? words.noFile : null}
          />
          <fieldset className="wds-fieldset">
            <legend>{words.covers}</legend>
            <Text size="sm" c="dimmed" mb="xs">
              {words.coversHint}
            </Text>
            <Columns width="narrow" isShort>
              <TextInput
                type="date"
                label={words.from}
                value={from}
                onChange={(event) => setFrom(event.currentTarget.value)}
              />
              <TextInput
                type="date"
                label={words.to}
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
              />
            </Columns>
          </fieldset>
          <Group gap="sm">
            <Button look="primary" type="submit" icon="send" isRunning={send.isRunning}>
              {words.send}
            </Button>
          </Group>
          {importId !== null && <Uploaded id={importId} />}
        </Stack>
      </form>
    </Card>
  )
}

const isOpen = (status: Schemas['Import']['status'] | undefined) => status === 'queued' || status === 'running'

function Uploaded({ id }: { id: string }) {
  const [isDone, setDone] = useState(false)
  const reading = useRead('/v1/imports/{id}', { path: { id } }, isDone ? {} : { pace: 'live' })
  const { data } = reading
  if (data === undefined) return reading.error === null ? null : <ProblemNote error={reading.error} />
  if (!isOpen(data.status) && !isDone) setDone(true)
  return (
    <Notice look={data.status === 'failed' ? 'warning' : 'done'} title={words.uploadTaken}>
      <Stack gap="xs">
        <div>
          <StatusBadge status={data.status} />
        </div>
        {!isOpen(data.status) && data.error === null && (
          <Text size="sm">{words.uploadRows(countText(data.accepted), countText(data.rejected))}</Text>
        )}
        {data.error && <Text size="sm">{words.uploadFailed(data.error.message, data.error.line)}</Text>}
        {data.sync_run_id && <RouteLink to={`syncs/${data.sync_run_id}`}>{words.seeRun}</RouteLink>}
      </Stack>
    </Notice>
  )
}
