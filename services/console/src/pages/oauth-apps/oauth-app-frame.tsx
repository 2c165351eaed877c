// The frame of the pages of one app: name, state, tabs.

import type { ReactNode } from 'react'
import { AppLogo } from '../../components/app-logo.tsx'
import { Group } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { type TabLink, TabLinks } from '../../components/tabs.tsx'
import { useParam } from '../../page-params.ts'
import { useRead } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import type { OAuthApp } from './oauth-app.ts'
import { PlanNotice } from './plan-notice.tsx'

type Tab = 'settings' | 'errors' | 'authorise-url'

export function OAuthAppFrame({
  tab,
  children,
}: {
  tab: Tab
  children: (app: OAuthApp, version: { etag: string | null }) => ReactNode
}) {
  const id = useParam('app')
  const reading = useRead('/v1/oauth-apps/{id}', { path: { id } }, { pace: 'slow' })
  const app = reading.data
  const tabs: readonly TabLink[] = [
    { label: words.settings, to: `oauth-apps/${id}`, isCurrent: tab === 'settings' },
    { label: words.errors, to: `oauth-apps/${id}/errors`, isCurrent: tab === 'errors' },
    { label: words.builder, to: `oauth-apps/${id}/authorise-url`, isCurrent: tab === 'authorise-url' },
  ]
  const beside = app !== undefined && (
    <Group gap="sm">
      <StatusBadge status={app.state} />
    </Group>
  )
  return (
    <Page
      title={app?.name ?? texts.nav.oauthApps}
      above={<RouteLink to="oauth-apps">{texts.nav.oauthApps}</RouteLink>}
      beside={beside}
      actions={app !== undefined && <AppLogo src={app.logo_path} name={app.name} size={48} />}
    >
      <PlanNotice />
      <TabLinks label={words.tabs} tabs={tabs} />
      <Loaded source={reading}>{(data) => children(data, { etag: reading.etag })}</Loaded>
    </Page>
  )
}
