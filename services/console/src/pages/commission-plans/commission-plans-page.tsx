// The commission plans of the workspace, newest first.
import { ButtonLink } from '../../components/button.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { planTexts as words } from '../../texts/commission-plans.ts'
import { texts } from '../../texts.ts'
import { type Plan, termsText } from '../../view-models/commission-plans.ts'

const columns: readonly Column<Plan>[] = [
  { title: words.name, cell: ({ id, name }) => <RouteLink to={`commission-plans/${id}`}>{name}</RouteLink> },
  { title: words.terms, cell: termsText },
  { title: words.created, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
]

export function CommissionPlansPage() {
  const list = useList('/v1/commission-plans', {}, { pace: 'slow' })
  const create = useAllowed('invoices:write') ? (
    <ButtonLink look="primary" icon="plus" to="commission-plans/new">
      {words.create}
    </ButtonLink>
  ) : undefined
  return (
    <Page title={texts.nav.commissionPlans} lead={words.lead} actions={create}>
      <ListCard list={list} icon="percent" words={words} create={create}>
        {(rows) => <DataTable caption={words.caption} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </ListCard>
      <CurlView method="get" path="/v1/commission-plans" />
    </Page>
  )
}
