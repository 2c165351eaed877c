// The columns of a list of deliveries, in the history of a subscription and among dead letters.
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Stack } from '../../components/layout.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { historyTexts as words } from '../../texts/history.ts'
import { causeOf } from '../../view-models/attempt-words.ts'
import type { PagePath } from '../../view-models/console-paths.ts'
import { whyNoRetry } from './retry-delivery.tsx'

type Delivery = Schemas['Delivery']

interface Actions {
  /** Path of the drawer of a delivery. */
  toDrawer: (id: string) => PagePath
  onRetry: (delivery: Delivery) => void
}

const lastOf = ({
  last_status: response_status,
  last_error_code: error_code,
  attempt_under_way: isUnderWay,
}: Delivery) => (isUnderWay ? words.underWay : causeOf({ response_status, error_code }))

function LastResult({ delivery }: { delivery: Delivery }) {
  const { attempt, max_attempts: max } = delivery
  return (
    <Stack gap={0}>
      <Text size="sm">{lastOf(delivery)}</Text>
      <Text size="xs" c="dimmed">
        {words.attemptOf(attempt, max)}
      </Text>
    </Stack>
  )
}

export function historyColumns({ toDrawer, onRetry }: Actions): readonly Column<Delivery>[] {
  return [
    {
      title: words.type,
      cell: ({ id, event_type: type, status }) => (
        <RouteLink to={toDrawer(id)} label={words.open(type, status)}>
          {type}
        </RouteLink>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    { title: words.event, cell: ({ event_id: id }) => <IdText id={id} what={words.eventIdWhat} />, isNarrow: true },
    { title: words.last, cell: (delivery) => <LastResult delivery={delivery} /> },
    { title: words.next, cell: ({ next_attempt: at }) => <RelativeTime at={at} />, isNarrow: true },
    { title: words.created, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
    {
      title: words.actions,
      isTitleHidden: true,
      isNarrow: true,
      cell: (delivery) => (
        <Button size="xs" disabledBecause={whyNoRetry(delivery)} onClick={() => onRetry(delivery)}>
          {words.retry}
        </Button>
      ),
    },
  ]
}
