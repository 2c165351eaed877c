// What a rule has done, and what it was held back from, with the numbers that it compared.
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import { evidenceText, type Firing, outcomeLines } from '../../view-models/automation-rules.ts'
import { Subject } from './subject.tsx'

const columns: readonly Column<Firing>[] = [
  { title: words.fired, cell: ({ fired }) => <RelativeTime at={fired} />, isNarrow: true },
  { title: words.subjectOf, cell: (one) => <Subject type={one.subject_type} id={one.subject_id} /> },
  {
    title: words.outcome,
    cell: (one) => (
      <Stack gap={2}>
        <div>
          <StatusBadge status={one.status} />
        </div>
        {outcomeLines(one).map((line) => (
          <Text key={line} size="xs">
            {line}
          </Text>
        ))}
      </Stack>
    ),
  },
  { title: words.numbers, cell: ({ evidence }) => evidenceText(evidence) },
]

export function FiringsCard({ ruleId: id }: { ruleId: string }) {
  const list = useList('/v1/automation-rules/{id}/firings', { path: { id } }, { pace: 'slow' })
  return (
    <Card title={words.firings} hint={words.firingsHint} isPadded={false}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <>
            {rows.length > 0 && (
              <DataTable caption={words.firingsCaption} columns={columns} rows={rows} keyOf={(one) => one.id} />
            )}
            {rows.length === 0 && (
              <EmptyState icon="inbox" title={words.firingsNone} text={words.firingsNoneText}>
                <CurlView method="get" path={`/v1/automation-rules/${id}/firings`} />
              </EmptyState>
            )}
            <LoadMore list={list} />
          </>
        )}
      </Loaded>
    </Card>
  )
}
