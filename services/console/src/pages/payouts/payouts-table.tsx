// Payouts in rows; each opens by its link.
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { payoutTexts as words } from '../../texts/payouts.ts'
import { dayText, moneyText, rangeText } from '../../view-models/numbers.ts'
import type { Payout } from '../../view-models/payouts.ts'

/** `names`: of sub-affiliates by id; null where all are of one. */
export function PayoutsTable({
  payouts,
  names,
}: {
  payouts: readonly Payout[]
  names: ReadonlyMap<string, string> | null
}) {
  const nameOf = ({ sub_affiliate_id: id }: Payout) => names?.get(id) ?? id
  const columns: Column<Payout>[] = [
    {
      title: words.payout,
      cell: (one) => (
        <Stack gap={2}>
          <RouteLink to={`payouts/${one.id}`}>
            {names === null ? words.payoutOf(moneyText(one.amount, one.currency)) : nameOf(one)}
          </RouteLink>
          <Text size="xs" c="dimmed">
            {words.covers} {rangeText(one.period.from, one.period.to)}
          </Text>
        </Stack>
      ),
    },
    { title: words.status, cell: (one) => <PayoutBadges payout={one} />, isNarrow: true },
    { title: words.scheduledFor, cell: (one) => dayText(one.scheduled_for, 'en-GB', true), isNarrow: true },
    {
      title: words.amount,
      cell: ({ amount, currency }) => moneyText(amount, currency),
      isNumber: true,
      isNarrow: true,
    },
  ]
  return <DataTable caption={words.caption} columns={columns} rows={payouts} keyOf={({ id }) => id} />
}

export function PayoutBadges({ payout: { status, held, returned } }: { payout: Payout }) {
  return (
    <Group gap={4}>
      <StatusBadge status={status} />
      {held !== null && <StatusBadge status="held" words={words.held} />}
      {returned !== null && <StatusBadge status="returned" words={words.returned} />}
    </Group>
  )
}
