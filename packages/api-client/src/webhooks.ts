// Takes what a webhook brings: verified, and typed by the event. For Node.js; the rest of this package is for browsers, too.
import type { EventData } from '@wds/contracts/event-data'
import { type RefusalReason, verifyWebhook } from '@wds/webhook-signature/verify'

export type EventType = keyof EventData

/** `event.type === 'sync.completed'` tells what `event.data` is. Types that are newer than this package come as well: leave them alone. */
export type WebhookEvent<T extends EventType = EventType> = {
  [K in T]: {
    /** The same on every attempt and replay: what is known by it was here before. */
    id: string
    type: K
    /** ISO 8601, UTC. */
    created: string
    data: EventData[K]
  }
}[T]

export type ReceivedWebhook = { ok: true; event: WebhookEvent } | { ok: false; reason: RefusalReason }

/** Throws RangeError where a secret has not the form of one. */
export function readWebhook(o: {
  /** As shown when it was made; during a rotation the new and the old one. */
  secret: string | readonly string[]
  /** `X-Service-Signature` as received. */
  header: string | readonly string[] | null | undefined
  /** The bytes as received: not parsed and written again. */
  body: Uint8Array
  /** The receiver's clock, Unix seconds. */
  nowSeconds?: number
}): ReceivedWebhook {
  const { header, body, nowSeconds = Date.now() / 1000 } = o
  const verified = verifyWebhook({ secrets: [o.secret].flat(), header: header ?? undefined, body, nowSeconds })
  if (!verified.ok) return verified
  return { ok: true, event: JSON.parse(new TextDecoder().decode(body)) as WebhookEvent }
}
