// Makes spans of the SDK for the small interface of spans.ts.

import {
  context,
  type Link,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { Span, SpanEnd, SpanOptions, Tracer } from '../spans.ts'
import { parseTraceparent, type TraceContext } from '../trace-context.ts'

const kinds = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/** The tracer behind `startSpan`: parents and links come as headers, never from the running code. */
export function createTracer(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer('wds')
  return {
    startSpan(o: SpanOptions): Span {
      const parent = remote(o.parent)
      const span = tracer.startSpan(
        o.name,
        { kind: kinds[o.kind], links: linksOf(o.links), attributes: o.attributes?.() ?? {} },
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
      )
      return toSpan(span)
    },
    active() {
      const span = trace.getActiveSpan()
      return span === undefined ? null : contextOf(span)
    },
  }
}

function toSpan(span: SdkSpan): Span {
  return {
    ...contextOf(span),
    isRecorded: span.isRecording(),
    run: (fn) => context.with(trace.setSpan(context.active(), span), fn),
    end(how: SpanEnd = {}) {
      if (how.attributes) span.setAttributes(how.attributes)
      if (how.errorType) {
        span.setAttribute('error.type', how.errorType)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}

function contextOf(span: SdkSpan): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceId, traceparent: `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}` }
}

function remote(traceparent: string | null | undefined) {
  const parsed = parseTraceparent(traceparent ?? undefined)
  if (parsed === null) return null
  return { traceId: parsed.traceId, spanId: parsed.spanId, traceFlags: parsed.flags & 1, isRemote: true }
}

function linksOf(traceparents: SpanOptions['links'] = []): Link[] {
  return traceparents.map(remote).flatMap((parsed) => (parsed === null ? [] : [{ context: parsed }]))
}
