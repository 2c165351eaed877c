// The head of a subscription, the same on each of its tabs: where it sends, its state, and what happens meanwhile when it is off.
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { SwitchAction } from '../../components/switch-action.tsx'
import { TabLinks } from '../../components/tabs.tsx'
import { Text } from '../../components/text.ts'
import { type Reading, useRead } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { texts } from '../../texts.ts'
import { disabledWords } from '../../view-models/attempt-words.ts'
import { hostOf } from '../../view-models/host.ts'
import { ReplayPeriod } from './replay-period.tsx'
import { useWebhookId, type Webhook } from './webhook.ts'

interface SubscriptionFrameProps {
  tab: 'overview' | 'history' | 'settings'
  children: (webhook: Webhook, reading: Reading<Webhook>) => ReactNode
}

export function SubscriptionFrame({ tab, children }: SubscriptionFrameProps) {
  const id = useWebhookId()
  const reading = useRead('/v1/webhooks/{id}', { path: { id } }, { pace: 'slow' })
  const webhook = reading.data
  const title = webhook === undefined ? texts.nav.webhooks : hostOf(webhook.url).shown
  const paths = {
    overview: `webhooks/${id}`,
    history: `webhooks/${id}/history`,
    settings: `webhooks/${id}/settings`,
  } as const
  const tabs = (['overview', 'history', 'settings'] as const).map((name) => ({
    label: words.tabs[name],
    to: paths[name],
    isCurrent: name === tab,
  }))
  return (
    <Page
      title={title}
      tabTitle={`${words.tabs[tab]}, ${title}`}
      lead={webhook === undefined ? undefined : <Where webhook={webhook} />}
      above={<RouteLink to="webhooks">{texts.nav.webhooks}</RouteLink>}
      beside={webhook === undefined ? null : <StatusBadge status={webhook.status} />}
      actions={
        webhook === undefined ? null : (
          <>
            <ReplayPeriod webhookId={webhook.id} />
            <SwitchAction
              isOn={webhook.status !== 'disabled'}
              words={words}
              send={(action, key) => api.post(`/v1/webhooks/{id}/${action}`, { path: { id: webhook.id }, ...key })}
              invalidates={['/v1/webhooks', '/v1/deliveries']}
            />
          </>
        )
      }
    >
      <TabLinks label={words.tabs.label} tabs={tabs} />
      <Loaded source={reading}>
        {(loaded) => (
          <Stack gap="lg">
            <StateNote webhook={loaded} />
            {children(loaded, reading)}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

/** The address as it is, and readable where its host is written in letters of other scripts. */
function Where({ webhook: { url, description } }: { webhook: Webhook }) {
  const { readable } = hostOf(url)
  return (
    <>
      {url}
      {readable !== null && ` (${readable})`}
      {description !== null && (
        <Text component="span" display="block" size="sm">
          {description}
        </Text>
      )}
    </>
  )
}

function StateNote({ webhook }: { webhook: Webhook }) {
  const { id, disabled_reason: reason, failing_since: failing } = webhook
  const { data } = useRead('/v1/webhooks/{id}/condition', { path: { id } }, { enabled: reason !== null })
  if (reason !== null)
    return (
      <Notice look="warning" title={words.disabledTitle(disabledWords(reason))}>
        <Stack gap="xs">
          <Text size="sm">
            {data?.disabled && (
              <>
                <RelativeTime at={data.disabled} />.{' '}
              </>
            )}
            {words.disabledText}
          </Text>
        </Stack>
      </Notice>
    )
  if (failing === null) return null
  return (
    <Notice look="warning" title={words.failingTitle}>
      <Group gap={4}>
        <Text size="sm">{words.failingSince}</Text>
        <Text size="sm" component="span">
          <RelativeTime at={failing} />
        </Text>
      </Group>
    </Notice>
  )
}
