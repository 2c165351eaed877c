// The sync runs of all integrations; one opens in a drawer that has an address of its own.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { chipsOf, type Filters, useFilters } from '../../filters.ts'
import { useOptionalParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { syncTexts as words } from '../../texts/syncs.ts'
import { texts } from '../../texts.ts'
import { oneOf, searchText, upTo } from '../../view-models/filters.ts'
import { runStatuses, runTriggers } from '../../view-models/sync-run.ts'
import { RunDrawer } from './run-drawer.tsx'
import { RunsTable } from './runs-table.tsx'

type SyncRun = Schemas['SyncRun']

const rules = { status: oneOf(runStatuses), trigger: oneOf(runTriggers), integration: upTo(40) }

export function SyncsPage() {
  const filters = useFilters(rules)
  const { values, clear } = filters
  const runId = useOptionalParam('run')
  const openPage = useOpenPage()
  const integrations = useList('/v1/integrations', { query: { limit: 100 } })
  const { status, trigger, integration } = values
  const query = withoutUndefined<QueryOf<'/v1/sync-runs'>>({
    status: status === undefined ? undefined : [status as SyncRun['status']],
    trigger: trigger === undefined ? undefined : [trigger as SyncRun['trigger']],
    integration_id: integration === undefined ? undefined : [integration],
  })
  const list = useList('/v1/sync-runs', { query }, { pace: 'live' })
  const names = new Map(integrations.rows?.map(({ id, name }) => [id, name]))
  const nameOf = ({ integration_id: id, brand_slug: brand }: SyncRun) => names.get(id) ?? brand
  const close = () => openPage(`syncs${searchText(values)}`)
  const isFiltered = Object.keys(values).length > 0
  return (
    <Page title={texts.nav.syncs} lead={words.lead}>
      <SyncFilters filters={filters} integrations={names} />
      <Loaded source={{ ...list, data: list.rows }}>
        {(runs) => (
          <Card isPadded={false}>
            {runs.length > 0 && <RunsTable runs={runs} nameOf={nameOf} filters={values} openId={runId} />}
            {runs.length === 0 && (isFiltered ? <NoMatch clear={clear} /> : <NoRuns />)}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <CurlView method="get" path="/v1/sync-runs" query={query} />
      <RunDrawer id={runId} nameOf={nameOf} onClose={close} />
    </Page>
  )
}

interface SyncFiltersProps {
  filters: Filters<typeof rules>
  /** Names by their ids. */
  integrations: ReadonlyMap<string, string>
}

function SyncFilters({ filters, integrations }: SyncFiltersProps) {
  const { values, set } = filters
  const { integration = '' } = values
  // An address may name an integration that is gone, or beyond the first hundred.
  const choices = new Map([...(integration === '' ? [] : [[integration, integration] as const]), ...integrations])
  const chips = chipsOf(filters, {
    ...words.chips,
    integration: (id) => words.chips.integration(choices.get(id) ?? id),
  })
  return (
    <FilterBar filters={filters} chips={chips}>
      <Select
        label={words.integration}
        data={[
          { value: '', label: words.allIntegrations },
          ...[...choices].map(([value, label]) => ({ value, label })),
        ]}
        value={integration}
        searchable={choices.size > 10}
        allowDeselect={false}
        onChange={(value) => set({ integration: value ?? '' })}
      />
      <Select
        label={words.status}
        data={[{ value: '', label: words.allStatuses }, ...runStatuses.map((value) => ({ value, label: value }))]}
        value={values.status ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ status: value ?? '' })}
      />
      <Select
        label={words.trigger}
        data={[
          { value: '', label: words.allTriggers },
          ...runTriggers.map((value) => ({ value, label: words.triggers[value] })),
        ]}
        value={values.trigger ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ trigger: value ?? '' })}
      />
    </FilterBar>
  )
}

function NoMatch({ clear }: { clear: () => void }) {
  return (
    <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
      <Button onClick={clear}>{texts.list.clear}</Button>
    </EmptyState>
  )
}

function NoRuns() {
  const canWrite = useAllowed('integrations:write')
  return (
    <EmptyState icon="refresh" title={words.none} text={words.noneText}>
      {canWrite && (
        <ButtonLink look="primary" icon="plus" to="integrations/new">
          {words.addIntegration}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
