// What can be done with an integration now: run, fetch a period again, test, pause, resume.
import { api } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { Button } from '../../components/button.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useCommand } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { isUpload } from '../../view-models/integration-health.ts'
import { Backfill } from './backfill.tsx'
import type { Integration } from './integration-frame.tsx'
import { TestIntegration } from './test-integration.tsx'

const invalidates = ['/v1/integrations', '/v1/sync-runs']

export function RunActions({ integration: { id, name, status, provider } }: { integration: Integration }) {
  const path = { id }
  const run = useCommand(
    (_: null, { idempotencyKey }) =>
      api.post('/v1/integrations/{integration_id}/sync-runs', {
        path: { integration_id: id },
        body: {},
        idempotencyKey,
      }),
    { invalidates, onDone: () => announce(words.started) },
  )
  const resume = useCommand((_: null, o) => api.post('/v1/integrations/{id}/resume', { path, ...o }), {
    invalidates,
    onDone: () => announce(words.resumed),
  })
  const error = run.error ?? resume.error
  return (
    <Stack gap="sm">
      {error !== null && <ProblemNote error={error} takesFocus />}
      <Group gap="sm">
        {status === 'paused' ? (
          <Button look="primary" icon="play" isRunning={resume.isRunning} onClick={() => resume.run(null)}>
            {words.resume}
          </Button>
        ) : (
          <>
            {!isUpload(provider) && (
              <>
                <Button look="primary" icon="play" isRunning={run.isRunning} onClick={() => run.run(null)}>
                  {words.runNow}
                </Button>
                <Backfill integrationId={id} />
              </>
            )}
            <Pause id={id} name={name} />
          </>
        )}
        {!isUpload(provider) && (
          <>
            <TestIntegration id={id} />
            <CurlView method="post" path={`/v1/integrations/${id}/sync-runs`} body={{}} />
          </>
        )}
      </Group>
    </Stack>
  )
}

function Pause({ id, name }: { id: string; name: string }) {
  return (
    <AskButton
      icon="pause"
      title={words.pauseTitle(name)}
      action={words.pause}
      about={words.pauseText}
      done={words.paused}
      body={{}}
      send={(_, o) => api.post('/v1/integrations/{id}/pause', { path: { id }, ...o })}
      invalidates={invalidates}
    />
  )
}
