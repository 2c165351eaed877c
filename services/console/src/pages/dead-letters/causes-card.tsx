// The dead letters by cause, most first; a cause opens its rows and can be retried as a whole.
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Stack } from '../../components/layout.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { groupWords, reasonWords } from '../../view-models/attempt-words.ts'
import { searchText } from '../../view-models/filters.ts'
import { countText } from '../../view-models/numbers.ts'
import { SubscriptionNames } from './subscription-names.tsx'
import { useSubscriptionNames } from './use-subscription-names.ts'

type Cause = Schemas['DeadLetterCause']

/** The filter that lists a cause. */
export function filterOfCause({
  reason,
  error_code: code,
  status_class: status,
}: Cause): Record<string, string | undefined> {
  return { reason, error_code: code ?? 'none', status_class: status ?? undefined }
}

interface CausesCardProps {
  causes: Schemas['DeadLetterCauses']
  /** Of the page, which a cause adds to. */
  filter: Readonly<Record<string, string | undefined>>
  onRetry: (filter: Record<string, string | undefined>) => void
}

export function CausesCard({ causes, filter, onRetry }: CausesCardProps) {
  const nameOf = useSubscriptionNames()
  const columns: readonly Column<Cause>[] = [
    {
      title: words.cause,
      cell: (cause) => (
        <Stack gap={0}>
          <RouteLink
            to={`dead-letters${searchText({ ...filter, ...filterOfCause(cause) })}`}
            label={words.openCause(groupWords(cause), cause.count)}
          >
            {groupWords(cause)}
          </RouteLink>
          {cause.error_code !== null && (
            <Text size="xs" c="dimmed">
              {reasonWords(cause.reason)}
            </Text>
          )}
        </Stack>
      ),
    },
    { title: words.count, cell: ({ count }) => countText(count), isNumber: true, isNarrow: true },
    {
      title: words.subscriptions,
      cell: ({ webhooks }) => (
        <SubscriptionNames>{webhooks.map(({ webhook_id: id }) => nameOf(id)).join(', ')}</SubscriptionNames>
      ),
    },
    { title: words.oldest, cell: ({ oldest }) => <RelativeTime at={oldest} />, isNarrow: true },
    { title: words.newest, cell: ({ newest }) => <RelativeTime at={newest} />, isNarrow: true },
    {
      title: words.actions,
      isTitleHidden: true,
      isNarrow: true,
      cell: (cause) => (
        <Button size="xs" onClick={() => onRetry({ ...filter, ...filterOfCause(cause) })}>
          {words.retryGroup}
        </Button>
      ),
    },
  ]
  return (
    <Card title={words.causes} hint={causes.counted_since === null ? words.causesHint : words.counted} isPadded={false}>
      <DataTable
        caption={words.causes}
        columns={columns}
        rows={causes.data}
        keyOf={({ reason, error_code: code, status_class: status }) => `${reason} ${code} ${status}`}
      />
    </Card>
  )
}
