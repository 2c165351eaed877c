// Who did what: filters in the address, copy as JSON.
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IdText } from '../../components/id-text.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useFilters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { auditTexts as words } from '../../texts/audit-log.ts'
import { texts } from '../../texts.ts'
import { type AuditFilters, actionWords, actorName, auditQuery, isDay } from '../../view-models/audit.ts'
import { upTo } from '../../view-models/filters.ts'
import { AuditFilterBar } from './audit-filter-bar.tsx'

type Entry = Schemas['AuditEntry']

const rules = { actor: upTo(100), action: upTo(100), target: upTo(100), from: isDay, to: isDay }

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Entry>[] => [
  { title: words.action, cell: ({ action }) => <Text size="sm">{actionWords(action)}</Text> },
  { title: words.actor, cell: ({ actor }) => <Text size="sm">{actorName(actor, names)}</Text> },
  { title: words.target, cell: ({ target }) => <Id id={target} what={words.target} />, isNarrow: true },
  { title: words.outcome, cell: ({ outcome }) => <StatusBadge status={outcome} />, isNarrow: true },
  { title: words.time, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  { title: words.address, cell: ({ address }) => address ?? texts.time.none, isNarrow: true },
  { title: words.requestId, cell: (row) => <Id id={row.request_id} what={words.requestId} />, isNarrow: true },
]

const Id = ({ id, what }: { id: string | null; what: string }) =>
  id === null ? texts.time.none : <IdText id={id} what={what} />

export function AuditLogPage() {
  const { values, refused, set, clear } = useFilters(rules)
  const filters = values as AuditFilters
  const list = useList('/v1/workspace/audit', { query: { ...auditQuery(filters), limit: 50 } }, { pace: 'slow' })
  const members = useList('/v1/members', { query: { limit: 100 } }).rows ?? []
  const names = new Map(members.map(({ user }) => [user.id, user.name]))
  const isFiltered = Object.keys(values).length > 0
  const rows = list.rows ?? []
  return (
    <Page
      title={texts.nav.auditLog}
      lead={words.lead}
      actions={rows.length > 0 && <CopyButton text={JSON.stringify(rows, null, 2)} what={words.copy} wide />}
    >
      {refused.length > 0 && <Notice look="warning">{words.refused(refused)}</Notice>}
      <AuditFilterBar
        key={JSON.stringify(values)}
        filters={filters}
        names={names}
        onApply={set}
        onClear={isFiltered ? clear : null}
      />
      <Loaded source={{ ...list, data: list.rows }}>
        {(shown) => (
          <Card isPadded={false}>
            {shown.length > 0 && (
              <DataTable caption={words.caption} columns={columnsWith(names)} rows={shown} keyOf={({ id }) => id} />
            )}
            {shown.length === 0 && !isFiltered && <EmptyState icon="list" title={words.none} text={words.noneText} />}
            {shown.length === 0 && isFiltered && (
              <EmptyState icon="search" title={words.noneMatch} text={words.noneMatchText}>
                <Button onClick={clear}>{texts.list.clear}</Button>
              </EmptyState>
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
