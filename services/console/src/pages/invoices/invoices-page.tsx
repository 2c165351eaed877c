// The invoices of the workspace, newest first.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useBrandNames } from '../../brand-names.ts'
import { ButtonLink } from '../../components/button.tsx'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { chipsOf, type Filters, useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { texts } from '../../texts.ts'
import { oneOf, upTo } from '../../view-models/filters.ts'
import { type Invoice, invoiceStatuses } from '../../view-models/invoices.ts'
import { InvoicesTable } from './invoices-table.tsx'

const rules = { status: oneOf(invoiceStatuses), brand: upTo(255), disputed: oneOf(['true', 'false']) }

export function InvoicesPage() {
  const filters = useFilters(rules)
  const canWrite = useAllowed('invoices:write')
  const { values } = filters
  const { status, brand, disputed } = values
  const query = withoutUndefined<QueryOf<'/v1/invoices'>>({
    status: status === undefined ? undefined : [status as Invoice['status']],
    brand: brand === undefined ? undefined : [brand],
    disputed: disputed === undefined ? undefined : disputed === 'true',
  })
  const list = useList('/v1/invoices', { query }, { pace: 'slow' })
  const add = (
    <ButtonLink look="primary" icon="plus" to="invoices/new">
      {words.create}
    </ButtonLink>
  )
  return (
    <Page title={texts.nav.invoices} lead={words.lead} actions={canWrite ? add : undefined}>
      <InvoiceFilters filters={filters} />
      <ListCard list={list} filters={filters} icon="receipt" words={words}>
        {(rows) => <InvoicesTable invoices={rows} />}
      </ListCard>
      <CurlView method="get" path="/v1/invoices" query={query} />
    </Page>
  )
}

function InvoiceFilters({ filters }: { filters: Filters<typeof rules> }) {
  const { values, set } = filters
  const brands = useBrandNames()
  const chips = chipsOf(filters, {
    ...words.chips,
    brand: (slug) => words.chips.brand(brands.get(slug) ?? slug),
  })
  return (
    <FilterBar filters={filters} chips={chips}>
      <ChoiceFilter
        label={words.status}
        all={words.allStatuses}
        choices={invoiceStatuses}
        value={values.status}
        onChange={(status) => set({ status })}
      />
      <ChoiceFilter
        label={words.brand}
        all={words.allBrands}
        choices={brands}
        value={values.brand}
        searchable
        onChange={(brand) => set({ brand })}
      />
      <ChoiceFilter
        label={words.dispute}
        all={words.disputes.any}
        choices={[
          { value: 'true', label: words.disputes.true },
          { value: 'false', label: words.disputes.false },
        ]}
        value={values.disputed}
        onChange={(disputed) => set({ disputed })}
      />
    </FilterBar>
  )
}
