// One delivery: its attempts, what was sent, what was answered, and how to send it again (ui.md 4). It has an address of its own.
import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { AttemptTimeline } from '../../components/attempt-timeline.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Drawer } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Title } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { historyTexts as words } from '../../texts/history.ts'
import { newestTraceOf, timelineOf } from '../../view-models/timeline.ts'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { RetryDialog, whyNoRetry } from './retry-delivery.tsx'
import type { Webhook } from './webhook.ts'

type Detail = Schemas['DeliveryDetail']

/** `deliveryId` null: closed. `webhook`: for its own headers; unset where the page has none at hand. */
export function DeliveryDrawer({
  deliveryId,
  webhook,
  onClose,
}: {
  deliveryId: string | null
  webhook?: Webhook
  onClose: () => void
}) {
  return (
    <Drawer title={words.drawer} isOpen={deliveryId !== null} onClose={onClose}>
      {deliveryId !== null && <Content key={deliveryId} deliveryId={deliveryId} webhook={webhook} />}
    </Drawer>
  )
}

function Content({ deliveryId, webhook }: { deliveryId: string; webhook?: Webhook | undefined }) {
  const reading = useRead('/v1/deliveries/{id}', { path: { id: deliveryId } }, { pace: 'live' })
  return (
    <Loaded source={reading} rows={8}>
      {(delivery) => (
        <Stack gap="lg">
          <Head delivery={delivery} />
          <section aria-label={words.timeline}>
            <Stack gap="sm">
              <Title order={3} size="h3">
                {words.timeline}
              </Title>
              <AttemptTimeline timeline={timelineOf(delivery)} />
            </Stack>
          </section>
          <DeliveryAttempts delivery={delivery} webhook={webhook} />
        </Stack>
      )}
    </Loaded>
  )
}

function Head({ delivery }: { delivery: Detail }) {
  const [isAsking, setAsking] = useState(false)
  const trace = newestTraceOf(delivery.attempts)
  const facts = [
    { name: words.status, value: <StatusBadge status={delivery.status} /> },
    { name: words.type, value: delivery.event_type },
    { name: words.event, value: <IdText id={delivery.event_id} what={words.eventIdWhat} /> },
    { name: words.epoch, value: delivery.epoch },
  ]
  return (
    <Stack gap="sm">
      <Facts facts={facts} />
      <Group gap="sm">
        <Button look="primary" icon="repeat" disabledBecause={whyNoRetry(delivery)} onClick={() => setAsking(true)}>
          {words.retry}
        </Button>
        <CopyButton text={location.href} what={words.copyLink} wide />
        {trace !== null && <CopyButton text={trace} what={words.traceId} wide />}
        <CurlView method="post" path={`/v1/deliveries/${delivery.id}/retry`} />
      </Group>
      <RetryDialog delivery={isAsking ? delivery : null} onClose={() => setAsking(false)} />
    </Stack>
  )
}
