// The sums by group, and those of all; with a comparison the change stands below each number.
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Stack } from '../../components/layout.ts'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { statsTexts as words } from '../../texts/stats.ts'
import {
  campaignIdOf,
  campaignsOf,
  changeText,
  groupText,
  hasCurrencies,
  keyOfRow,
  metricText,
  type StatsGroup,
  type StatsMetric,
  type StatsRow,
  shownMetrics,
} from '../../view-models/stats-table.ts'

interface StatsTableProps {
  rows: readonly StatsRow[]
  /** One for each currency. */
  totals: readonly StatsRow[]
  group: StatsGroup
  /** Of integrations by their ids, of brands by their slugs. */
  names: ReadonlyMap<string, string>
}

interface Line {
  key: string
  label: string
  /** The campaign that the row is of; null: it is of none, or of more. */
  campaignId: string | null
  row: StatsRow
  isTotal: boolean
}

/** Of the campaigns of the rows, by their ids; of others the name that their source gives them is enough. */
function useCampaignNames(rows: readonly StatsRow[]): [string, string][] {
  const externalIds = campaignsOf(rows)
  const enabled = useAllowed('campaigns:read') && externalIds.length > 0
  const { data } = useRead('/v1/campaigns', { query: { external_id: externalIds, limit: 100 } }, { enabled })
  return data?.data.map(({ id, name }) => [id, name]) ?? []
}

export function StatsTable({ rows, totals, group, names: ofIntegrations }: StatsTableProps) {
  const canOpen = useAllowed('campaigns:read')
  const names = new Map([...ofIntegrations, ...useCampaignNames(rows)])
  const lines: Line[] = [
    ...rows.map((row) => {
      const campaignId = canOpen ? campaignIdOf(row, group) : null
      return { key: keyOfRow(row, group), label: groupText(row, group, names), campaignId, row, isTotal: false }
    }),
    ...totals.map((row) => ({
      key: `total ${row.currency}`,
      label: words.total,
      campaignId: null,
      row,
      isTotal: true,
    })),
  ]
  const columns: Column<Line>[] = [
    {
      title: words.groups[group],
      cell: ({ label, campaignId, isTotal }) => (
        <Text size="sm" fw={isTotal ? 700 : 400}>
          {campaignId === null ? label : <RouteLink to={`campaigns/${campaignId}`}>{label}</RouteLink>}
        </Text>
      ),
    },
    ...(hasCurrencies([...rows, ...totals])
      ? [{ title: words.currency, cell: ({ row }: Line) => String(row.currency ?? ''), isNarrow: true }]
      : []),
    ...shownMetrics([...rows, ...totals], group).map((metric) => ({
      title: words.metrics[metric],
      cell: (line: Line) => <Cell line={line} metric={metric} />,
      isNumber: true,
      isNarrow: true,
    })),
  ]
  return <DataTable caption={words.caption} columns={columns} rows={lines} keyOf={({ key }) => key} />
}

function Cell({ line: { row, isTotal }, metric }: { line: Line; metric: StatsMetric }) {
  const change = changeText(row, metric)
  return (
    <Stack gap={0} align="flex-end">
      <Text size="sm" fw={isTotal ? 700 : 400}>
        {metricText(row, metric)}
      </Text>
      {change !== null && (
        <Text size="xs" c="dimmed">
          {change}
        </Text>
      )}
    </Stack>
  )
}
