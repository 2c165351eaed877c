// The apps that this workspace has registered.
import type { Schemas } from '../../api.ts'
import { AppLogo } from '../../components/app-logo.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useList, useRead } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'
import { PlanNotice } from './plan-notice.tsx'

type Usage = Schemas['OAuthAppUsage']['data'][number]

const columnsWith = (usage: ReadonlyMap<string, Usage>): readonly Column<OAuthApp>[] => [
  {
    title: words.app,
    cell: ({ id, name, logo_path }) => (
      <Group gap="sm" wrap="nowrap">
        <AppLogo src={logo_path} name={name} />
        <RouteLink to={`oauth-apps/${id}`}>{name}</RouteLink>
      </Group>
    ),
  },
  { title: words.state, cell: ({ state }) => <StatusBadge status={state} />, isNarrow: true },
  { title: words.scopes, cell: ({ scopes }) => <Text size="sm">{words.scopesOf(scopes)}</Text> },
  { title: words.people, cell: ({ id }) => usage.get(id)?.people ?? texts.time.none, isNumber: true, isNarrow: true },
  { title: words.lastError, cell: ({ id }) => <LastError usage={usage.get(id)} />, isNarrow: true },
]

function LastError({ usage }: { usage: Usage | undefined }) {
  if (usage === undefined) return texts.time.none
  if (usage.last_error === null)
    return (
      <Text size="sm" c="dimmed">
        {words.noError}
      </Text>
    )
  return (
    <Text size="sm">
      {usage.last_error.error}, <RelativeTime at={usage.last_error.created} />
    </Text>
  )
}

export function OAuthAppsPage() {
  const list = useList('/v1/oauth-apps', { query: { limit: 100 } }, { pace: 'slow' })
  const ids = list.rows?.slice(0, 100).map(({ id }) => id) ?? []
  const usage = useRead('/v1/oauth-apps/usage', { query: { app_id: ids } }, { pace: 'slow', enabled: ids.length > 0 })
  const columns = columnsWith(new Map(usage.data?.data.map((one) => [one.app_id, one])))
  const gate = usePlanGate()
  const register =
    gate === null ? (
      <ButtonLink look="primary" icon="plus" to="oauth-apps/new">
        {words.register}
      </ButtonLink>
    ) : (
      <Button look="primary" icon="plus" disabledBecause={gate}>
        {words.register}
      </Button>
    )
  return (
    <Page title={texts.nav.oauthApps} lead={words.lead} actions={register}>
      <PlanNotice />
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length === 0 ? (
              <EmptyState icon="apps" title={words.none} text={words.noneText}>
                {register}
              </EmptyState>
            ) : (
              <DataTable caption={words.caption} columns={columns} rows={rows} keyOf={({ id }) => id} />
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
