// Spans made by hand at the ports. Without the SDK a span is a pair of valid ids and nothing else (stack.md 8.6); with it the
// preload installs a tracer here. It never decides what is recorded: the parent does, and the sampler for a trace that begins.

import { childOf, newTraceContext, parseTraceparent, type TraceContext, unsampledChildOf } from './trace-context.ts'

/** Names and values as in the semantic conventions. Never a secret, a payload or a query of a URL. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>

export interface SpanOptions {
  /** Of few different values: no ids in it. */
  name: string
  kind: 'internal' | 'client' | 'producer' | 'consumer'
  /** `traceparent` of the parent; none or a malformed one begins a new trace. */
  parent?: string | null | undefined
  /** `traceparent`s of what the span came from without being its child. A trace that begins with links is recorded when one of them is. */
  links?: readonly (string | null | undefined)[]
  /** Called only when the span is recorded. */
  attributes?: () => SpanAttributes
  /** When it is not recorded: hand the parent's context on as it is, so that nobody looks for a span that is not there. Default: ids of its own. */
  handsOn?: boolean
}

/** How a span ended: `errorType` is its `error.type` and marks it as failed. */
export interface SpanEnd {
  errorType?: string | null
  attributes?: SpanAttributes
}

/** A span under way. Its context is valid in any case; ending it twice changes nothing. */
export interface Span extends TraceContext {
  /** Whether anybody will see it. */
  readonly isRecorded: boolean
  end(end?: SpanEnd): void
  /** Runs `fn` with this span as the parent of what is instrumented within. */
  run<T>(fn: () => T): T
}

/** What makes spans that are recorded. Installed once, by the preload. */
export interface Tracer {
  startSpan(o: SpanOptions): Span
  /** The span that the running code belongs to. */
  active(): TraceContext | null
}

let tracer: Tracer | null = null

/** Makes `startSpan` use this tracer, null for none. For the preload and for tests. */
export function installTracer(installed: Tracer | null): void {
  tracer = installed
}

/** Whether spans may be recorded in this process. */
export function isTracing(): boolean {
  return tracer !== null
}

/** Whether somebody records the trace of this header. */
export function isSampled(traceparent: string | null | undefined): boolean {
  const parsed = parseTraceparent(traceparent ?? undefined)
  return parsed !== null && (parsed.flags & 1) === 1
}

/**
 * Starts a span. It is recorded when tracing is on and its parent is recorded; without a parent, when one of its links is;
 * without either, as the sampler decides. Otherwise it has valid ids of its own and costs nothing more.
 */
export function startSpan(o: SpanOptions): Span {
  if (tracer !== null && mayBeRecorded(o)) return tracer.startSpan(o)
  const parent = parseTraceparent(o.parent ?? undefined)
  if (parent === null || !o.parent) return unrecorded(newTraceContext())
  return unrecorded(o.handsOn ? { traceId: parent.traceId, traceparent: o.parent } : childOf(parent))
}

function mayBeRecorded(o: SpanOptions): boolean {
  if (o.parent) return isSampled(o.parent) || parseTraceparent(o.parent) === null
  return o.links === undefined || o.links.some(isSampled)
}

/**
 * The context of a request that came in: that of the server span, or a child of the header's with flag 00 when nothing is recorded
 * here. The caller's flag goes no further, else it would make the services after this one record.
 */
export function serverContext(traceparent: string | undefined): TraceContext {
  return tracer?.active() ?? unsampledChildOf(traceparent)
}

function unrecorded({ traceId, traceparent }: TraceContext): Span {
  return { traceId, traceparent, isRecorded: false, end: ignore, run: plainly }
}

const plainly = <T>(fn: () => T): T => fn()

const ignore = (): void => undefined

/** Spans of things done together. */
export interface SpanBatch {
  /** Ends all of them. */
  end(end?: SpanEnd): void
  /** Runs `fn` within the batch and ends it: with `error.type` when `fn` throws. */
  around<T>(fn: () => Promise<T>): Promise<T>
}

export interface BatchOptions {
  /** Of the span of the batch as a whole. */
  name: string
  kind: SpanOptions['kind']
  /** One span each, a child of the item's `parent`. */
  items: () => Iterable<{ name: string; parent: string | null | undefined; attributes?: () => SpanAttributes }>
}

const nothing: SpanBatch = { end: ignore, around: (fn) => fn() }

/**
 * One span for each item whose trace is recorded, all over the same time. Several have a span of the batch beside them, which
 * begins a trace of its own and links to them; what is instrumented within belongs to it, or to the only item.
 */
export function startBatch(o: BatchOptions): SpanBatch {
  if (tracer === null) return nothing
  const spans: Span[] = []
  for (const item of o.items()) if (isSampled(item.parent)) spans.push(startSpan({ kind: o.kind, ...item }))
  const [only] = spans
  if (only === undefined) return nothing
  const attributes = () => ({ 'messaging.batch.message_count': spans.length })
  const links = spans.map((span) => span.traceparent)
  const whole = spans.length === 1 ? only : startSpan({ name: o.name, kind: o.kind, links, attributes })
  const end = (how?: SpanEnd): void => {
    for (const span of spans) span.end(how)
    whole.end(how)
  }
  return {
    end,
    async around(fn) {
      try {
        const result = await whole.run(fn)
        end()
        return result
      } catch (error) {
        end({ errorType: errorTypeOf(error) })
        throw error
      }
    },
  }
}

/** `error.type` of something thrown: its code, else the name of its class. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : '_OTHER'
}
