// The sub-affiliates of the workspace, newest first.
import { ButtonLink } from '../../components/button.tsx'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Stack } from '../../components/layout.ts'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { chipsOf, useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { texts } from '../../texts.ts'
import { oneOf } from '../../view-models/filters.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { type SubAffiliate, subAffiliateStatuses } from '../../view-models/sub-affiliates.ts'

const rules = { status: oneOf(subAffiliateStatuses) }

export function SubAffiliatesPage() {
  const filters = useFilters(rules)
  const { values, set } = filters
  const { status } = values
  const query = status === undefined ? {} : { status: [status as SubAffiliate['status']] }
  const list = useList('/v1/sub-affiliates', { query }, { pace: 'slow' })
  const create = useAllowed('invoices:write') ? (
    <ButtonLink look="primary" icon="plus" to="sub-affiliates/new">
      {words.create}
    </ButtonLink>
  ) : undefined
  return (
    <Page title={texts.nav.subAffiliates} lead={words.lead} actions={create}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <ChoiceFilter
          label={words.status}
          all={words.allStatuses}
          choices={subAffiliateStatuses}
          value={status}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <ListCard list={list} filters={filters} icon="handshake" words={words} create={create}>
        {(rows) => <SubAffiliatesTable subAffiliates={rows} />}
      </ListCard>
      <CurlView method="get" path="/v1/sub-affiliates" query={query} />
    </Page>
  )
}

function SubAffiliatesTable({ subAffiliates }: { subAffiliates: readonly SubAffiliate[] }) {
  const money = (title: string, name: 'available' | 'pending' | 'paid_total'): Column<SubAffiliate> => ({
    title,
    cell: ({ balance }) => moneyText(balance[name], balance.currency),
    isNumber: true,
    isNarrow: true,
  })
  const columns: Column<SubAffiliate>[] = [
    {
      title: words.name,
      cell: ({ id, name, email }) => (
        <Stack gap={2}>
          <RouteLink to={`sub-affiliates/${id}`}>{name ?? id}</RouteLink>
          <Text size="xs" c="dimmed">
            {email ?? words.erased}
          </Text>
        </Stack>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    money(words.available, 'available'),
    money(words.pending, 'pending'),
    money(words.paidTotal, 'paid_total'),
  ]
  return <DataTable caption={words.caption} columns={columns} rows={subAffiliates} keyOf={({ id }) => id} />
}
