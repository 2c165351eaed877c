// Builds the request of one attempt: the exact stored bytes, the signature of this moment, and the trace of the event (settled-points.md 11 to 13).
// Custom headers never replace one that this service sets.

import type { OutboundRequest } from '@wds/outbound/guarded-client'
import { signWebhook } from '@wds/webhook-signature/sign'
import { type AttemptSpan, startAttemptSpan } from './attempt-span.ts'
import type { ClaimedAttempt } from './ports.ts'

/** A request ready to send, with what the log says of it. */
export interface AttemptRequest {
  readonly outbound: OutboundRequest
  /** Unix seconds: the `t` of the signature. */
  readonly signedAt: number
  readonly traceId: string
  /** Started: its end belongs to whoever sends. */
  readonly span: AttemptSpan
}

/** Throws when a secret cannot be used for signing. */
export function buildAttemptRequest(
  attempt: ClaimedAttempt,
  o: { secrets: readonly string[]; nowMs: number; deadlineMs: number; userAgent: string },
): AttemptRequest {
  const signedAt = Math.floor(o.nowMs / 1_000)
  const signature = signWebhook({ secrets: o.secrets, id: attempt.eventId, timestamp: signedAt, body: attempt.payload })
  const span = startAttemptSpan(attempt)
  const custom = Object.fromEntries(Object.entries(attempt.headers).map(([name, value]) => [name.toLowerCase(), value]))
  const headers = {
    ...custom,
    'content-type': 'application/json',
    'user-agent': o.userAgent,
    ...signature,
    traceparent: span.traceparent,
  }
  const outbound: OutboundRequest = {
    workspaceId: attempt.workspaceId,
    url: attempt.url,
    method: 'POST',
    headers,
    body: attempt.payload,
    deadlineMs: o.deadlineMs,
    bodyBytesMax: 65_536,
    excerptBytes: 1_024,
  }
  return { outbound, signedAt, traceId: span.traceId, span }
}
