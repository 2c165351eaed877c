// All event types by family, with search. They are one page of the list, so the search is made here.
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { TextInput } from '../../components/fields.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { chipsOf, useFilters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { catalogTexts as words } from '../../texts/event-catalog.ts'
import { texts } from '../../texts.ts'
import { familiesOf, searchFamilies } from '../../view-models/event-patterns.ts'
import { oneOf, upTo } from '../../view-models/filters.ts'
import { dayText } from '../../view-models/numbers.ts'

type EventType = Schemas['EventTypeSummary']

const stabilities = ['stable', 'beta', 'deprecated'] as const
const rules = { q: upTo(100), stability: oneOf(stabilities) }

const columns: readonly Column<EventType>[] = [
  {
    title: words.type,
    cell: ({ type }) => (
      <span className="wds-type">
        <RouteLink to={`event-catalog/${type}`}>{type}</RouteLink>
      </span>
    ),
  },
  { title: words.meaning, cell: ({ meaning }) => meaning },
  { title: words.stability, cell: ({ stability }) => <StatusBadge status={stability} />, isNarrow: true },
  { title: words.since, cell: ({ since }) => dayText(since, 'en-GB', true), isNarrow: true },
]

export function EventCatalogPage() {
  const filters = useFilters(rules)
  const { values, set, clear } = filters
  const list = useList('/v1/event-types', { query: { limit: 100 } })
  return (
    <Page title={texts.nav.eventCatalog} lead={words.lead}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <TextInput
          type="search"
          label={words.search}
          placeholder={words.searchHint}
          maxLength={100}
          data-search
          value={values.q ?? ''}
          onChange={(event) => set({ q: event.currentTarget.value }, { isTyped: true })}
        />
        <Select
          label={words.stability}
          data={[{ value: '', label: words.allStabilities }, ...stabilities.map((value) => ({ value, label: value }))]}
          value={values.stability ?? ''}
          allowDeselect={false}
          onChange={(value) => set({ stability: value ?? '' })}
        />
      </FilterBar>
      <Loaded source={{ ...list, data: list.rows }} rows={12}>
        {(rows) => {
          const wanted = rows.filter(({ stability }) => (values.stability ?? stability) === stability)
          const families = searchFamilies(familiesOf(wanted), values.q ?? '')
          const count = families.reduce((sum, { types }) => sum + types.length, 0)
          if (count === 0)
            return (
              <Card>
                <EmptyState icon="search" title={words.noMatch} text={words.noMatchText}>
                  <Button onClick={clear}>{texts.list.clear}</Button>
                </EmptyState>
              </Card>
            )
          return (
            <Stack gap="lg">
              <Text size="sm" c="dimmed" role="status">
                {words.found(count)}
              </Text>
              {families.map(({ prefix, types }) => (
                <Card key={prefix} title={prefix} isPadded={false}>
                  <DataTable
                    caption={words.caption(prefix)}
                    columns={columns}
                    rows={types}
                    keyOf={({ type }) => type}
                  />
                </Card>
              ))}
            </Stack>
          )
        }}
      </Loaded>
      <CurlView method="get" path="/v1/event-types?limit=100" />
    </Page>
  )
}
