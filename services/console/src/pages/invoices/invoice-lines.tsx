// The lines of an invoice, page behind page.
import type { Schemas } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useList } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import type { Invoice } from '../../view-models/invoices.ts'
import { countText, moneyText } from '../../view-models/numbers.ts'

const linesOfPage = 50

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { id, currency, line_items_count: count } = invoice
  const list = useList('/v1/invoices/{id}/line-items', { path: { id }, query: { limit: linesOfPage } })
  const columns: Column<Schemas['InvoiceLine']>[] = [
    { title: words.description, cell: ({ description }) => description },
    { title: words.kind, cell: ({ kind }) => kind, isNarrow: true },
    {
      title: words.quantity,
      cell: ({ quantity }) => (quantity === null ? '' : countText(quantity)),
      isNumber: true,
      isNarrow: true,
    },
    {
      title: words.unitPrice,
      cell: ({ unit_amount: each }) => (each === null ? '' : moneyText(each, currency)),
      isNumber: true,
      isNarrow: true,
    },
    { title: words.amount, cell: ({ amount }) => moneyText(amount, currency), isNumber: true, isNarrow: true },
  ]
  return (
    <Card title={words.lines(count)} isPadded={false}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="receipt" title={words.noLines} text={words.noLinesText} />
          ) : (
            <>
              <DataTable caption={words.linesCaption} columns={columns} rows={rows} keyOf={(line) => line.id} />
              <LoadMore list={list} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
