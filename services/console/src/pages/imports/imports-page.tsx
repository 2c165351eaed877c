// The files that came in, newest first.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { ButtonLink } from '../../components/button.tsx'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { chipsOf, type Filters, useFilters } from '../../filters.ts'
import { useScopes } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { importTexts as words } from '../../texts/imports.ts'
import { texts } from '../../texts.ts'
import { oneOf, upTo } from '../../view-models/filters.ts'
import { type Import, importStatuses, titleOf } from '../../view-models/imports.ts'
import { countText, rangeText } from '../../view-models/numbers.ts'
import { type ImportType, importTypes, typesWith } from '../../view-models/upload.ts'

const rules = { status: oneOf(importStatuses), type: oneOf(importTypes), integration: upTo(40) }
type Names = ReadonlyMap<string, string>

export function ImportsPage() {
  const filters = useFilters(rules)
  const canWrite = typesWith(useScopes()).length > 0
  const { values } = filters
  const { status, type, integration } = values
  const query = withoutUndefined<QueryOf<'/v1/imports'>>({
    status: status === undefined ? undefined : [status as Import['status']],
    type: type === undefined ? undefined : [type as ImportType],
    integration_id: integration === undefined ? undefined : [integration],
  })
  const list = useList('/v1/imports', { query }, { pace: 'live' })
  const { rows: integrations = [] } = useList('/v1/integrations', { query: { limit: 100 } })
  const names = new Map(integrations.map(({ id, name }) => [id, name]))
  const add = canWrite ? (
    <ButtonLink look="primary" icon="plus" to="imports/new">
      {words.create}
    </ButtonLink>
  ) : undefined
  return (
    <Page title={texts.nav.imports} lead={words.lead} actions={add}>
      <ImportFilters filters={filters} names={names} />
      <ListCard list={list} filters={filters} icon="inbox" words={words}>
        {(rows) => <ImportsTable imports={rows} names={names} />}
      </ListCard>
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
      <ChoiceFilter
        label={words.status}
        all={words.allStatuses}
        choices={importStatuses}
        value={status}
        onChange={(status) => set({ status })}
      />
      <ChoiceFilter
        label={words.type}
        all={words.allTypes}
        choices={importTypes.map((value) => ({ value, label: words.types[value] }))}
        value={type}
        onChange={(type) => set({ type })}
      />
      <ChoiceFilter
        label={words.integration}
        all={words.allIntegrations}
        choices={choices}
        value={integration}
        searchable
        onChange={(integration) => set({ integration })}
      />
    </FilterBar>
  )
}
