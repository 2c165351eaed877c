// One anomaly: its numbers beside what was expected, the days around it, and what people do about it.
import { CurlView } from '../../components/curl-view.tsx'
import { Drawer } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text, Title } from '../../components/text.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, amountText, changeText, usualText } from '../../view-models/anomalies.ts'
import { roundText } from '../../view-models/numbers.ts'
import { AnomalyActions } from './anomaly-actions.tsx'
import { SeriesChart } from './series-chart.tsx'
import { AnomalyTitle, CampaignNames } from './subject.tsx'

interface AnomalyDrawerProps {
  /** Null: closed. */
  id: string | null
  onClose: () => void
}

export function AnomalyDrawer({ id, onClose }: AnomalyDrawerProps) {
  return (
    <Drawer title={words.anomaly} isOpen={id !== null} onClose={onClose}>
      {id !== null && <AnomalyById key={id} id={id} />}
    </Drawer>
  )
}

function AnomalyById({ id }: { id: string }) {
  const reading = useRead('/v1/anomalies/{id}', { path: { id } }, { pace: 'slow' })
  return (
    <Loaded source={reading} rows={8}>
      {(anomaly) => <OneAnomaly anomaly={anomaly} etag={reading.etag} />}
    </Loaded>
  )
}

function OneAnomaly({ anomaly, etag }: { anomaly: Anomaly; etag: string | null }) {
  const canAct = useAllowed('campaigns:write')
  const { status, severity, is_final_day: isFinal, resolution } = anomaly
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} size="h3">
          <AnomalyTitle anomaly={anomaly} />
        </Title>
        <Group gap="sm">
          <StatusBadge status={status} />
          <StatusBadge status={severity} />
          <Text size="sm">{changeText(anomaly)}</Text>
        </Group>
      </Stack>
      {!isFinal && <Text size="sm">{words.provisional}</Text>}
      {resolution !== null && <Text size="sm">{words.resolutions[resolution]}</Text>}
      {canAct ? (
        <AnomalyActions anomaly={anomaly} etag={etag} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.readOnly}
        </Text>
      )}
      <SeriesChart anomaly={anomaly} />
      <Facts facts={factsOf(anomaly)} />
      <CurlView method="get" path={`/v1/anomalies/${anomaly.id}`} />
    </Stack>
  )
}

function factsOf(anomaly: Anomaly) {
  const {
    observed,
    expected,
    score,
    reason,
    note,
    campaign_ids: campaigns,
    window_days: days,
    baseline_days: count,
  } = anomaly
  const usual = usualText(anomaly)
  return [
    { name: words.observed, value: amountText(anomaly, observed) },
    { name: words.expected, value: amountText(anomaly, expected) },
    ...(usual === null ? [] : [{ name: words.usual, value: usual }]),
    ...(score === null ? [] : [{ name: words.score, value: words.scoreText(roundText(score)) }]),
    ...(campaigns.length === 0 ? [] : [{ name: words.campaigns, value: <CampaignNames ids={campaigns} /> }]),
    ...(count === 0
      ? []
      : [{ name: words.compared, value: days === 7 ? words.comparedWeeks(count) : words.comparedDays(count) }]),
    ...(reason === null ? [] : [{ name: words.reason, value: words.reasons[reason] }]),
    ...(note === null ? [] : [{ name: words.note, value: note }]),
    { name: words.found, value: <RelativeTime at={anomaly.created} /> },
    { name: words.timeZone, value: anomaly.time_zone },
    { name: words.id, value: <IdText id={anomaly.id} what={words.id} isWhole /> },
  ]
}
