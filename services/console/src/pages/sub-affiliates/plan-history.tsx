// The plans by which a sub-affiliate earned, earns and will earn, each from its day on.
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { usePlanNames } from '../../plan-names.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { dayText } from '../../view-models/numbers.ts'
import type { SubAffiliate } from '../../view-models/sub-affiliates.ts'

export function PlanHistory({ subAffiliate: { plan_history: history } }: { subAffiliate: SubAffiliate }) {
  const names = usePlanNames()
  const columns: readonly Column<(typeof history)[number]>[] = [
    {
      title: words.plan,
      cell: ({ plan_id: id }) => <RouteLink to={`commission-plans/${id}`}>{names?.get(id) ?? id}</RouteLink>,
    },
    { title: words.from, cell: ({ effective_from: day }) => dayText(day, 'en-GB', true), isNarrow: true },
  ]
  return (
    <Card title={words.plans} hint={words.plansHint} isPadded={false}>
      <DataTable caption={words.plans} columns={columns} rows={history} keyOf={({ effective_from: day }) => day} />
    </Card>
  )
}
