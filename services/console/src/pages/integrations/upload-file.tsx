// Sends a file to an integration that takes files, and says what became of it.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { countText } from '../../view-models/numbers.ts'
import { isUnderWay } from '../../view-models/upload.ts'
import { CoveredDays, UploadedFile, useUpload } from '../imports/file-fields.tsx'

export function UploadFile({ integrationId }: { integrationId: string }) {
  const [days, setDays] = useState({ from: '', to: '' })
  const [importId, setImportId] = useState<string | null>(null)
  const upload = useUpload(({ id }) => {
    setImportId(id)
    announce(words.uploadTaken)
  })
  return (
    <Card title={words.upload} hint={words.uploadHint}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          upload.send({ type: 'stats', integration: integrationId, source: '', ...days })
        }}
      >
        <Stack>
          {upload.error !== null && <ProblemNote error={upload.error} takesFocus />}
          <UploadedFile onChange={upload.setFile} isMissing={upload.isMissing} />
          <CoveredDays days={days} set={(change) => setDays({ ...days, ...change })} />
          <Group gap="sm">
            <Button look="primary" type="submit" icon="send" isRunning={upload.isRunning}>
              {words.send}
            </Button>
          </Group>
          {importId !== null && <Uploaded id={importId} />}
        </Stack>
      </form>
    </Card>
  )
}

function Uploaded({ id }: { id: string }) {
  const [isDone, setDone] = useState(false)
  const reading = useRead('/v1/imports/{id}', { path: { id } }, isDone ? {} : { pace: 'live' })
  const { data } = reading
  if (data === undefined) return reading.error === null ? null : <ProblemNote error={reading.error} />
  if (!isUnderWay(data) && !isDone) setDone(true)
  return (
    <Notice look={data.status === 'failed' ? 'warning' : 'done'} title={words.uploadTaken}>
      <Stack gap="xs">
        <div>
          <StatusBadge status={data.status} />
        </div>
        {!isUnderWay(data) && data.error === null && (
          <Text size="sm">{words.uploadRows(countText(data.accepted), countText(data.rejected))}</Text>
        )}
        {data.error && <Text size="sm">{words.uploadFailed(data.error.message, data.error.line)}</Text>}
        <RouteLink to={`imports/${id}`}>{words.seeImport}</RouteLink>
        {data.sync_run_id && <RouteLink to={`syncs/${data.sync_run_id}`}>{words.seeRun}</RouteLink>}
      </Stack>
    </Notice>
  )
}
