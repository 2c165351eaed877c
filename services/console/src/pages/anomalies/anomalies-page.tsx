// What left its baseline; one opens in a drawer that has an address of its own.
import { useParams } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
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
  const { values, clear } = filters
  const { anomaly: id = null } = useParams({ strict: false }) as { anomaly?: string }
  const openPage = useOpenPage()
  const { status, severity, metric } = values
  const query = {
    ...(status === undefined ? {} : { status: [status as Anomaly['status']] }),
    ...(severity === undefined ? {} : { severity: [severity as Anomaly['severity']] }),
    ...(metric === undefined ? {} : { metric: [metric] }),
  }
  const list = useList('/v1/anomalies', { query }, { pace: 'slow' })
  const close = () => openPage(`anomalies${searchText(values)}`)
  const isFiltered = Object.keys(values).length > 0
  return (
    <Page title={texts.nav.anomalies} lead={words.lead}>
      <AnomalyFilters filters={filters} />
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length > 0 && <AnomaliesTable anomalies={rows} filters={values} openId={id} />}
            {rows.length === 0 && isFiltered && (
              <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
                <Button onClick={clear}>{texts.list.clear}</Button>
              </EmptyState>
            )}
            {rows.length === 0 && !isFiltered && <EmptyState icon="check" title={words.none} text={words.noneText} />}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <CurlView method="get" path="/v1/anomalies" query={query} />
      <AnomalyDrawer id={id} onClose={close} />
    </Page>
  )
}

function AnomalyFilters({ filters }: { filters: Filters<typeof rules> }) {
  const { values, set } = filters
  const chips = chipsOf(filters, { ...words.chips, metric: (metric) => words.chips.metric(metricName(metric)) })
  const plain = (choices: readonly string[]) => choices.map((value) => ({ value, label: value }))
  return (
    <FilterBar filters={filters} chips={chips}>
      <Select
        label={words.status}
        data={[{ value: '', label: words.allStatuses }, ...plain(anomalyStatuses)]}
        value={values.status ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ status: value ?? '' })}
      />
      <Select
        label={words.severity}
        data={[{ value: '', label: words.allSeverities }, ...plain(anomalySeverities)]}
        value={values.severity ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ severity: value ?? '' })}
      />
      <Select
        label={words.metric}
        data={[
          { value: '', label: words.allMetrics },
          ...anomalyMetrics.map((value) => ({ value, label: metricName(value) })),
        ]}
        value={values.metric ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ metric: value ?? '' })}
      />
    </FilterBar>
  )
}
