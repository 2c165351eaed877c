// The line of one metric over the last days.
import { useState } from 'react'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { LineChart } from '../../components/line-chart.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { SegmentedControl } from '../../components/segmented-control.ts'
import { Select } from '../../components/select.ts'
import { Text } from '../../components/text.ts'
import { useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { overviewTexts as words } from '../../texts/overview.ts'
import { oneOf } from '../../view-models/filters.ts'
import { compactText, countText, dayText, moneyText } from '../../view-models/numbers.ts'
import {
  currenciesOf,
  isMoney,
  type OverviewMetric,
  overviewMetrics,
  periodOf,
  seriesOf,
  totalOf,
} from '../../view-models/stats-series.ts'
import { beyondText } from '../../view-models/stats-table.ts'

const periods = ['7', '30', '90'] as const
const rules = {
  metric: oneOf(overviewMetrics),
  days: oneOf(periods),
  currency: (text: string) => /^[A-Z]{3}$/.test(text),
}
/** Of one answer: 90 days of eleven currencies. */
const rowsMax = 1_000

export function NumbersCard() {
  const { values, set } = useFilters(rules)
  const metric = (values.metric ?? 'clicks') as OverviewMetric
  const days = values.days ?? '30'
  const [openedMs] = useState(() => Date.now())
  const { from, to } = periodOf(openedMs, Number(days))
  const query = { from, to, group_by: ['day' as const], metrics: [...overviewMetrics], limit: rowsMax }
  const reading = useRead('/v1/stats', { query }, { pace: 'slow' })
  const canAdd = useAllowed('integrations:write')
  return (
    <Card title={words.numbers}>
      <Stack>
        <Group gap="sm" align="flex-end">
          <SegmentedControl
            aria-label={words.metric}
            className="wds-segments"
            size="xs"
            data={overviewMetrics.map((value) => ({ value, label: words.metrics[value] }))}
            value={metric}
            onChange={(value) => set({ metric: value })}
          />
          <Select
            aria-label={words.period}
            data={periods.map((value) => ({ value, label: words.periods[value] }))}
            value={days}
            allowDeselect={false}
            maw={120}
            onChange={(value) => set({ days: value ?? '30' })}
          />
        </Group>
        <Loaded source={reading} rows={6}>
          {({ data: rows, meta }) => {
            const currencies = currenciesOf(rows, metric)
            const currency = isMoney(metric)
              ? (currencies.find((one) => one === values.currency) ?? currencies[0] ?? null)
              : null
            const points = seriesOf(rows, { metric, from: meta.from, to: meta.to, currency })
            const isBeyond = meta.beyond_range?.includes(metric) ?? false
            // Without a day that is beyond what numbers hold it would be too small.
            const total = isBeyond ? null : totalOf(points)
            if (total === null && !isBeyond)
              return (
                <EmptyState icon="dashboard" title={words.noNumbers} text={words.noNumbersText}>
                  {canAdd && <ButtonLink to="integrations/new">{words.addIntegration}</ButtonLink>}
                </EmptyState>
              )
            const textOf = (value: number | null) => (currency === null ? countText(value) : moneyText(value, currency))
            const day = (date: string) => dayText(date)
            return (
              <Stack gap="sm">
                <Group justify="space-between" gap="sm">
                  <Text fw={600}>
                    {words.total(words.metrics[metric], textOf(total), day(meta.from), day(meta.to))}
                  </Text>
                  {currency !== null && currencies.length > 1 && (
                    <Select
                      aria-label={words.currencyOf}
                      data={currencies}
                      value={currency}
                      allowDeselect={false}
                      maw={100}
                      onChange={(value) => set({ currency: value ?? '' })}
                    />
                  )}
                </Group>
                <LineChart
                  points={points}
                  label={words.total(words.metrics[metric], textOf(total), day(meta.from), day(meta.to))}
                  dayTitle={words.day}
                  valueTitle={words.metrics[metric]}
                  textOf={textOf}
                  tickText={(value) => compactText(value, currency)}
                  dayText={day}
                  finalThrough={meta.final_through}
                  finalLabel={meta.final_through === null ? undefined : words.final(day(meta.final_through))}
                />
                {isBeyond && <Notice look="warning">{beyondText({ beyond_range: [metric] })}</Notice>}
                <Text size="sm" c="dimmed">
                  {words.zone(meta.time_zone)} {meta.final_through !== null && words.final(day(meta.final_through))}
                </Text>
              </Stack>
            )
          }}
        </Loaded>
        <CurlView method="get" path="/v1/stats" query={query} />
      </Stack>
    </Card>
  )
}
