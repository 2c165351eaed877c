// What became of a subscription's attempts, what it asks for, and a test (ui.md 3).

import { SubscribedTypes } from './subscribed-types.tsx'
import { SubscriptionFrame } from './subscription-frame.tsx'
import { SubscriptionHealth } from './subscription-health.tsx'
import { TestEvent } from './test-event.tsx'

export function SubscriptionOverviewPage() {
  return (
    <SubscriptionFrame tab="overview">
      {(webhook) => (
        <>
          <SubscriptionHealth webhook={webhook} />
          <TestEvent webhook={webhook} />
          <SubscribedTypes patterns={webhook.events} />
        </>
      )}
    </SubscriptionFrame>
  )
}
