// One campaign: where it belongs, what was agreed for it, and what can be done with it.

import { useBrandNames } from '../../brand-names.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import { texts } from '../../texts.ts'
import {
  baselineText,
  type Campaign,
  canEdit,
  dealText,
  hasSubIdPlace,
  periodText,
} from '../../view-models/campaigns.ts'
import { CampaignActions } from './campaign-actions.tsx'
import { EditCampaign } from './edit-campaign.tsx'
import { TrackingLink } from './tracking-link.tsx'

export function CampaignPage() {
  const id = useParam('id')
  const reading = useRead('/v1/campaigns/{id}', { path: { id } }, { pace: 'slow' })
  const { data: campaign, etag } = reading
  const canWrite = useAllowed('campaigns:write')
  const about =
    campaign === undefined
      ? {}
      : {
          beside: <StatusBadge status={campaign.status} />,
          actions: (
            <ButtonLink icon="list" to={`stats?group=campaign&brand=${encodeURIComponent(campaign.brand_slug)}`}>
              {words.numbers}
            </ButtonLink>
          ),
        }
  return (
    <Page
      title={campaign?.name ?? words.campaign}
      above={<RouteLink to="campaigns">{texts.nav.campaigns}</RouteLink>}
      {...about}
    >
      <Loaded source={reading} rows={8}>
        {(one) => {
          const isForm = canWrite && canEdit(one)
          return (
            <>
              {canWrite && <CampaignActions campaign={one} etag={etag} />}
              {!canEdit(one) && <Notice>{one.merged_into === null ? words.archivedNote : words.mergedNote}</Notice>}
              {canEdit(one) && !canWrite && (
                <Text size="sm" c="dimmed">
                  {words.readOnly}
                </Text>
              )}
              <CampaignFacts campaign={one} isForm={isForm} />
              {hasSubIdPlace(one) && <TrackingLink id={one.id} />}
              {isForm && <EditCampaign campaign={one} etag={etag} />}
              <CurlView method="get" path={`/v1/campaigns/${one.id}`} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** `isForm`: a form below shows what can be changed. */
function CampaignFacts({ campaign, isForm }: { campaign: Campaign; isForm: boolean }) {
  const { integration_id: integrationId, brand_slug: slug, merged_into: into } = campaign
  const brand = useBrandNames().get(slug) ?? slug
  const { data: integration } = useRead('/v1/integrations/{id}', { path: { id: integrationId } })
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          { name: words.brand, value: brand },
          {
            name: words.integration,
            value: <RouteLink to={`integrations/${integrationId}`}>{integration?.name ?? integrationId}</RouteLink>,
          },
          { name: words.externalId, value: campaign.external_id },
          ...(into === null ? [] : [{ name: words.mergedInto, value: <CampaignLink id={into} /> }]),
          ...dealFacts(campaign),
          ...(isForm ? [] : changeableFacts(campaign)),
          { name: words.created, value: <RelativeTime at={campaign.created} /> },
          { name: words.id, value: <IdText id={campaign.id} what={words.id} isWhole /> },
        ]}
      />
    </Card>
  )
}

function CampaignLink({ id }: { id: string }) {
  const { data } = useRead('/v1/campaigns/{id}', { path: { id } })
  return <RouteLink to={`campaigns/${id}`}>{data?.name ?? id}</RouteLink>
}

function dealFacts({ deal }: Campaign) {
  const baseline = baselineText(deal)
  return [
    { name: words.deal, value: dealText(deal) },
    ...(baseline === null ? [] : [{ name: words.baselineOf, value: baseline }]),
    ...(deal.negative_carryover ? [{ name: words.carryover, value: words.carriedOver }] : []),
  ]
}

function changeableFacts(campaign: Campaign) {
  const { tags, tracking_url: tracking, landing_url: landing, countries } = campaign
  const values = [
    [words.tags, tags.join(', ')],
    [words.trackingUrl, tracking],
    [words.landingUrl, landing],
    [words.countries, countries.join(', ')],
    [words.period, periodText(campaign)],
  ] as const
  return values.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}
