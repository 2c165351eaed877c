// Retry and cancel of a sync run; both ask first.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Group } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
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
  const [isAsking, setAsking] = useState(false)
  const openPage = useOpenPage()
  const retry = useCommand((_: null, o) => api.post('/v1/sync-runs/{id}/retry', { path: { id: run.id }, ...o }), {
    invalidates,
    onDone: ({ data }) => {
      setAsking(false)
      announce(words.retried)
      openPage(`syncs/${data.id}`)
    },
  })
  return (
    <Group gap="sm">
      <Button icon="repeat" onClick={() => setAsking(true)}>
        {words.retry}
      </Button>
      <CurlView method="post" path={`/v1/sync-runs/${run.id}/retry`} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.retryTitle(words.runNumber(run.run_seq))}
        action={words.retry}
        isDangerous={false}
        isRunning={retry.isRunning}
        error={retry.error}
        onConfirm={() => retry.run(null)}
      >
        <Text size="sm">{words.retryText(daysText(run))}</Text>
      </ConfirmDialog>
    </Group>
  )
}

function CancelRun({ run }: { run: Schemas['SyncRun'] }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useCommand((_: null, o) => api.post('/v1/sync-runs/{id}/cancel', { path: { id: run.id }, ...o }), {
    invalidates,
    onDone: () => {
      setAsking(false)
      announce(words.canceled)
    },
  })
  return (
    <Group gap="sm">
      <Button icon="ban" onClick={() => setAsking(true)}>
        {words.cancel}
      </Button>
      <CurlView method="post" path={`/v1/sync-runs/${run.id}/cancel`} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.cancelTitle(words.runNumber(run.run_seq))}
        action={words.cancel}
        isRunning={cancel.isRunning}
        error={cancel.error}
        onConfirm={() => cancel.run(null)}
      >
        <Text size="sm">{words.cancelText}</Text>
      </ConfirmDialog>
    </Group>
  )
}
