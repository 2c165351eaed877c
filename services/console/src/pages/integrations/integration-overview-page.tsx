// How one integration fares, what can be done with it, and its newest runs.
import { lazy, Suspense } from 'react'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { healthOf, isUpload, scheduleText } from '../../view-models/integration-health.ts'
import { RunsTable } from '../syncs/runs-table.tsx'
import { type Integration, IntegrationFrame } from './integration-frame.tsx'
import { RunActions } from './run-actions.tsx'
import { UploadFile } from './upload-file.tsx'

const shownRuns = 10

/** Only integrations that a network calls have one. */
const PostbackAddress = lazy(async () => ({ default: (await import('./postback-address.tsx')).PostbackAddress }))

export function IntegrationOverviewPage() {
  const canWrite = useAllowed('integrations:write')
  return (
    <IntegrationFrame tab="overview">
      {({ integration }) => (
        <>
          <HealthNote integration={integration} />
          {canWrite && <RunActions integration={integration} />}
          {canWrite && isUpload(integration.provider) && integration.status !== 'paused' && (
            <UploadFile integrationId={integration.id} />
          )}
          <NewestRuns id={integration.id} />
          {integration.provider === 'postback' && (
            <Suspense>
              <PostbackAddress integration={integration} />
            </Suspense>
          )}
          <Card title={words.facts}>
            <Facts facts={factsOf(integration)} />
          </Card>
        </>
      )}
    </IntegrationFrame>
  )
}

function HealthNote({ integration }: { integration: Integration }) {
  const { look, title, text } = healthOf(integration)
  const { broken_since: since = null, last_success: success = null } = integration.health ?? {}
  return (
    <Notice look={look} title={title}>
      <Stack gap={4}>
        <Text size="sm">{text}</Text>
        {since !== null && (
          <Text size="sm">
            {words.health.since} <RelativeTime at={since} />
          </Text>
        )}
        {success !== null && (
          <Text size="sm">
            {words.health.lastSuccess} <RelativeTime at={success} />
          </Text>
        )}
      </Stack>
    </Notice>
  )
}

function NewestRuns({ id }: { id: string }) {
  const list = useList(
    '/v1/integrations/{integration_id}/sync-runs',
    { path: { integration_id: id }, query: { limit: shownRuns } },
    { pace: 'live' },
  )
  return (
    <Card
      title={words.runs}
      hint={words.runsHint}
      isPadded={false}
      actions={
        <Group gap="sm">
          <CurlView method="get" path={`/v1/integrations/${id}/sync-runs?limit=${shownRuns}`} />
          <RouteLink to={`syncs?integration=${id}`}>{words.allRuns}</RouteLink>
        </Group>
      }
    >
      <Loaded source={{ ...list, data: list.rows }} rows={3}>
        {(runs) =>
          runs.length === 0 ? (
            <EmptyState icon="refresh" title={words.noRuns} text={words.noRunsText} />
          ) : (
            <RunsTable runs={runs.slice(0, shownRuns)} filters={{ integration: id }} />
          )
        }
      </Loaded>
    </Card>
  )
}

function factsOf(integration: Integration) {
  const { schedule, provider, credentials, next_run: next } = integration
  const { form } = words
  return [
    { name: words.schedule, value: scheduleText(schedule, provider) },
    ...(next === null ? [] : [{ name: words.nextRun, value: <RelativeTime at={next} /> }]),
    { name: form.timeZone, value: integration.source_time_zone },
    { name: form.currency, value: integration.currency },
    {
      name: words.credentials,
      value: credentials.set ? words.credentialsSet(credentials.fingerprint ?? '') : words.credentialsNone,
    },
    { name: words.failures, value: integration.health?.consecutive_failures ?? 0 },
    { name: words.created, value: <RelativeTime at={integration.created} /> },
    { name: words.id, value: <IdText id={integration.id} what={words.id} isWhole /> },
  ]
}
