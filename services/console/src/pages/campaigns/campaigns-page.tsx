// The campaigns of the workspace, newest first.

import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useBrandNames } from '../../brand-names.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Stack } from '../../components/layout.ts'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useFilters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import { texts } from '../../texts.ts'
import { type Campaign, dealText, periodText } from '../../view-models/campaigns.ts'
import { CampaignFilters, campaignRules } from './campaign-filters.tsx'

export function CampaignsPage() {
  const filters = useFilters(campaignRules)
  const { values } = filters
  const { status, integration, brand, tag, external_id } = values
  const query = withoutUndefined<QueryOf<'/v1/campaigns'>>({
    status: status === undefined ? undefined : [status as Campaign['status']],
    integration_id: integration === undefined ? undefined : [integration],
    brand: brand === undefined ? undefined : [brand],
    tag: tag === undefined ? undefined : [tag],
    external_id: external_id === undefined ? undefined : [external_id],
  })
  const list = useList('/v1/campaigns', { query }, { pace: 'slow' })
  return (
    <Page title={texts.nav.campaigns} lead={words.lead}>
      <CampaignFilters filters={filters} />
      <ListCard list={list} filters={filters} icon="campaign" words={words}>
        {(rows) => <CampaignsTable campaigns={rows} />}
      </ListCard>
      <CurlView method="get" path="/v1/campaigns" query={query} />
    </Page>
  )
}

function CampaignsTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  const brands = useBrandNames()
  const columns: Column<Campaign>[] = [
    {
      title: words.campaign,
      cell: ({ id, name, external_id: externalId }) => (
        <Stack gap={2}>
          <RouteLink to={`campaigns/${id}`}>{name}</RouteLink>
          {externalId !== name && (
            <Text size="xs" c="dimmed">
              {externalId}
            </Text>
          )}
        </Stack>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    { title: words.brand, cell: ({ brand_slug: slug }) => brands.get(slug) ?? slug },
    { title: words.deal, cell: ({ deal }) => (deal.type === 'none' ? texts.time.none : dealText(deal)) },
    { title: words.period, cell: (one) => periodText(one) ?? texts.time.none },
    { title: words.tags, cell: ({ tags }) => (tags.length === 0 ? texts.time.none : tags.join(', ')) },
  ]
  return <DataTable caption={words.caption} columns={columns} rows={campaigns} keyOf={({ id }) => id} />
}
