// The sub-affiliates whose plan it is, and from which day on.
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { planTexts as words } from '../../texts/commission-plans.ts'
import { texts } from '../../texts.ts'
import { dayText } from '../../view-models/numbers.ts'
import type { SubAffiliate } from '../../view-models/sub-affiliates.ts'

function fromOf({ plan_history: history }: SubAffiliate): string {
  const day = history.at(-1)?.effective_from
  return day === undefined ? texts.time.none : dayText(day, 'en-GB', true)
}

const columns: readonly Column<SubAffiliate>[] = [
  {
    title: words.subAffiliate,
    cell: ({ id, name }) => <RouteLink to={`sub-affiliates/${id}`}>{name ?? id}</RouteLink>,
  },
  { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
  { title: words.from, cell: fromOf, isNarrow: true },
]

export function SubAffiliatesOfPlan({ id }: { id: string }) {
  const list = useList('/v1/sub-affiliates', { query: { plan_id: [id] } })
  return (
    <Card title={words.subAffiliates} hint={words.subAffiliatesHint} isPadded={list.rows?.length === 0}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{words.noSubAffiliates}</Text>
          ) : (
            <>
              <DataTable caption={words.subAffiliates} columns={columns} rows={rows} keyOf={(one) => one.id} />
              <LoadMore list={list} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
