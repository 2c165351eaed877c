// Starts the SDK for traces: three instrumentations, the exporter of the environment, and the tracer behind `startSpan`.
// Loaded by the preload only when traces are exported.

import { register } from 'node:module'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import type { Resource } from '@opentelemetry/resources'
import { BatchSpanProcessor, ConsoleSpanExporter, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { installTracer } from '../spans.ts'
import { redacting } from './redacting-exporter.ts'
import { createSampler } from './sampler.ts'
import { numberOf, type OtlpProtocol, type Signals } from './signals.ts'
import { createTracer } from './tracer.ts'

/** Paths of probes and scrapes: thousands of spans that say nothing. */
const unwatched = new Set(['/livez', '/readyz', '/metrics', '/healthz'])

/** Resolves with the function that sends what is held back and ends the SDK. Throws an Error with one sentence. */
export async function startTracing(o: {
  traces: NonNullable<Signals['traces']>
  resource: Resource
}): Promise<() => Promise<void>> {
  const exporter = o.traces.exporter === 'console' ? new ConsoleSpanExporter() : await otlpExporter(o.traces.protocol)
  const provider = new TracerProvider({
    resource: o.resource,
    sampler: createSampler(process.env),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: redacting(exporter),
        maxQueueSize: numberOf(process.env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
        scheduledDelayMillis: numberOf(process.env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
        exportTimeoutMillis: numberOf(process.env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
        maxExportBatchSize: numberOf(process.env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  // Baggage is neither read nor sent (stack.md 8.6).
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  registerInstrumentations({ instrumentations: instrumentations() })
  installTracer(createTracer(provider))
  // After the SDK, which loads twice as fast without it, and before the program, which is not seen without it.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  return () => provider.shutdown()
}

function instrumentations() {
  return [
    new HttpInstrumentation({
      // Calls to subscribers get their headers by hand and nothing else.
      disableOutgoingRequestInstrumentation: true,
      ignoreIncomingRequestHook: (request) => unwatched.has((request.url ?? '').split('?', 1)[0] ?? ''),
    }),
    new ExpressInstrumentation({ ignoreLayersType: [ExpressLayerType.MIDDLEWARE, ExpressLayerType.REQUEST_HANDLER] }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
  ]
}

async function otlpExporter(protocol: OtlpProtocol): Promise<SpanExporter> {
  if (protocol === 'http/json') return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter()
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter()
}
