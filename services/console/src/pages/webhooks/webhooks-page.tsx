// The subscriptions of the workspace, each with what became of its attempts in the last day.
import type { Schemas } from '../../api.ts'
import { BarStrip } from '../../components/bar-strip.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime, useNow } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useList, useRead } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { texts } from '../../texts.ts'
import { disabledWords } from '../../view-models/attempt-words.ts'
import { barsOf, lastHours, successRate } from '../../view-models/health.ts'

type Webhook = Schemas['Webhook']
type Statistics = Schemas['DeliveryStatistics']

const shownTypes = 3

const eventsText = (events: readonly string[]) =>
  events.length <= shownTypes
    ? events.join(', ')
    : `${events.slice(0, shownTypes).join(', ')} ${words.more(events.length - shownTypes)}`

function columnsOf(statistics: Statistics | undefined, nowMs: number): readonly Column<Webhook>[] {
  return [
    { title: words.url, cell: (webhook) => <Name webhook={webhook} /> },
    { title: words.events, cell: ({ events }) => <Text size="sm">{eventsText(events)}</Text> },
    { title: words.status, cell: (webhook) => <State webhook={webhook} />, isNarrow: true },
    { title: words.last24, cell: ({ id }) => <Day id={id} statistics={statistics} nowMs={nowMs} />, isNarrow: true },
    {
      title: words.lastDelivered,
      cell: ({ last_delivered: at }) => (
        <Text size="sm" component="span">
          <RelativeTime at={at} none={texts.time.never} />
        </Text>
      ),
      isNarrow: true,
    },
  ]
}

function Name({ webhook: { id, url, description } }: { webhook: Webhook }) {
  return (
    <Stack gap={2}>
      <RouteLink to={`webhooks/${id}`}>{url}</RouteLink>
      {description !== null && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  )
}

function State({ webhook: { status, disabled_reason: reason } }: { webhook: Webhook }) {
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={status} />
      {reason !== null && (
        <Text size="xs" c="dimmed" maw={160} className="wds-wrap">
          {disabledWords(reason)}
        </Text>
      )}
    </Stack>
  )
}

function Day({ id, statistics, nowMs }: { id: string; statistics: Statistics | undefined; nowMs: number }) {
  if (statistics === undefined) return null
  const series = statistics.webhooks.find(({ webhook_id: own }) => own === id)
  const total = series?.total ?? { attempts: 0, succeeded: 0, failed: 0 }
  const rate = successRate(total)
  const bars = barsOf(series?.periods ?? [], { ...lastHours(nowMs, 24), stepMs: 3_600_000 })
  return (
    <Stack gap={2}>
      <BarStrip bars={bars} label={words.strip(rate, total.attempts, total.failed)} isSmall />
      <Text size="xs" c="dimmed">
        {rate === null ? words.noAttempts : words.rateOf(rate)}
      </Text>
    </Stack>
  )
}

export function WebhooksPage() {
  const nowMs = useNow()
  const list = useList('/v1/webhooks', {}, { pace: 'slow' })
  const statistics = useRead('/v1/deliveries/statistics', {}, { pace: 'slow' })
  const create = (
    <ButtonLink look="primary" icon="plus" to="webhooks/new">
      {words.create}
    </ButtonLink>
  )
  return (
    <Page title={texts.nav.webhooks} lead={words.lead} actions={create}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length === 0 ? (
              <EmptyState icon="webhook" title={words.none} text={words.noneText}>
                {create}
              </EmptyState>
            ) : (
              <DataTable
                caption={words.caption}
                columns={columnsOf(statistics.data, nowMs)}
                rows={rows}
                keyOf={({ id }) => id}
              />
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <Group>
        <CurlView method="get" path="/v1/webhooks" />
      </Group>
    </Page>
  )
}
