// Spans at the ports: valid without the SDK, and with it recorded as the parent was.

import { afterEach, describe, expect, test } from '@jest/globals'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { startCreate, startProcess, startSend } from './messaging-spans.ts'
import { createSampler } from './otel/sampler.ts'
import { createTracer } from './otel/tracer.ts'
import { installTracer, isTracing, serverContext, startBatch, startSpan } from './spans.ts'
import { parseTraceparent } from './trace-context.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${trace}-b7ad6b7169203331-01`
const unsampled = sampled.replace(/01$/, '00')
const internal = { name: 'work', kind: 'internal' } as const

afterEach(() => installTracer(null))

/** The SDK with a tracer behind `startSpan`; gives the spans that ended. */
function record(env: Record<string, string> = {}): () => ReadableSpan[] {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor({ exporter })]
  installTracer(createTracer(new TracerProvider({ sampler: createSampler(env), spanProcessors })))
  return () => exporter.getFinishedSpans()
}

const recordOf = (traceparent: string, eventId: string) => ({
  topic: 'workspace.events',
  eventId,
  headers: { traceparent },
  payload: Buffer.from('{}'),
})
const otherTrace = sampled.replace(trace, trace.replace('0af', '1af'))

describe('without the SDK', () => {
  test('a span has valid ids in the trace of its parent and no attributes are made', async () => {
    expect(isTracing()).toBe(false)
    const attributes = () => {
      throw new Error('not recorded')
    }
    const span = startSpan({ ...internal, parent: unsampled, attributes })
    expect(span).toMatchObject({ traceId: trace, isRecorded: false })
    expect(parseTraceparent(span.traceparent)?.spanId).not.toBe('b7ad6b7169203331')
    expect(span.run(() => 7)).toBe(7)
    span.end({ errorType: 'timeout' })
    const batch = startBatch({ name: 'batch', kind: 'client', items: attributes })
    expect(await batch.around(async () => 8)).toBe(8)
  })

  test('an event is stored with the context of its request, whose span exists', () => {
    const of = { topic: 'workspace.events', eventId: 'evt_1', eventType: 'sync.completed' }
    expect(startCreate({ ...of, parent: sampled })).toMatchObject({ traceId: trace, traceparent: sampled })
    expect(startCreate({ ...of, parent: 'nonsense' }).traceparent).toMatch(/-00$/)
  })

  test('a root has flag 00, also for a retry that links to a recorded event', () => {
    expect(startSpan(internal).traceparent).toMatch(/-00$/)
    expect(startSpan({ ...internal, links: [sampled] })).toMatchObject({ traceId: expect.not.stringContaining(trace) })
    expect(serverContext(unsampled).traceId).toBe(trace)
  })

  test("a request keeps its caller's trace id, and the caller's wish to record goes no further", () => {
    for (const header of [sampled, unsampled]) {
      const context = serverContext(header)
      expect(parseTraceparent(context.traceparent)).toMatchObject({ traceId: trace, flags: 0 })
      expect(context.traceparent).not.toContain('b7ad6b7169203331')
    }
    expect(parseTraceparent(serverContext('nonsense').traceparent)).toMatchObject({ flags: 0 })
  })
})

describe('with the SDK', () => {
  test('a span is recorded when its parent is, with attributes and error type', () => {
    const spans = record()
    const span = startSpan({ ...internal, parent: sampled, attributes: () => ({ 'http.request.method': 'POST' }) })
    startSpan({ ...internal, parent: unsampled }).end()
    span.end({ errorType: 'timeout', attributes: { 'http.request.resend_count': 2 } })
    span.end()
    expect(spans()).toHaveLength(1)
    expect(spans()[0]?.parentSpanContext).toMatchObject({ traceId: trace, spanId: 'b7ad6b7169203331', isRemote: true })
    expect(spans()[0]?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.request.resend_count': 2,
      'error.type': 'timeout',
    })
    expect(span.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
  })

  test.each(['parentbased_always_off', 'parentbased_traceidratio'])(
    'a trace that begins with links follows them, whatever %s says',
    (name) => {
      const spans = record({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0' })
      startSpan({ ...internal, links: [unsampled, null] }).end()
      startSpan(internal).end()
      const retry = startSpan({ ...internal, links: [sampled] })
      retry.end()
      expect(spans().map((span) => span.links.map((link) => link.context.traceId))).toEqual([[trace]])
      expect(retry.traceId).not.toBe(trace)
      expect(spans()[0]?.parentSpanContext).toBeUndefined()
    },
  )

  test('the creation context is what send and process are children of, and it is not rewritten', async () => {
    const spans = record()
    const create = startCreate({
      topic: 'workspace.events',
      eventId: 'evt_1',
      eventType: 'sync.completed',
      parent: sampled,
    })
    create.end()
    const stored = recordOf(create.traceparent, 'evt_1')
    startSend([stored]).end()
    await startProcess('delivery.ingest', [stored]).around(async () => undefined)
    const created = parseTraceparent(create.traceparent)?.spanId
    expect(spans().map((span) => [span.name, span.parentSpanContext?.spanId])).toEqual([
      ['create workspace.events', 'b7ad6b7169203331'],
      ['send workspace.events', created],
      ['process workspace.events', created],
    ])
    expect(spans()[2]?.attributes).toMatchObject({
      'messaging.operation.name': 'process',
      'messaging.destination.name': 'workspace.events',
      'messaging.consumer.group.name': 'delivery.ingest',
      'messaging.message.id': 'evt_1',
      'messaging.message.body.size': 2,
    })
    expect(stored.headers.traceparent).toBe(create.traceparent)
  })

  test('a batch links to the spans of its recorded events and leaves out the others', async () => {
    const spans = record()
    const records = [recordOf(sampled, 'evt_1'), recordOf(unsampled, 'evt_2'), recordOf(otherTrace, 'evt_3')]
    await expect(
      startProcess('delivery.ingest', records).around(() => Promise.reject(new TypeError('no'))),
    ).rejects.toThrow('no')
    const [first, second, batch] = spans()
    expect([first?.name, second?.name, batch?.name]).toEqual([
      'process workspace.events',
      'process workspace.events',
      'process batch',
    ])
    expect(batch?.links.map((link) => link.context.spanId)).toEqual([
      first?.spanContext().spanId,
      second?.spanContext().spanId,
    ])
    expect(batch?.parentSpanContext).toBeUndefined()
    expect(spans().map((span) => span.attributes['error.type'])).toEqual(['TypeError', 'TypeError', 'TypeError'])
  })
})
