// The line of one metric over the days of the answer.
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { LineChart } from '../../components/line-chart.tsx'
import { Select } from '../../components/select.ts'
import { statsTexts as words } from '../../texts/stats.ts'
import { compactText, countText, dayText, moneyText } from '../../view-models/numbers.ts'
import { currenciesOf, seriesOf } from '../../view-models/stats-series.ts'
import { isMoneyMetric, type StatsMetric, type StatsRow } from '../../view-models/stats-table.ts'

interface StatsChartProps {
  rows: readonly StatsRow[]
  metric: StatsMetric
  from: string
  to: string
  finalThrough: string | null
}

export function StatsChart({ rows: given, metric, from, to, finalThrough }: StatsChartProps) {
  const [chosen, choose] = useState<string | null>(null)
  const rows = given as readonly Readonly<Record<string, string | number | null>>[]
  const currencies = isMoneyMetric(metric) ? currenciesOf(rows, metric) : []
  const currency = currencies.find((one) => one === chosen) ?? currencies[0] ?? null
  const label = words.chart(words.metrics[metric], words.groups.day)
  const textOf = (value: number | null) => (currency === null ? countText(value) : moneyText(value, currency))
  return (
    <Card title={label}>
      {currencies.length > 1 && (
        <Select
          aria-label={words.currency}
          data={currencies}
          value={currency}
          allowDeselect={false}
          maw={100}
          onChange={choose}
        />
      )}
      <LineChart
        points={seriesOf(rows, { metric, from, to, currency })}
        label={label}
        dayTitle={words.groups.day}
        valueTitle={words.metrics[metric]}
        textOf={textOf}
        tickText={(value) => compactText(value, currency)}
        dayText={(day) => dayText(day)}
        finalThrough={finalThrough}
        finalLabel={finalThrough === null ? undefined : words.final(dayText(finalThrough))}
      />
    </Card>
  )
}
