// The payouts of the workspace, newest first.
import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { chipsOf, useFilters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { useSubAffiliateNames } from '../../sub-affiliate-names.ts'
import { payoutTexts as words } from '../../texts/payouts.ts'
import { texts } from '../../texts.ts'
import { oneOf } from '../../view-models/filters.ts'
import { type Payout, payoutStatuses } from '../../view-models/payouts.ts'
import { PayoutsTable } from './payouts-table.tsx'

const rules = { status: oneOf(payoutStatuses), held: oneOf(['true', 'false']) }

export function PayoutsPage() {
  const filters = useFilters(rules)
  const names = useSubAffiliateNames()
  const { values, set } = filters
  const { status, held } = values
  const query = withoutUndefined<QueryOf<'/v1/payouts'>>({
    status: status === undefined ? undefined : [status as Payout['status']],
    held: held === undefined ? undefined : held === 'true',
  })
  const list = useList('/v1/payouts', { query }, { pace: 'slow' })
  return (
    <Page title={texts.nav.payouts} lead={words.lead}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <ChoiceFilter
          label={words.status}
          all={words.allStatuses}
          choices={payoutStatuses}
          value={status}
          onChange={(status) => set({ status })}
        />
        <ChoiceFilter
          label={words.hold}
          all={words.holds.any}
          choices={[
            { value: 'true', label: words.holds.true },
            { value: 'false', label: words.holds.false },
          ]}
          value={held}
          onChange={(held) => set({ held })}
        />
      </FilterBar>
      <ListCard list={list} filters={filters} icon="cash" words={words}>
        {(rows) => <PayoutsTable payouts={rows} names={names} />}
      </ListCard>
      <CurlView method="get" path="/v1/payouts" query={query} />
    </Page>
  )
}
