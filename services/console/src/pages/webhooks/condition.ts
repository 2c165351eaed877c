// What waits for a subscription, as a number in words.
import type { Schemas } from '../../api.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'

export function openText({
  open_deliveries: count,
  open_deliveries_complete: isAll,
}: Schemas['WebhookCondition']): string {
  return isAll ? String(count) : words.openAtLeast(count)
}
