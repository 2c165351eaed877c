// What every page of one integration has: reading it, heading with status, tabs.

import type { ReactNode } from 'react'
import type { Schemas } from '../../api.ts'
import { useBrandNames } from '../../brand-names.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { type TabLink, TabLinks } from '../../components/tabs.tsx'
import { useParam } from '../../page-params.ts'
import { useRead } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { texts } from '../../texts.ts'
import { providerWords } from './use-providers.ts'

export type Integration = Schemas['Integration']

interface Found {
  integration: Integration
  etag: string | null
}

export function IntegrationFrame({
  tab,
  children,
}: {
  tab: 'overview' | 'settings'
  children: (found: Found) => ReactNode
}) {
  const id = useParam('id')
  const reading = useRead('/v1/integrations/{id}', { path: { id } }, { pace: tab === 'overview' ? 'live' : 'slow' })
  const { data } = reading
  const brandNames = useBrandNames()
  const tabs: readonly TabLink[] = [
    { label: words.tabs.overview, to: `integrations/${id}`, isCurrent: tab === 'overview' },
    { label: words.tabs.settings, to: `integrations/${id}/settings`, isCurrent: tab === 'settings' },
  ]
  return (
    <Page
      title={data?.name ?? texts.nav.integrations}
      lead={data && `${brandNames.get(data.brand_slug) ?? data.brand_slug} · ${providerWords(data.provider).name}`}
      beside={data && <StatusBadge status={data.status} />}
      above={<RouteLink to="integrations">{texts.nav.integrations}</RouteLink>}
    >
      <TabLinks label={words.tabs.label} tabs={tabs} />
      <Loaded source={reading}>{(integration) => children({ integration, etag: reading.etag })}</Loaded>
    </Page>
  )
}
