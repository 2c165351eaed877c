// What left its baseline; one opens in a drawer that has an address of its own.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { chipsOf, type Filters, useFilters } from '../../filters.ts'
import { useOptionalParam } from '../../page-params.ts'
import { useList } from '../../queries.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { texts } from '../../texts.ts'
import {
  type Anomaly,
  anomalyMetrics,
  anomalySeverities,
  anomalyStatuses,
  metricName,
} from '../../view-models/anomalies.ts'
import { oneOf, searchText } from '../../view-models/filters.ts'
import { AnomaliesTable } from './anomalies-table.tsx'
import { AnomalyDrawer } from './anomaly-drawer.tsx'

const rules = { status: oneOf(anomalyStatuses), severity: oneOf(anomalySeverities), metric: oneOf(anomalyMetrics) }

export function AnomaliesPage() {
  const filters = useFilters(rules)
  const { values } = filters
  const id = useOptionalParam('anomaly')
  const openPage = useOpenPage()
  const { status, severity, metric } = values
  const query = withoutUndefined<QueryOf<'/v1/anomalies'>>({
    status: status === undefined ? undefined : [status as Anomaly['status']],
    severity: severity === undefined ? undefined : [severity as Anomaly['severity']],
    metric: metric === undefined ? undefined : [metric],
  })
  const list = useList('/v1/anomalies', { query }, { pace: 'slow' })
  const close = () => openPage(`anomalies${searchText(values)}`)
  return (
    <Page title={texts.nav.anomalies} lead={words.lead}>
      <AnomalyFilters filters={filters} />
      <ListCard list={list} filters={filters} icon="check" words={words}>
        {(rows) => <AnomaliesTable anomalies={rows} filters={values} openId={id} />}
      </ListCard>
      <CurlView method="get" path="/v1/anomalies" query={query} />
      <AnomalyDrawer id={id} onClose={close} />
    </Page>
  )
}

function AnomalyFilters({ filters }: { filters: Filters<typeof rules> }) {
  const { values, set } = filters
  const chips = chipsOf(filters, { ...words.chips, metric: (metric) => words.chips.metric(metricName(metric)) })
  const _plain = (choices: readonly string[]) => choices.map((value) => ({ value, label: value }))
  return (
    <FilterBar filters={filters} chips={chips}>
      <ChoiceFilter
        label={words.status}
        all={words.allStatuses}
        choices={anomalyStatuses}
        value={values.status}
        onChange={(status) => set({ status })}
      />
      <ChoiceFilter
        label={words.severity}
        all={words.allSeverities}
        choices={anomalySeverities}
        value={values.severity}
        onChange={(severity) => set({ severity })}
      />
      <ChoiceFilter
        label={words.metric}
        all={words.allMetrics}
        choices={anomalyMetrics.map((value) => ({ value, label: metricName(value) }))}
        value={values.metric}
        onChange={(metric) => set({ metric })}
      />
    </FilterBar>
  )
}
