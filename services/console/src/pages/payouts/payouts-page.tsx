// The payouts of the workspace, newest first.
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Select } from '../../components/select.ts'
import { chipsOf, useFilters } from '../../filters.ts'
import { usePartnerNames } from '../../partner-names.ts'
import { useList } from '../../queries.ts'
import { payoutTexts as words } from '../../texts/payouts.ts'
import { texts } from '../../texts.ts'
import { oneOf } from '../../view-models/filters.ts'
import { type Payout, payoutStatuses } from '../../view-models/payouts.ts'
import { PayoutsTable } from './payouts-table.tsx'

const rules = { status: oneOf(payoutStatuses), held: oneOf(['true', 'false']) }

export function PayoutsPage() {
  const filters = useFilters(rules)
  const names = usePartnerNames()
  const { values, set, clear } = filters
  const { status, held } = values
  const query = {
    ...(status === undefined ? {} : { status: [status as Payout['status']] }),
    ...(held === undefined ? {} : { held: held === 'true' }),
  }
  const list = useList('/v1/payouts', { query }, { pace: 'slow' })
  const isFiltered = Object.keys(values).length > 0
  return (
    <Page title={texts.nav.payouts} lead={words.lead}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <Select
          label={words.status}
          data={[{ value: '', label: words.allStatuses }, ...payoutStatuses.map((value) => ({ value, label: value }))]}
          value={status ?? ''}
          allowDeselect={false}
          onChange={(value) => set({ status: value ?? '' })}
        />
        <Select
          label={words.hold}
          data={[
            { value: '', label: words.holds.any },
            { value: 'true', label: words.holds.true },
            { value: 'false', label: words.holds.false },
          ]}
          value={held ?? ''}
          allowDeselect={false}
          onChange={(value) => set({ held: value ?? '' })}
        />
      </FilterBar>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length > 0 && <PayoutsTable payouts={rows} names={names} />}
            {rows.length === 0 && isFiltered && (
              <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
                <Button onClick={clear}>{texts.list.clear}</Button>
              </EmptyState>
            )}
            {rows.length === 0 && !isFiltered && <EmptyState icon="cash" title={words.none} text={words.noneText} />}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <CurlView method="get" path="/v1/payouts" query={query} />
    </Page>
  )
}
