// One sub-affiliate: its balance, its payouts and its ledger, and what can be done with it.

import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Numbers } from '../../components/number-card.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useList, useRead } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { texts } from '../../texts.ts'
import { moneyText } from '../../view-models/numbers.ts'
import type { SubAffiliate } from '../../view-models/sub-affiliates.ts'
import { PayoutsTable } from '../payouts/payouts-table.tsx'
import { Ledger } from './ledger.tsx'
import { PlanHistory } from './plan-history.tsx'
import { SubAffiliateActions } from './sub-affiliate-actions.tsx'

export function SubAffiliatePage() {
  const id = useParam('id')
  const reading = useRead('/v1/sub-affiliates/{id}', { path: { id } }, { pace: 'slow' })
  const { data: subAffiliate } = reading
  const canWrite = useAllowed('invoices:write')
  return (
    <Page
      title={subAffiliate?.name ?? words.subAffiliate}
      above={<RouteLink to="sub-affiliates">{texts.nav.subAffiliates}</RouteLink>}
      beside={subAffiliate === undefined ? undefined : <StatusBadge status={subAffiliate.status} />}
    >
      <Loaded source={reading} rows={8}>
        {(one) => (
          <>
            {canWrite ? (
              <SubAffiliateActions subAffiliate={one} etag={reading.etag} />
            ) : (
              <Text size="sm" c="dimmed">
                {words.readOnly}
              </Text>
            )}
            <OneSubAffiliate subAffiliate={one} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function OneSubAffiliate({ subAffiliate }: { subAffiliate: SubAffiliate }) {
  const { id, balance } = subAffiliate
  const money = (amount: number) => moneyText(amount, balance.currency)
  return (
    <>
      <Card title={words.balance} hint={words.balanceHint}>
        <Numbers
          numbers={[
            { name: words.available, value: money(balance.available) },
            { name: words.pending, value: money(balance.pending) },
            { name: words.paidTotal, value: money(balance.paid_total) },
          ]}
        />
      </Card>
      <Card title={words.facts}>
        <Facts facts={factsOf(subAffiliate)} />
      </Card>
      <PlanHistory subAffiliate={subAffiliate} />
      <Payouts id={id} />
      <Ledger id={id} />
      <CurlView method="get" path={`/v1/sub-affiliates/${id}`} />
    </>
  )
}

function Payouts({ id }: { id: string }) {
  const list = useList('/v1/sub-affiliates/{id}/payouts', { path: { id } })
  return (
    <Card title={words.payouts} isPadded={list.rows?.length === 0}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{words.noPayouts}</Text>
          ) : (
            <>
              <PayoutsTable payouts={rows} names={null} />
              <LoadMore list={list} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function factsOf(subAffiliate: SubAffiliate) {
  const { id, email, external_id, country, time_zone, minimum_payout: least, payout_method: method } = subAffiliate
  const { joined, invitation_expires } = subAffiliate
  const text = (name: string, value: string | null) => (value === null ? [] : [{ name, value }])
  const when = (name: string, at: string | null) => (at === null ? [] : [{ name, value: <RelativeTime at={at} /> }])
  return [
    { name: words.email, value: email ?? words.erased },
    ...text(words.externalId, external_id),
    ...text(words.country, country),
    { name: words.zone, value: time_zone },
    { name: words.minimum, value: moneyText(least.amount, least.currency) },
    { name: words.method, value: method === null ? words.noMethod : `${method.type} ${method.fingerprint}` },
    ...when(words.joined, joined),
    ...when(words.invitedUntil, invitation_expires),
    { name: words.id, value: <IdText id={id} what={words.id} isWhole /> },
  ]
}
