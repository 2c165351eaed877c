// The files that came in, newest first.
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { chipsOf, type Filters, useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { importTexts as words } from '../../texts/imports.ts'
import { texts } from '../../texts.ts'
import { oneOf, upTo } from '../../view-models/filters.ts'
import { type Import, importStatuses, titleOf } from '../../view-models/imports.ts'
import { countText, rangeText } from '../../view-models/numbers.ts'
import { type ImportType, importTypes } from '../../view-models/upload.ts'

const rules = { status: oneOf(importStatuses), type: oneOf(importTypes), integration: upTo(40) }
type Names = ReadonlyMap<string, string>

export function ImportsPage() {
  const filters = useFilters(rules)
  const canWrite = useAllowed('integrations:write')
  const { values, clear } = filters
  const { status, type, integration } = values
  const query = {
    ...(status === undefined ? {} : { status: [status as Import['status']] }),
    ...(type === undefined ? {} : { type: [type as ImportType] }),
    ...(integration === undefined ? {} : { integration_id: [integration] }),
  }
  const list = useList('/v1/imports', { query }, { pace: 'live' })
  const { rows: integrations = [] } = useList('/v1/integrations', { query: { limit: 100 } })
  const names = new Map(integrations.map(({ id, name }) => [id, name]))
  const isFiltered = Object.keys(values).length > 0
  const add = canWrite ? (
    <ButtonLink look="primary" icon="plus" to="imports/new">
      {words.create}
    </ButtonLink>
  ) : undefined
  return (
    <Page title={texts.nav.imports} lead={words.lead} actions={add}>
      <ImportFilters filters={filters} names={names} />
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length > 0 && <ImportsTable imports={rows} names={names} />}
            {rows.length === 0 && isFiltered && (
              <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
                <Button onClick={clear}>{texts.list.clear}</Button>
              </EmptyState>
            )}
            {rows.length === 0 && !isFiltered && <EmptyState icon="inbox" title={words.none} text={words.noneText} />}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <CurlView method="get" path="/v1/imports" query={query} />
    </Page>
  )
}

function ImportsTable({ imports, names }: { imports: readonly Import[]; names: Names }) {
  const columns: Column<Import>[] = [
    {
      title: words.import,
      cell: (one) => (
        <RouteLink to={`imports/${one.id}`}>{titleOf(one, names.get(one.integration_id ?? '') ?? null)}</RouteLink>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    { title: words.accepted, cell: ({ accepted }) => countText(accepted), isNumber: true, isNarrow: true },
    { title: words.rejected, cell: ({ rejected }) => countText(rejected), isNumber: true, isNarrow: true },
    {
      title: words.covers,
      cell: ({ covers }) => (covers === null ? texts.time.none : rangeText(covers.from, covers.to)),
      isNarrow: true,
    },
    { title: words.added, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  ]
  return <DataTable caption={words.caption} columns={columns} rows={imports} keyOf={({ id }) => id} />
}

function ImportFilters({ filters, names }: { filters: Filters<typeof rules>; names: Names }) {
  const { values, set } = filters
  const { status = '', type = '', integration = '' } = values
  // An address may name an integration that is gone, or beyond the first hundred.
  const choices = new Map([...(integration === '' ? [] : [[integration, integration] as const]), ...names])
  const chips = chipsOf(filters, {
    ...words.chips,
    type: (value) => words.chips.type(words.types[value as ImportType]),
    integration: (id) => words.chips.integration(choices.get(id) ?? id),
  })
  return (
    <FilterBar filters={filters} chips={chips}>
      <Select
        label={words.status}
        data={[{ value: '', label: words.allStatuses }, ...importStatuses.map((value) => ({ value, label: value }))]}
        value={status}
        allowDeselect={false}
        onChange={(value) => set({ status: value ?? '' })}
      />
      <Select
        label={words.type}
        data={[
          { value: '', label: words.allTypes },
          ...importTypes.map((value) => ({ value, label: words.types[value] })),
        ]}
        value={type}
        allowDeselect={false}
        onChange={(value) => set({ type: value ?? '' })}
      />
      <Select
        label={words.integration}
        data={[
          { value: '', label: words.allIntegrations },
          ...[...choices].map(([value, label]) => ({ value, label })),
        ]}
        value={integration}
        searchable
        allowDeselect={false}
        onChange={(value) => set({ integration: value ?? '' })}
      />
    </FilterBar>
  )
}
