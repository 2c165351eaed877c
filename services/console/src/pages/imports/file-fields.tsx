// The file of an upload and how it is sent; for every form that uploads one.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Columns } from '../../components/columns.tsx'
import { TextInput } from '../../components/fields.ts'
import { FileField } from '../../components/file-field.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { importQuery, mediaTypeOf, type UploadDraft } from '../../view-models/upload.ts'

/** 50 MiB over a slow line. */
const slowMs = 600_000

interface Sending {
  /** Tells one file from another, so that each has an idempotency key of its own. */
  mark: string
  draft: UploadDraft
}

export function useUpload(onDone: (taken: Schemas['Import']) => void) {
  const [file, setFile] = useState<File | null>(null)
  const [wasTried, setTried] = useState(false)
  const command = useCommand(
    ({ draft }: Sending, { idempotencyKey }) =>
      api.post('/v1/imports', {
        query: importQuery(draft),
        body: file as File,
        contentType: mediaTypeOf((file as File).name),
        idempotencyKey,
        timeoutMs: slowMs,
      }),
    { invalidates: ['/v1/integrations', '/v1/sync-runs', '/v1/imports'], onDone: ({ data }) => onDone(data) },
  )
  return {
    setFile,
    isMissing: wasTried && file === null,
    isRunning: command.isRunning,
    error: command.error,
    send: (draft: UploadDraft) => {
      setTried(true)
      if (file !== null) command.run({ mark: `${file.name} ${file.size} ${file.lastModified}`, draft })
    },
  }
}

export function UploadedFile({ onChange, isMissing }: { onChange: (file: File | null) => void; isMissing: boolean }) {
  return (
    <FileField
      label={words.file}
      accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
      onChange={onChange}
      error={isMissing ? words.noFile : null}
    />
  )
}

type Days = Pick<UploadDraft, 'from' | 'to'>

export function CoveredDays({ days: { from, to }, set }: { days: Days; set: (change: Partial<Days>) => void }) {
  return (
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
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={words.to}
          value={to}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
      </Columns>
    </fieldset>
  )
}
