// Sends an event to an address as a webhook is sent: the same body and headers, signed by the Standard Webhooks scheme and the product's own.
import type { Event } from '@wds/api-client/schemas'
import { signWebhook } from '@wds/webhook-signature/sign'

/** The outcome of the request. */
export interface Forwarded {
  /** HTTP status; null without an answer. */
  status: number | null
  duration_ms: number
  /** Why there is no answer; null with one. */
  error: string | null
}

const timeoutMs = 10_000

/** One attempt, no retry; like a webhook, it follows no redirects. Never rejects. */
export async function forwardEvent(
  event: Event,
  o: { to: string; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const body = JSON.stringify(event)
  const headers = signWebhook({
    secrets: [o.secret],
    id: event.id,
    timestamp: Math.floor(Date.now() / 1_000),
    body: Buffer.from(body, 'utf8'),
  })
  const began = performance.now()
  const end = (status: number | null, error: string | null): Forwarded => ({
    status,
    duration_ms: Math.round(performance.now() - began),
    error,
  })
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(o.to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'wds-listen' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([o.signal, deadline]),
    })
    await response.body?.cancel()
    return end(response.status, null)
  } catch (error) {
    if (deadline.aborted) return end(null, `no answer within ${timeoutMs / 1_000} s`)
    const { message, cause } = error as Error
    return end(null, cause instanceof Error && cause.message !== '' ? cause.message : message)
  }
}
