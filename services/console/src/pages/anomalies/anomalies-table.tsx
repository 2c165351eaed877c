// Anomalies in rows; each opens by its link.
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Stack } from '../../components/layout.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, amountText, changeText } from '../../view-models/anomalies.ts'
import { searchText } from '../../view-models/filters.ts'
import { AnomalyTitle } from './subject.tsx'

interface AnomaliesTableProps {
  anomalies: readonly Anomaly[]
  /** Filters that the address keeps when one is opened. */
  filters: Readonly<Record<string, unknown>>
  openId: string | null
}

export function AnomaliesTable({ anomalies, filters, openId }: AnomaliesTableProps) {
  const columns: Column<Anomaly>[] = [
    {
      title: words.anomaly,
      cell: (one) => (
        <Stack gap={2}>
          <RouteLink to={`anomalies/${one.id}${searchText(filters)}`}>
            <AnomalyTitle anomaly={one} />
          </RouteLink>
          <Text size="xs" c="dimmed">
            {changeText(one)}
          </Text>
        </Stack>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    { title: words.severity, cell: ({ severity }) => <StatusBadge status={severity} />, isNarrow: true },
    { title: words.observed, cell: (one) => amountText(one, one.observed), isNumber: true, isNarrow: true },
    { title: words.expected, cell: (one) => amountText(one, one.expected), isNumber: true, isNarrow: true },
    { title: words.found, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  ]
  return (
    <DataTable caption={words.caption} columns={columns} rows={anomalies} keyOf={({ id }) => id} openKey={openId} />
  )
}
