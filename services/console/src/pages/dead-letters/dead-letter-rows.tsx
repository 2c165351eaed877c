// The dead letters one by one, to be chosen for a retry.
import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Checkbox } from '../../components/choices.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Group } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NewRows } from '../../components/new-rows.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useStableRows } from '../../components/use-stable-rows.ts'
import { useList } from '../../queries.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { historyTexts } from '../../texts/history.ts'
import { causeOf, reasonWords } from '../../view-models/attempt-words.ts'
import { SubscriptionNames } from './subscription-names.tsx'
import { useSubscriptionNames } from './use-subscription-names.ts'

type Delivery = Schemas['Delivery']

const selectMax = 100

interface DeadLetterRowsProps {
  filter: Readonly<Record<string, string>>
  onRetry: (ids: string[]) => void
}

export function DeadLetterRows({ filter, onRetry }: DeadLetterRowsProps) {
  const nameOf = useSubscriptionNames()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const list = useList('/v1/dead-letters', { query: filter as object }, chosen.length > 0 ? {} : { pace: 'live' })
  const stable = useStableRows(JSON.stringify(filter), list.rows, ({ id }) => id)
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const columns: readonly Column<Delivery>[] = [
    {
      title: words.type,
      cell: ({ id, webhook_id: webhook, event_type: type, status }) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            aria-label={words.selectRow(type)}
            checked={chosen.includes(id)}
            disabled={!chosen.includes(id) && chosen.length >= selectMax}
            onChange={() => toggle(id)}
          />
          <RouteLink to={`webhooks/${webhook}/history/${id}`} label={historyTexts.open(type, status)}>
            {type}
          </RouteLink>
        </Group>
      ),
    },
    { title: words.subscription, cell: ({ webhook_id: id }) => <SubscriptionNames>{nameOf(id)}</SubscriptionNames> },
    {
      title: historyTexts.event,
      cell: ({ event_id: id }) => <IdText id={id} what={historyTexts.eventIdWhat} />,
      isNarrow: true,
    },
    { title: words.cause, cell: (delivery) => <Cause delivery={delivery} /> },
    { title: words.dead, cell: ({ dead }) => <RelativeTime at={dead} />, isNarrow: true },
    {
      title: words.actions,
      isTitleHidden: true,
      isNarrow: true,
      cell: ({ id }) => (
        <Button size="xs" onClick={() => onRetry([id])}>
          {historyTexts.retry}
        </Button>
      ),
    },
  ]
  return (
    <Card title={words.rows} isPadded={false} actions={<Chosen ids={chosen} onRetry={onRetry} />}>
      <NewRows count={stable.waiting} onShow={stable.showNew} />
      <Loaded source={{ ...list, data: list.rows && stable.rows }}>
        {(rows) => <DataTable caption={words.caption} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Loaded>
      <LoadMore list={list} />
    </Card>
  )
}

function Chosen({ ids, onRetry }: { ids: readonly string[]; onRetry: (ids: string[]) => void }) {
  if (ids.length === 0) return null
  return (
    <Group gap="sm">
      <Text size="sm">{ids.length >= selectMax ? words.selectMax : words.selected(ids.length)}</Text>
      <Button size="xs" look="primary" icon="repeat" onClick={() => onRetry([...ids])}>
        {words.retrySelected}
      </Button>
    </Group>
  )
}

function Cause({ delivery }: { delivery: Delivery }) {
  const { last_status: response_status, last_error_code: error_code, dead_reason: reason } = delivery
  return <Text size="sm">{causeOf({ response_status, error_code }) ?? reasonWords(reason ?? '')}</Text>
}
