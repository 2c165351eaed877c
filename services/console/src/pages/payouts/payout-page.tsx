// One payout: what it pays for, what became of it, and what can be done with it.

import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
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
import { useSubAffiliateNames } from '../../sub-affiliate-names.ts'
import { payoutTexts as words } from '../../texts/payouts.ts'
import { texts } from '../../texts.ts'
import { countText, dayText, moneyText, rangeText } from '../../view-models/numbers.ts'
import { failureWords, holdWords, type Payout } from '../../view-models/payouts.ts'
import { PayoutActions } from './payout-actions.tsx'
import { PayoutBadges } from './payouts-table.tsx'

export function PayoutPage() {
  const id = useParam('id')
  const reading = useRead('/v1/payouts/{id}', { path: { id } }, { pace: 'slow' })
  const { data: payout } = reading
  const canWrite = useAllowed('invoices:write')
  return (
    <Page
      title={payout === undefined ? words.payout : words.payoutOf(moneyText(payout.amount, payout.currency))}
      above={<RouteLink to="payouts">{texts.nav.payouts}</RouteLink>}
      beside={payout === undefined ? undefined : <PayoutBadges payout={payout} />}
    >
      <Loaded source={reading} rows={6}>
        {(one) => (
          <>
            {canWrite ? (
              <PayoutActions payout={one} etag={reading.etag} />
            ) : (
              <Text size="sm" c="dimmed">
                {words.readOnly}
              </Text>
            )}
            <OnePayout payout={one} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function OnePayout({ payout }: { payout: Payout }) {
  const { held, status } = payout
  const names = useSubAffiliateNames()
  return (
    <>
      {held !== null && <Notice look="warning">{words.heldBecause(holdWords(held))}</Notice>}
      {held === null && status === 'scheduled' && <Notice>{words.waits}</Notice>}
      <Card title={words.facts}>
        <Facts facts={factsOf(payout, names.get(payout.sub_affiliate_id) ?? payout.sub_affiliate_id)} />
      </Card>
      <CurlView method="get" path={`/v1/payouts/${payout.id}`} />
    </>
  )
}

function factsOf(payout: Payout, name: string) {
  const { sub_affiliate_id: subAffiliate, amount, currency, period, entries, scheduled_for, time_zone } = payout
  const { paid, returned, failure_code: code, reference, id } = payout
  const when = (title: string, at: string | null) =>
    at === null ? [] : [{ name: title, value: <RelativeTime at={at} /> }]
  return [
    { name: words.subAffiliate, value: <RouteLink to={`sub-affiliates/${subAffiliate}`}>{name}</RouteLink> },
    { name: words.amount, value: moneyText(amount, currency) },
    { name: words.covers, value: rangeText(period.from, period.to) },
    { name: words.entries, value: countText(entries) },
    { name: words.scheduledFor, value: `${dayText(scheduled_for, 'en-GB', true)} (${time_zone})` },
    ...when(words.paid, paid),
    ...when(words.cameBack, returned),
    ...(code === null ? [] : [{ name: words.failure, value: failureWords(code) }]),
    ...(reference === null ? [] : [{ name: words.reference, value: reference }]),
    { name: words.id, value: <IdText id={id} what={words.id} isWhole /> },
  ]
}
