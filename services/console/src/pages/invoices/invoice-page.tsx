// One invoice: what it bills, what was paid, and what can be done with it.

import { useBrandNames } from '../../brand-names.ts'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { texts } from '../../texts.ts'
import { type Invoice, nameOf, titleOf } from '../../view-models/invoices.ts'
import { dayText, moneyText, rangeText } from '../../view-models/numbers.ts'
import { InvoiceActions } from './invoice-actions.tsx'
import { InvoiceFiles } from './invoice-files.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoiceBadges } from './invoices-table.tsx'

export function InvoicePage() {
  const id = useParam('id')
  const reading = useRead('/v1/invoices/{id}', { path: { id } }, { pace: 'slow' })
  const { data: invoice } = reading
  const brands = useBrandNames()
  const brand = brands.get(invoice?.brand_slug ?? '') ?? invoice?.brand_slug ?? ''
  const canWrite = useAllowed('invoices:write')
  const about =
    invoice === undefined
      ? {}
      : { beside: <InvoiceBadges invoice={invoice} />, actions: <InvoiceFiles invoice={invoice} /> }
  return (
    <Page
      title={invoice === undefined ? words.invoice : titleOf(invoice, brand)}
      above={<RouteLink to="invoices">{texts.nav.invoices}</RouteLink>}
      {...about}
    >
      <Loaded source={reading} rows={8}>
        {(one) => (
          <>
            {canWrite ? (
              <InvoiceActions invoice={one} etag={reading.etag} name={nameOf(one, brand)} />
            ) : (
              <Text size="sm" c="dimmed">
                {words.readOnly}
              </Text>
            )}
            <OneInvoice invoice={one} brand={brand} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function OneInvoice({ invoice, brand }: { invoice: Invoice; brand: string }) {
  const { dispute, status, payments } = invoice
  return (
    <>
      {status === 'draft' && <Notice>{words.draftNote}</Notice>}
      {dispute !== null && (
        <Notice look="warning">{words.disputeOf(words.reasons[dispute.reason].toLowerCase(), dispute.note)}</Notice>
      )}
      <Card title={words.facts}>
        <Facts facts={factsOf(invoice, brand)} />
      </Card>
      <InvoiceLines invoice={invoice} />
      <Card title={words.sums}>
        <Facts facts={sumsOf(invoice)} />
      </Card>
      <Card title={words.payments} isPadded={payments.length === 0}>
        {payments.length === 0 ? <Text size="sm">{words.noPayments}</Text> : <Payments invoice={invoice} />}
      </Card>
      <CurlView method="get" path={`/v1/invoices/${invoice.id}`} />
    </>
  )
}

function factsOf(invoice: Invoice, brand: string) {
  const { period, currency, due, issued, sent, paid, voided, replaces, replaced_by: by, memo, time_zone } = invoice
  const { bill_to: billTo, issuer, status } = invoice
  const when = (name: string, at: string | null) => (at === null ? [] : [{ name, value: <RelativeTime at={at} /> }])
  const link = (name: string, id: string | null) =>
    id === null ? [] : [{ name, value: <RouteLink to={`invoices/${id}`}>{id}</RouteLink> }]
  const legal = billTo?.legal ?? null
  return [
    { name: words.brand, value: billTo?.name ?? brand },
    ...(legal === null
      ? []
      : [{ name: words.to, value: [legal.legal_name, ...legal.address, legal.country].join(', ') }]),
    ...(issuer === null
      ? []
      : [{ name: words.from, value: [issuer.legal_name, ...issuer.address, issuer.country].join(', ') }]),
    ...(issuer === null && status !== 'draft' ? [{ name: words.from, value: words.noIssuer }] : []),
    { name: words.period, value: `${rangeText(period.from, period.to)} (${time_zone})` },
    { name: words.currency, value: currency },
    ...(due === null ? [] : [{ name: words.due, value: dayText(due, 'en-GB', true) }]),
    ...when(words.issued, issued),
    ...when(words.sent, sent),
    ...when(words.paid, paid),
    ...when(words.voided, voided),
    ...link(words.corrects, replaces),
    ...link(words.correctedBy, by),
    ...(memo === null ? [] : [{ name: words.memo, value: memo }]),
    { name: words.id, value: <IdText id={invoice.id} what={words.id} isWhole /> },
  ]
}

function sumsOf({ subtotal, tax_amount, total, amount_paid, amount_due, currency }: Invoice) {
  const sum = (name: string, amount: number) => ({ name, value: moneyText(amount, currency) })
  return [
    sum(words.subtotal, subtotal),
    sum(words.tax, tax_amount),
    sum(words.total, total),
    sum(words.amountPaid, amount_paid),
    sum(words.amountDue, amount_due),
  ]
}

function Payments({ invoice: { payments, currency } }: { invoice: Invoice }) {
  const columns: Column<Invoice['payments'][number]>[] = [
    { title: words.reference, cell: ({ reference }) => reference },
    { title: words.method, cell: ({ method }) => method, isNarrow: true },
    { title: words.received, cell: ({ received }) => dayText(received, 'en-GB', true), isNarrow: true },
    { title: words.amount, cell: ({ amount }) => moneyText(amount, currency), isNumber: true, isNarrow: true },
  ]
  return <DataTable caption={words.payments} columns={columns} rows={payments} keyOf={({ id }) => id} />
}
