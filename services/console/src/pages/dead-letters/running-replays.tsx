// The bulk replays that are not over, wherever they were begun.

import type { Schemas } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useList } from '../../queries.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { countText } from '../../view-models/numbers.ts'

type Replay = Schemas['Replay']

const columns: readonly Column<Replay>[] = [
  {
    title: words.running,
    cell: ({ id, matched }) => <RouteLink to={`replays/${id}`}>{words.replayOf(matched)}</RouteLink>,
  },
  { title: words.progress, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
  { title: words.opened, cell: ({ opened }) => countText(opened), isNumber: true, isNarrow: true },
  { title: words.delivered, cell: ({ delivered }) => countText(delivered), isNumber: true, isNarrow: true },
  { title: words.asked, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
]

export function RunningReplays() {
  const { rows = [] } = useList('/v1/replays', { query: { status: ['queued', 'running', 'paused'] } }, { pace: 'live' })
  if (rows.length === 0) return null
  return (
    <Card title={words.running} isPadded={false}>
      <DataTable caption={words.running} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </Card>
  )
}
