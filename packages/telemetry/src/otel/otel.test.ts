// What the environment turns on, what is sampled, and what never leaves the process.

import { describe, expect, test } from '@jest/globals'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SamplingDecision, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { redacting } from './redacting-exporter.ts'
import { createSampler } from './sampler.ts'
import { readProtocol, readSignals } from './signals.ts'

describe('signals', () => {
  const off = { traces: [], metrics: [] }
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

  test.each([
    ['nothing set', {}],
    ['empty values', { OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
    ['disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['other variables', { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
  ])('off: %s', (_what, env) => {
    expect(readSignals(env)).toEqual(off)
  })

  test('an endpoint turns on both, an exporter its own signal', () => {
    expect(readSignals(endpoint)).toEqual({ traces: ['otlp'], metrics: ['otlp'] })
    expect(readSignals({ OTEL_METRICS_EXPORTER: 'prometheus' })).toEqual({ traces: [], metrics: ['prometheus'] })
    expect(readSignals({ OTEL_METRICS_EXPORTER: 'prometheus, otlp' })).toEqual({
      traces: [],
      metrics: ['prometheus', 'otlp'],
    })
    expect(readSignals({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual({ traces: ['otlp'], metrics: [] })
  })

  test('attributes of the resource are taken as the SDK takes them', () => {
    for (const text of ['', ' a=b , c.d=%2C%3D ,', 'a='])
      expect(readSignals({ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: text }).traces).toEqual(['otlp'])
    expect(readSignals({ OTEL_RESOURCE_ATTRIBUTES: 'nobody asks' })).toEqual(off)
  })

  test('the protocol is that of the signal, else that of all, else protobuf', () => {
    const json = { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }
    expect(readProtocol(json, 'TRACES')).toBe('http/json')
    expect(readProtocol(json, 'METRICS')).toBe('http/protobuf')
    expect(readProtocol({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'METRICS')).toBe('http/json')
  })

  test.each([
    { OTEL_TRACES_EXPORTER: 'zipkin' },
    { OTEL_METRICS_EXPORTER: 'console' },
    { OTEL_TRACES_EXPORTER: 'otlp,console' },
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    // regression: the SDK leaves all attributes out where one is not understood, and says nothing.
    { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'team=a,rack' },
    { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'query=a=b' },
    { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: '=x' },
    { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'share=50%' },
    { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: `team=${'x'.repeat(256)}` },
  ])('refused: %j', (env) => {
    expect(() => readSignals(env)).toThrow(/^OTEL_[A-Z_]+ must/)
  })
})

describe('sampler', () => {
  test.each([
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER is not known: sometimes'],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      'OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not 2',
    ],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: 'x' },
      'OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not x',
    ],
  ])('refused: %j', (env, message) => {
    expect(() => createSampler(env)).toThrow(message)
  })

  test.each([
    [{}, 1_000, 1_000],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, 400, 600],
  ])('%j samples roots at its rate', (env, least, most) => {
    const provider = new TracerProvider({ sampler: createSampler(env) })
    const tracer = provider.getTracer('test')
    const recorded = Array.from({ length: 1_000 }, () => tracer.startSpan('x').isRecording()).filter(Boolean).length
    expect(recorded).toBeGreaterThanOrEqual(least)
    expect(recorded).toBeLessThanOrEqual(most)
  })
})

describe('a request from outside', () => {
  // Its lower and upper halves are equal, which the ratio sampler folds to 0: it would be sampled at any ratio.
  const traceId = '0af7651916cd43dd0af7651916cd43dd'
  const decide = (env: Record<string, string>, o: { flags: number; kind?: SpanKind; isRemote?: boolean }) => {
    const parent = { traceId, spanId: 'b7ad6b7169203331', traceFlags: o.flags, isRemote: o.isRemote ?? true }
    const context = trace.setSpanContext(ROOT_CONTEXT, parent)
    const sampler = createSampler(env)
    const kind = o.kind ?? SpanKind.SERVER
    const decisions = Array.from({ length: 1_000 }, () => sampler.shouldSample(context, traceId, 'x', kind, {}, []))
    return decisions.filter(({ decision }) => decision === SamplingDecision.RECORD_AND_SAMPLED).length
  }
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  const off = { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }

  test('with flag 01 is sampled at our own rate, whatever trace id it chose', () => {
    const recorded = decide(ratio, { flags: 1 })
    expect(recorded).toBeGreaterThan(40)
    expect(recorded).toBeLessThan(200)
    expect([decide(off, { flags: 1 }), decide({}, { flags: 1 })]).toEqual([0, 1_000])
  })

  test('with flag 00 is not recorded', () => {
    expect([decide(ratio, { flags: 0 }), decide({}, { flags: 0 })]).toEqual([0, 0])
  })

  test('is followed where the proxies in front make the header', () => {
    expect(decide({ ...off, WDS_TRUST_TRACEPARENT: 'true' }, { flags: 1 })).toBe(1_000)
    expect(decide({ ...off, WDS_TRUST_TRACEPARENT: 'false' }, { flags: 1 })).toBe(0)
  })

  test('does not change our own way: what follows a recorded span is recorded', () => {
    expect(decide(off, { flags: 1, kind: SpanKind.CONSUMER })).toBe(1_000)
    expect(decide(off, { flags: 1, isRemote: false })).toBe(1_000)
  })
})

describe('what leaves the process', () => {
  test('XP01: secrets, queries and mail addresses in attributes, events and states are taken out', () => {
    const inner = new InMemorySpanExporter()
    const spanProcessors = [new SimpleSpanProcessor({ exporter: redacting(inner) })]
    const tracer = new TracerProvider({ spanProcessors }).getTracer('test')
    const secret = `whsec_${'a'.repeat(32)}`
    const span = tracer.startSpan('GET /v1/postbacks/:token')
    span.setAttributes({
      'url.path': '/v1/postbacks/pbk_0123456789',
      'url.query': 'anything=goes',
      'http.request.header.authorization': ['Bearer abc.def'],
      'db.query.text': `select '${secret}'`,
      'enduser.email': 'ada@example.com',
      'http.response.status_code': 200,
    })
    span.addEvent('exception', { 'exception.message': `refused ${secret}` })
    span.setStatus({ code: 2, message: 'to ada@example.com' })
    span.end()
    const text = JSON.stringify(
      inner.getFinishedSpans().map(({ attributes, events, status }) => [attributes, events, status]),
    )
    expect(text).not.toMatch(/aaaa|abc\.def|ada@|anything|0123456789/)
    expect(inner.getFinishedSpans()[0]?.attributes['http.response.status_code']).toBe(200)
  })
})
