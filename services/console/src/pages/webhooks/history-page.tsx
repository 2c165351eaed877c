// The deliveries of a subscription, newest first, as they happen (ui.md 4). Filters and the open drawer are in the address.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NewRows } from '../../components/new-rows.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { useShortcut } from '../../components/shortcuts.tsx'
import { useStableRows } from '../../components/use-stable-rows.ts'
import { useFilters } from '../../filters.ts'
import { useOptionalParam } from '../../page-params.ts'
import { useList } from '../../queries.ts'
import { historyTexts as words } from '../../texts/history.ts'
import { texts } from '../../texts.ts'
import { searchText } from '../../view-models/filters.ts'
import { historyColumns } from './history-columns.tsx'
import { HistoryFilters, historyRules } from './history-filters.tsx'
import { RetryDialog, whyNoRetry } from './retry-delivery.tsx'
import { SubscriptionFrame } from './subscription-frame.tsx'
import { useWebhookId, type Webhook } from './webhook.ts'

type Delivery = Schemas['Delivery']

const DeliveryDrawer = lazy(async () => ({ default: (await import('./delivery-drawer.tsx')).DeliveryDrawer }))

export function HistoryPage() {
  return <SubscriptionFrame tab="history">{(webhook) => <History webhook={webhook} />}</SubscriptionFrame>
}

function History({ webhook }: { webhook: Webhook }) {
  const id = useWebhookId()
  const openId = useOptionalParam('delivery')
  const openPage = useOpenPage()
  const filters = useFilters(historyRules)
  const { status, type, since, until, event } = filters.values
  const search = searchText(filters.values)
  const query = withoutUndefined<QueryOf<'/v1/webhooks/{id}/deliveries'>>({
    status: status === undefined ? undefined : [status as Delivery['status'] | 'failed'],
    type,
    since,
    until,
    event_id: event,
  })
  const list = useList('/v1/webhooks/{id}/deliveries', { path: { id }, query }, { pace: 'live' })
  const stable = useStableRows(`${id}${search}`, list.rows, ({ id: key }) => key)
  const [asking, setAsking] = useState<Delivery | null>(null)
  useShortcut('r', texts.shortcuts.retry, () => {
    const key = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row
    const row = stable.rows.find((one) => one.id === key)
    if (row !== undefined && whyNoRetry(row) === null) setAsking(row)
  })
  const close = () => openPage(`webhooks/${id}/history${search}`, { resetScroll: false })
  return (
    <>
      <HistoryFilters filters={filters} />
      <Loaded source={{ ...list, data: list.rows && stable.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            <NewRows count={stable.waiting} onShow={stable.showNew} />
            {rows.length === 0 ? (
              <None isFiltered={search !== ''} onClear={filters.clear} webhookId={id} />
            ) : (
              <DataTable
                caption={words.caption}
                columns={historyColumns({
                  toDrawer: (key) => `webhooks/${id}/history/${key}${search}`,
                  onRetry: setAsking,
                })}
                rows={rows}
                keyOf={({ id: key }) => key}
                openKey={openId}
              />
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <Group>
        <CurlView method="get" path={`/v1/webhooks/${id}/deliveries`} query={query} />
      </Group>
      <Suspense>
        <DeliveryDrawer deliveryId={openId} webhook={webhook} onClose={close} />
      </Suspense>
      <RetryDialog delivery={asking} onClose={() => setAsking(null)} />
    </>
  )
}

function None({ isFiltered, onClear, webhookId }: { isFiltered: boolean; onClear: () => void; webhookId: string }) {
  if (isFiltered)
    return (
      <EmptyState icon="filter" title={words.noneMatch}>
        <Button onClick={onClear}>{texts.list.clear}</Button>
      </EmptyState>
    )
  return (
    <EmptyState icon="send" title={words.none} text={words.noneText}>
      <ButtonLink to={`webhooks/${webhookId}`}>{words.toTest}</ButtonLink>
    </EmptyState>
  )
}
