// The integrations of the workspace, and how each fares.

import type { Schemas } from '../../api.ts'
import { useBrandNames } from '../../brand-names.ts'
import { ButtonLink } from '../../components/button.tsx'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { chipsOf, useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { texts } from '../../texts.ts'
import { oneOf } from '../../view-models/filters.ts'
import { reasonText, scheduleText } from '../../view-models/integration-health.ts'
import { providerWords } from './use-providers.ts'

type Integration = Schemas['Integration']

const statuses = ['pending', 'active', 'broken', 'paused'] as const
const rules = { status: oneOf(statuses) }

/** Columns are made once, so the hook stands in a cell of its own. */
function BrandName({ slug }: { slug: string }) {
  return useBrandNames().get(slug) ?? slug
}

const columns: readonly Column<Integration>[] = [
  { title: words.name, cell: ({ id, name }) => <RouteLink to={`integrations/${id}`}>{name}</RouteLink> },
  { title: words.brand, cell: ({ brand_slug: brand }) => <BrandName slug={brand} /> },
  { title: words.provider, cell: ({ provider }) => providerWords(provider).name },
  {
    title: words.status,
    cell: ({ status, health }) => (
      <Stack gap={2}>
        <div>
          <StatusBadge status={status} />
        </div>
        {status === 'broken' && <Text size="xs">{reasonText(health?.broken_reason)}</Text>}
      </Stack>
    ),
  },
  {
    title: words.nextRun,
    cell: ({ schedule, provider, next_run: at, health }) => (
      <Stack gap={2}>
        <div>{at === null ? scheduleText(schedule, provider) : <RelativeTime at={at} />}</div>
        {at !== null && (
          <Text size="xs" c="dimmed">
            {scheduleText(schedule, provider)}
          </Text>
        )}
        {health?.delayed && <Text size="xs">{words.late}</Text>}
      </Stack>
    ),
    isNarrow: true,
  },
  {
    title: words.lastSync,
    cell: ({ last_sync: last }) =>
      last ? (
        <Group gap="xs" wrap="nowrap">
          <StatusBadge status={last.status} />
          <RelativeTime at={last.finished} />
        </Group>
      ) : (
        <Text span inherit c="dimmed">
          {words.neverSynced}
        </Text>
      ),
    isNarrow: true,
  },
  { title: words.failures, cell: ({ health }) => health?.consecutive_failures ?? 0, isNumber: true, isNarrow: true },
]

export function IntegrationsPage() {
  const filters = useFilters(rules)
  const { values, set } = filters
  const status = values.status as Integration['status'] | undefined
  const query = status === undefined ? {} : { status: [status] }
  const list = useList('/v1/integrations', { query }, { pace: 'slow' })
  const create = useAllowed('integrations:write') ? (
    <ButtonLink look="primary" icon="plus" to="integrations/new">
      {words.create}
    </ButtonLink>
  ) : undefined
  return (
    <Page title={texts.nav.integrations} lead={words.lead} actions={create}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <ChoiceFilter
          label={words.status}
          all={words.allStatuses}
          choices={statuses}
          value={status}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <ListCard list={list} filters={filters} icon="plug" words={words} create={create}>
        {(rows) => <DataTable caption={words.caption} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </ListCard>
      <CurlView method="get" path="/v1/integrations" query={query} />
    </Page>
  )
}
