// The invoices of the workspace, newest first.
import { useBrandNames } from '../../brand-names.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Select } from '../../components/select.ts'
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
  const { values, clear } = filters
  const { status, brand, disputed } = values
  const query = {
    ...(status === undefined ? {} : { status: [status as Invoice['status']] }),
    ...(brand === undefined ? {} : { brand: [brand] }),
    ...(disputed === undefined ? {} : { disputed: disputed === 'true' }),
  }
  const list = useList('/v1/invoices', { query }, { pace: 'slow' })
  const isFiltered = Object.keys(values).length > 0
  const add = (
    <ButtonLink look="primary" icon="plus" to="invoices/new">
      {words.create}
    </ButtonLink>
  )
  return (
    <Page title={texts.nav.invoices} lead={words.lead} {...(canWrite ? { actions: add } : {})}>
      <InvoiceFilters filters={filters} />
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length > 0 && <InvoicesTable invoices={rows} />}
            {rows.length === 0 && isFiltered && (
              <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
                <Button onClick={clear}>{texts.list.clear}</Button>
              </EmptyState>
            )}
            {rows.length === 0 && !isFiltered && <EmptyState icon="receipt" title={words.none} text={words.noneText} />}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
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
      <Select
        label={words.status}
        data={[{ value: '', label: words.allStatuses }, ...invoiceStatuses.map((value) => ({ value, label: value }))]}
        value={values.status ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ status: value ?? '' })}
      />
      <Select
        label={words.brand}
        data={[{ value: '', label: words.allBrands }, ...[...brands].map(([value, label]) => ({ value, label }))]}
        value={values.brand ?? ''}
        searchable
        allowDeselect={false}
        onChange={(value) => set({ brand: value ?? '' })}
      />
      <Select
        label={words.dispute}
        data={[
          { value: '', label: words.disputes.any },
          { value: 'true', label: words.disputes.true },
          { value: 'false', label: words.disputes.false },
        ]}
        value={values.disputed ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ disputed: value ?? '' })}
      />
    </FilterBar>
  )
}
