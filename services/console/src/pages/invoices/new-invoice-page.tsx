// A new invoice: brand, currency and days. Its lines are drawn by the API.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { hintBelow, TextInput } from '../../components/fields.ts'
import { Form } from '../../components/form.tsx'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { Textarea } from '../../components/textarea.ts'
import { useCommand, useList, useRead } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { texts } from '../../texts.ts'
import { faultOf, stillWrong } from '../../view-models/faults.ts'
import { type InvoiceDraft, lastMonth, newInvoice } from '../../view-models/invoices.ts'
import { dayIn } from '../../view-models/local-input.ts'

const memoMax = 1_000

export function NewInvoicePage() {
  const list = useList('/v1/brands', { query: { limit: 100 } })
  const settings = useRead('/v1/settings', {})
  return (
    <Page title={words.create} above={<RouteLink to="invoices">{texts.nav.invoices}</RouteLink>}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(brands) => (
          <Loaded source={settings}>
            {({ base_currency: currency, time_zone: zone }) =>
              brands.length === 0 ? (
                <Card isPadded={false}>
                  <EmptyState icon="receipt" title={words.noBrands} text={words.noBrandsText} />
                </Card>
              ) : (
                <NewInvoice brands={brands} currency={currency} zone={zone} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

interface NewInvoiceProps {
  brands: readonly Schemas['Brand'][]
  currency: string
  /** Of the workspace: whose month it is. */
  zone: string
}

function NewInvoice({ brands, currency, zone }: NewInvoiceProps) {
  const openPage = useOpenPage()
  const currencyOf = (slug: string) => brands.find((one) => one.slug === slug)?.default_currency ?? currency
  const [draft, setDraft] = useState<InvoiceDraft>(() => {
    const brand = brands[0]?.slug ?? ''
    return { brand, currency: currencyOf(brand), ...lastMonth(dayIn(zone, Date.now())), due: '', memo: '' }
  })
  const set = (change: Partial<InvoiceDraft>) => setDraft({ ...draft, ...change })
  const create = useCommand(
    (body: Schemas['NewInvoice'], { idempotencyKey }) => api.post('/v1/invoices', { body, idempotencyKey }),
    {
      invalidates: ['/v1/invoices'],
      onDone: ({ data }) => {
        announce(texts.form.saved)
        openPage(`invoices/${data.id}`)
      },
    },
  )
  const body = newInvoice(draft)
  const error = stillWrong(create.error, create.sent, body)
  return (
    <Form
      title={words.about}
      hint={words.createHint}
      onSubmit={() => create.run(body)}
      submit={words.save}
      isRunning={create.isRunning}
      error={error}
      beside={<CurlView method="post" path="/v1/invoices" body={body} />}
    >
      <Select
        label={words.brand}
        data={brands.map(({ slug: value, name: label }) => ({ value, label }))}
        searchable
        allowDeselect={false}
        value={draft.brand}
        error={faultOf(error, '/brand_slug')}
        onChange={(brand) => brand !== null && set({ brand, currency: currencyOf(brand) })}
      />
      <TextInput
        label={words.currency}
        required
        maxLength={3}
        classNames={{ input: 'wds-short' }}
        value={draft.currency}
        error={faultOf(error, '/currency')}
        onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase() })}
      />
      <Columns width="narrow" isShort>
        <TextInput
          type="date"
          label={words.firstDay}
          required
          value={draft.from}
          error={faultOf(error, '/period/from')}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={words.lastDay}
          required
          value={draft.to}
          error={faultOf(error, '/period/to')}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
        <TextInput
          {...hintBelow}
          type="date"
          label={words.due}
          description={words.dueHint}
          value={draft.due}
          error={faultOf(error, '/due')}
          onChange={(event) => set({ due: event.currentTarget.value })}
        />
      </Columns>
      <Textarea
        label={words.memo}
        description={words.memoHint}
        maxLength={memoMax}
        autosize
        minRows={2}
        value={draft.memo}
        error={faultOf(error, '/memo')}
        onChange={(event) => set({ memo: event.currentTarget.value })}
      />
    </Form>
  )
}
