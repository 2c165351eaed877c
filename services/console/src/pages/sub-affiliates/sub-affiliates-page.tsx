// The sub-affiliates of the workspace, newest first.
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { chipsOf, useFilters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { texts } from '../../texts.ts'
import { oneOf } from '../../view-models/filters.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { type SubAffiliate, subAffiliateStatuses } from '../../view-models/payouts.ts'

const rules = { status: oneOf(subAffiliateStatuses) }

export function SubAffiliatesPage() {
  const filters = useFilters(rules)
  const { values, set, clear } = filters
  const { status } = values
  const query = status === undefined ? {} : { status: [status as SubAffiliate['status']] }
  const list = useList('/v1/sub-affiliates', { query }, { pace: 'slow' })
  return (
    <Page title={texts.nav.subAffiliates} lead={words.lead}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <Select
          label={words.status}
          data={[
            { value: '', label: words.allStatuses },
            ...subAffiliateStatuses.map((value) => ({ value, label: value })),
          ]}
          value={status ?? ''}
          allowDeselect={false}
          onChange={(value) => set({ status: value ?? '' })}
        />
      </FilterBar>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length > 0 && <SubAffiliatesTable partners={rows} />}
            {rows.length === 0 && status !== undefined && (
              <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
                <Button onClick={clear}>{texts.list.clear}</Button>
              </EmptyState>
            )}
            {rows.length === 0 && status === undefined && (
              <EmptyState icon="handshake" title={words.none} text={words.noneText} />
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <CurlView method="get" path="/v1/sub-affiliates" query={query} />
    </Page>
  )
}

function SubAffiliatesTable({ partners }: { partners: readonly SubAffiliate[] }) {
  const money = (title: string, name: 'available' | 'pending' | 'paid_total'): Column<SubAffiliate> => ({
    ...{ title, cell: ({ balance }) => moneyText(balance[name], balance.currency), isNumber: true, isNarrow: true },
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
  return <DataTable caption={words.caption} columns={columns} rows={partners} keyOf={({ id }) => id} />
}
