// Numbers and bars of a subscription over 24 hours or 7 days; a bar leads to its deliveries.
import { useState } from 'react'
import { BarButtons, BarStrip } from '../../components/bar-strip.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Numbers } from '../../components/number-card.tsx'
import { RelativeTime, useNow } from '../../components/relative-time.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { SegmentedControl } from '../../components/segmented-control.ts'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { texts } from '../../texts.ts'
import type { PagePath } from '../../view-models/console-paths.ts'
import { type Bar, barsOf, lastHours, successRate } from '../../view-models/health.ts'
import { countText } from '../../view-models/numbers.ts'
import { durationText } from '../../view-models/relative-time.ts'
import { openText } from './condition.ts'
import type { Webhook } from './webhook.ts'

const spans = { '24': { hours: 24, stepMs: 3_600_000 }, '168': { hours: 168, stepMs: 6 * 3_600_000 } } as const
const timeOf = (instant: string) =>
  new Date(instant).toLocaleString('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })

export function SubscriptionHealth({ webhook }: { webhook: Webhook }) {
  const [span, setSpan] = useState<keyof typeof spans>('24')
  const nowMs = useNow()
  const { hours, stepMs } = spans[span]
  const { sinceMs, untilMs } = lastHours(nowMs, hours)
  const query = {
    webhook_id: [webhook.id],
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
  }
  const statistics = useRead('/v1/deliveries/statistics', { query }, { pace: 'slow' })
  const choice = (
    <SegmentedControl
      aria-label={words.period}
      data={[
        { value: '24', label: words.hours24 },
        { value: '168', label: words.days7 },
      ]}
      value={span}
      onChange={(value) => setSpan(value as keyof typeof spans)}
    />
  )
  return (
    <Card title={words.numbers} actions={choice}>
      <Loaded source={statistics} rows={4}>
        {({ total, periods }) => (
          <Stack gap="lg">
            <Totals webhook={webhook} total={total} />
            <Bars bars={barsOf(periods, { sinceMs, untilMs, stepMs })} total={total} webhookId={webhook.id} />
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

interface Total {
  attempts: number
  succeeded: number
  failed: number
  p95_ms: number | null
}

function Totals({ webhook, total }: { webhook: Webhook; total: Total }) {
  const { data } = useRead('/v1/webhooks/{id}/condition', { path: { id: webhook.id } }, { pace: 'slow' })
  const none = texts.time.none
  const numbers = [
    { name: words.successRate, value: successRate(total) ?? none },
    { name: words.p95, value: total.p95_ms === null ? none : words.atMost(durationText(total.p95_ms)) },
    { name: words.attempts, value: total.attempts },
    { name: words.failed, value: total.failed, isBad: total.failed > 0 },
    {
      name: words.failingInRow,
      value: data === undefined ? none : countText(data.failing_deliveries),
      isBad: (data?.failing_deliveries ?? 0) > 0,
    },
    { name: words.open, value: data === undefined ? none : openText(data) },
    { name: words.lastDelivered, value: <RelativeTime at={webhook.last_delivered} none={texts.time.never} /> },
  ]
  return <Numbers numbers={numbers} />
}

function Bars({ bars, total, webhookId }: { bars: readonly Bar[]; total: Total; webhookId: string }) {
  const [isTable, setTable] = useState(false)
  const openPage = useOpenPage()
  const deliveriesOf = ({ start, end }: Bar): PagePath =>
    `webhooks/${webhookId}/history?since=${encodeURIComponent(start)}&until=${encodeURIComponent(end)}`
  const open = (bar: Bar) => openPage(deliveriesOf(bar))
  const columns: readonly Column<Bar>[] = [
    { title: words.from, cell: (bar) => <RouteLink to={deliveriesOf(bar)}>{timeOf(bar.start)}</RouteLink> },
    { title: words.delivered, cell: ({ succeeded }) => succeeded, isNumber: true },
    { title: words.failed, cell: ({ failed }) => failed, isNumber: true },
    { title: words.unknown, cell: ({ unknown }) => unknown, isNumber: true },
  ]
  return (
    <Stack gap="xs">
      {isTable ? (
        <DataTable caption={words.over} columns={columns} rows={bars} keyOf={({ start }) => start} />
      ) : (
        <div className="wds-strip-place">
          <BarStrip bars={bars} label={words.strip(successRate(total), total.attempts, total.failed)} />
          <BarButtons
            bars={bars}
            labelOf={({ start, succeeded, failed }) => words.bar(timeOf(start), succeeded, failed)}
            onOpen={open}
          />
        </div>
      )}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {isTable ? '' : `${timeOf(bars[0]?.start ?? '')} – ${timeOf(bars.at(-1)?.end ?? '')}. ${words.overHint}`}
        </Text>
        <Button size="xs" look="plain" onClick={() => setTable(!isTable)}>
          {isTable ? words.asBars : words.asTable}
        </Button>
      </Group>
    </Stack>
  )
}
