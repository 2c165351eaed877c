// The days around an anomaly, of its metric and brand.
import { Card } from '../../components/card.tsx'
import { LineChart } from '../../components/line-chart.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useRead } from '../../queries.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, amountText, metricName } from '../../view-models/anomalies.ts'
import { compactText, dayText } from '../../view-models/numbers.ts'
import { daysAround, seriesOf } from '../../view-models/stats-series.ts'

export function SeriesChart({ anomaly }: { anomaly: Anomaly }) {
  const { metric, currency, day, dimension } = anomaly
  const brand = dimension.brand_slug ?? ''
  const { from, to } = daysAround(day, Date.now())
  const query = { from, to, group_by: ['day' as const], metrics: [metric], 'filter[brand]': [brand], limit: 1_000 }
  const reading = useRead('/v1/stats', { query }, {})
  const label = words.chart(metricName(metric), brand)
  return (
    <Card title={label}>
      <Loaded source={reading} rows={6}>
        {({ data: rows }) => (
          <LineChart
            points={seriesOf(rows, { metric, from, to, currency })}
            label={label}
            dayTitle={words.day}
            valueTitle={metricName(metric)}
            textOf={(value) => amountText(anomaly, value)}
            tickText={(value) => compactText(value, currency)}
            dayText={(date) => dayText(date)}
            anomalies={[day]}
          />
        )}
      </Loaded>
    </Card>
  )
}
