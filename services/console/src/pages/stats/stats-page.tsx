// The numbers of a period, summed by what the reader chooses; every choice is in the address.
import type { QueryOf } from '@wds/api-client/operations'
import type { components } from '@wds/api-client/schemas'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { useBrandNames } from '../../brand-names.ts'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Text } from '../../components/text.ts'
import { useFilters } from '../../filters.ts'
import { useList, useRead } from '../../queries.ts'
import { statsTexts as words } from '../../texts/stats.ts'
import { texts } from '../../texts.ts'
import { countText, dayText } from '../../view-models/numbers.ts'
import { periodOf } from '../../view-models/stats-series.ts'
import {
  beyondText,
  groupOfRows,
  metricsOfGroup,
  type StatsGroup,
  type StatsMetric,
  type StatsRow,
  statsRules,
} from '../../view-models/stats-table.ts'
import { ExportStats } from './export-stats.tsx'
import { StatsChart } from './stats-chart.tsx'
import { StatsFilters } from './stats-filters.tsx'
import { StatsTable } from './stats-table.tsx'

/** Of one answer: 90 days of eleven currencies. */
const rowsMax = 1_000

export function StatsPage() {
  const filters = useFilters(statsRules)
  const { values } = filters
  const [openedMs] = useState(() => Date.now())
  const chosen = (values.group ?? 'day') as StatsGroup
  const metric = (values.metric ?? 'clicks') as StatsMetric
  const integrations = useList('/v1/integrations', { query: { limit: 100 } })
  const brandNames = useBrandNames()
  const names = new Map([...brandNames, ...(integrations.rows ?? []).map(({ id, name }) => [id, name] as const)])
  const brands = [...new Set(integrations.rows?.map(({ brand_slug: brand }) => brand))].sort()
  const asked = {
    ...periodOf(openedMs, Number(values.days ?? '30')),
    group_by: [chosen],
    metrics: metricsOfGroup(chosen),
    currency: values.currency,
    compare: values.compare as 'previous_period' | 'previous_year' | undefined,
  }
  const { brand } = values
  const query = withoutUndefined<QueryOf<'/v1/stats'>>({
    ...asked,
    limit: rowsMax,
    'filter[brand]': brand === undefined ? undefined : [brand],
  })
  const exported = withoutUndefined<components['schemas']['NewExport']['query']>({
    ...asked,
    filter: brand === undefined ? undefined : { brand: [brand] },
  })
  const reading = useRead('/v1/stats', { query }, { pace: 'slow' })
  return (
    <Page title={texts.nav.stats} lead={words.lead} actions={<ExportStats query={exported} />}>
      <StatsFilters filters={filters} brands={brands} brandNames={brandNames} />
      <Loaded source={reading} rows={8}>
        {({ data, totals, meta, has_more: hasMore }) => {
          const rows: readonly StatsRow[] = data
          const group = groupOfRows(rows, chosen)
          const beyond = beyondText(meta)
          if (rows.length === 0)
            return (
              <Card>
                <EmptyState icon="dashboard" title={words.none} text={words.noneText} />
              </Card>
            )
          return (
            <Stack>
              {group === 'day' && (
                <StatsChart
                  rows={rows}
                  metric={metric}
                  from={meta.from}
                  to={meta.to}
                  finalThrough={meta.final_through}
                />
              )}
              <Card isPadded={false}>
                <StatsTable rows={rows} totals={totals} group={group} names={names} />
              </Card>
              {beyond !== null && <Notice look="warning">{beyond}</Notice>}
              <Text size="sm" c="dimmed">
                {words.zone(dayText(meta.from), dayText(meta.to, 'en-GB', true), meta.time_zone)}{' '}
                {meta.final_through === null ? words.notFinal : words.final(dayText(meta.final_through))}{' '}
                {meta.fx !== null && words.rates(meta.fx.rate_set, meta.fx.sources)}{' '}
                {meta.approximate && words.approximate} {hasMore && words.more(countText(rowsMax))}
              </Text>
            </Stack>
          )
        }}
      </Loaded>
      <CurlView method="get" path="/v1/stats" query={query} />
    </Page>
  )
}
