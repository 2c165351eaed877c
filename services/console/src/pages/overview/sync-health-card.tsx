// How the integrations fare: how many in which state, and what is broken with the reason.
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { overviewTexts as words } from '../../texts/overview.ts'
import { texts } from '../../texts.ts'
import { reasonText } from '../../view-models/integration-health.ts'
import { syncHealthOf } from '../../view-models/sync-health.ts'

const countedMax = 100
const shownMax = 5

export function SyncHealthCard() {
  const list = useList('/v1/integrations', { query: { limit: countedMax } }, { pace: 'slow' })
  const canAdd = useAllowed('integrations:write')
  return (
    <Card title={words.syncs} actions={<RouteLink to="integrations">{words.allIntegrations}</RouteLink>}>
      <Loaded source={{ ...list, data: list.rows }} rows={3}>
        {(rows) => {
          if (rows.length === 0)
            return (
              <EmptyState icon="plug" title={words.syncsNone}>
                {canAdd && <ButtonLink to="integrations/new">{words.addIntegration}</ButtonLink>}
              </EmptyState>
            )
          const { counts, broken, lastRun } = syncHealthOf(rows)
          return (
            <Stack gap="sm">
              <Group gap="md">
                {counts.map(({ status, count }) => (
                  <RouteLink key={status} to={`integrations?status=${status}`}>
                    <Group gap={6} component="span">
                      <StatusBadge status={status} /> {count}
                    </Group>
                  </RouteLink>
                ))}
              </Group>
              {broken.length === 0 && <Text size="sm">{words.allWell}</Text>}
              {broken.slice(0, shownMax).map(({ id, name, health }) => (
                <div key={id}>
                  <RouteLink to={`integrations/${id}`}>{name}</RouteLink>
                  <Text size="sm">{reasonText(health?.broken_reason)}</Text>
                </div>
              ))}
              <Text size="sm" c="dimmed">
                {words.lastRun} <RelativeTime at={lastRun} none={texts.time.never} />
                {list.hasMore && ` · ${words.syncsMore(countedMax)}`}
              </Text>
            </Stack>
          )
        }}
      </Loaded>
    </Card>
  )
}
