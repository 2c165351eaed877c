// The span of an attempt: a child of the event's creation context when it is the first, else a trace of its own with a link back
// (stack.md 8.4, 8.5). Its `traceparent` is what the subscriber gets, whether or not anybody records it.
import type { OutboundResult } from '@wds/outbound/guarded-client'
import { type Span, type SpanAttributes, startSpan } from '@wds/telemetry/spans'
import type { TraceContext } from '@wds/telemetry/trace-context'
import { deliveryMetrics } from '../metrics.ts'
import type { ClaimedAttempt } from './ports.ts'

/** An attempt that is told of; `end` once, with what became of it. */
export class AttemptSpan implements TraceContext {
  readonly traceId: string
  readonly traceparent: string
  readonly #span: Span
  readonly #startedMs = performance.now()

  constructor(span: Span) {
    this.traceId = span.traceId
    this.traceparent = span.traceparent
    this.#span = span
  }

  end(result: OutboundResult): void {
    const seconds = (performance.now() - this.#startedMs) / 1_000
    deliveryMetrics.attemptDuration.record(seconds, { 'error.type': result.errorCode ?? undefined }, this.traceparent)
    if (this.#span.isRecorded) endSpan(this.#span, result)
  }
}

/** Starts right before the request is sent. */
export function startAttemptSpan(attempt: ClaimedAttempt): AttemptSpan {
  const isFirst = attempt.epoch === 1 && attempt.attempt === 1
  const { traceparent: created } = attempt
  const how = { name: 'POST', kind: 'client', attributes: () => attributesOf(attempt) } as const
  const span = startSpan(isFirst || created === null ? { ...how, parent: created } : { ...how, links: [created] })
  return new AttemptSpan(span)
}

function endSpan(span: Span, { status, errorCode, outcome }: OutboundResult): void {
  const isFault = outcome === 'failed' || outcome === 'unknown'
  span.end({
    errorType: errorCode ?? (isFault ? outcome : null),
    attributes: { 'http.response.status_code': status ?? undefined },
  })
}

function attributesOf(attempt: ClaimedAttempt): SpanAttributes {
  const url = new URL(attempt.url)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return {
    'http.request.method': 'POST',
    'http.request.resend_count': attempt.attempt - 1,
    'server.address': url.hostname,
    'server.port': port,
    // Without query and user information (stack.md 8.5).
    'url.full': `${url.origin}${url.pathname}`,
    'messaging.message.id': attempt.eventId,
    'wds.delivery.id': attempt.deliveryId,
    'wds.delivery.epoch': attempt.epoch,
  }
}
