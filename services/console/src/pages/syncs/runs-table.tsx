// Sync runs in rows; each opens by its link.
import type { Schemas } from '../../api.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Stack } from '../../components/layout.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { syncTexts as words } from '../../texts/syncs.ts'
import { searchText } from '../../view-models/filters.ts'
import { countText } from '../../view-models/numbers.ts'
import { daysText } from '../../view-models/sync-run.ts'

type SyncRun = Schemas['SyncRun']

interface RunsTableProps {
  runs: readonly SyncRun[]
  /** Unset: they are of one integration, which is not named. */
  nameOf?: (run: SyncRun) => string
  /** Filters that the address keeps when a run is opened. */
  filters?: Readonly<Record<string, unknown>>
  openId?: string | null
}

export function RunsTable({ runs, nameOf, filters = {}, openId = null }: RunsTableProps) {
  const columns: Column<SyncRun>[] = [
    {
      title: words.run,
      cell: (run) => (
        <Stack gap={2}>
          <RouteLink to={`syncs/${run.id}${searchText(filters)}`}>{words.runNumber(run.run_seq)}</RouteLink>
          {nameOf && (
            <Text size="xs" c="dimmed">
              {nameOf(run)}
            </Text>
          )}
        </Stack>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    { title: words.trigger, cell: ({ trigger }) => words.triggers[trigger], isNarrow: true },
    { title: words.window, cell: daysText, isNarrow: true },
    { title: words.rows, cell: ({ rows_ingested: rows }) => countText(rows), isNumber: true, isNarrow: true },
    { title: words.rejected, cell: ({ rows_rejected: rows }) => countText(rows), isNumber: true, isNarrow: true },
    { title: words.queued, cell: ({ queued, created }) => <RelativeTime at={queued ?? created} />, isNarrow: true },
  ]
  return <DataTable caption={words.caption} columns={columns} rows={runs} keyOf={({ id }) => id} openKey={openId} />
}
