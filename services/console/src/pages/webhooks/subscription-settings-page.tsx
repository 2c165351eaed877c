// Everything that can be set on a subscription, its secrets, and its end.

import { DeleteSubscription } from './delete-subscription.tsx'
import { EditSubscription } from './edit-subscription.tsx'
import { SubscriptionFrame } from './subscription-frame.tsx'
import { SubscriptionSecrets } from './subscription-secrets.tsx'

export function SubscriptionSettingsPage() {
  return (
    <SubscriptionFrame tab="settings">
      {(webhook, { etag }) => (
        <>
          <EditSubscription webhook={webhook} etag={etag} />
          <SubscriptionSecrets webhook={webhook} />
          <DeleteSubscription webhook={webhook} etag={etag} />
        </>
      )}
    </SubscriptionFrame>
  )
}
