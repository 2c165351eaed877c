// Retry and cancel of a sync run; both ask first.
import { api, type Schemas } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Group } from '../../components/layout.ts'
import { useOpenPage } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { syncTexts as words } from '../../texts/syncs.ts'
import { canRetry, daysText, isOpenRun } from '../../view-models/sync-run.ts'

const invalidates = ['/v1/sync-runs', '/v1/integrations']

export function RunButtons({ run }: { run: Schemas['SyncRun'] }) {
  if (isOpenRun(run)) return <CancelRun run={run} />
  if (canRetry(run)) return <RetryRun run={run} />
  if (run.status === 'succeeded') return null
  return (
    <Text size="sm" c="dimmed">
      {words.noRetryUpload}
    </Text>
  )
}

function RetryRun({ run }: { run: Schemas['SyncRun'] }) {
  const openPage = useOpenPage()
  return (
    <Group gap="sm">
      <AskButton
        icon="repeat"
        title={words.retryTitle(words.runNumber(run.run_seq))}
        action={words.retry}
        about={words.retryText(daysText(run))}
        done={words.retried}
        body={{}}
        send={(_, o) => api.post('/v1/sync-runs/{id}/retry', { path: { id: run.id }, ...o })}
        invalidates={invalidates}
        onDone={({ data }) => openPage(`syncs/${data.id}`)}
      />
      <CurlView method="post" path={`/v1/sync-runs/${run.id}/retry`} />
    </Group>
  )
}

function CancelRun({ run }: { run: Schemas['SyncRun'] }) {
  return (
    <Group gap="sm">
      <AskButton
        icon="ban"
        title={words.cancelTitle(words.runNumber(run.run_seq))}
        action={words.cancel}
        about={words.cancelText}
        done={words.canceled}
        isDangerous
        body={{}}
        send={(_, o) => api.post('/v1/sync-runs/{id}/cancel', { path: { id: run.id }, ...o })}
        invalidates={invalidates}
      />
      <CurlView method="post" path={`/v1/sync-runs/${run.id}/cancel`} />
    </Group>
  )
}
