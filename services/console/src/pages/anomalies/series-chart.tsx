// The days around an anomaly, of its metric and its brand or campaign.
import { Card } from '../../components/card.tsx'
import { LineChart } from '../../components/line-chart.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useRead } from '../../queries.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, amountText, metricName } from '../../view-models/anomalies.ts'
import { compactText, dayText } from '../../view-models/numbers.ts'
import { daysAround, seriesOf } from '../../view-models/stats-series.ts'
import { useSubject } from './subject.tsx'

export function SeriesChart({ anomaly }: { anomaly: Anomaly }) {
  const { metric, currency, day, dimension } = anomaly
  const { brand_slug: brand, campaign_id: campaign } = dimension
  const { from, to } = daysAround(day, Date.now())
  const filter = campaign === null ? { 'filter[brand]': [brand ?? ''] } : { 'filter[campaign]': [campaign] }
  const query = { from, to, group_by: ['day' as const], metrics: [metric], ...filter, limit: 1_000 }
  const reading = useRead('/v1/stats', { query }, {})
  const label = words.chart(metricName(metric), useSubject(anomaly))
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
