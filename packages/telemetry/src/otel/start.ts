// Starts the SDK. Loaded by the preload only when traces or metrics are asked for. The SDK reads the standard variables; what it is
// given here is what it cannot make of them: the redaction, the sampler that follows links, the reader of scrapes, our names.

import { createNoopMeter, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InstrumentationBase, registerInstrumentations } from '@opentelemetry/instrumentation'
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { register } from 'import-in-the-middle/register-hooks.mjs'
import { onShutdown } from '../shutdown.ts'
import { installTracer } from '../spans.ts'
import { createReaders, createSpanExporter } from './exporters.ts'
import { createResource } from './resource.ts'
import { createSampler } from './sampler.ts'
import type { Signals } from './signals.ts'
import { createTracer } from './tracer.ts'

/** Starts what is asked for and registers how it ends. Throws an Error with one sentence. */
export async function start({ traces, metrics }: Signals): Promise<void> {
  const { env } = process
  // What is not set means OTLP to the SDK. Logs are read from standard output.
  env.OTEL_TRACES_EXPORTER = traces.join() || 'none'
  env.OTEL_METRICS_EXPORTER = metrics.join() || 'none'
  env.OTEL_LOGS_EXPORTER = 'none'
  // Not the command line, whose arguments may hold what must not leave, and no question to a cloud's metadata service.
  env.OTEL_NODE_RESOURCE_DETECTORS ||= 'serviceinstance,env'
  const configuration: Partial<NodeSDKConfiguration> = {
    resource: createResource(process.argv[1]),
    sampler: createSampler(env),
    // Baggage is neither read nor sent (stack.md 8.6).
    textMapPropagator: new W3CTraceContextPropagator(),
  }
  if (traces.length > 0) configuration.traceExporter = createSpanExporter(traces)
  if (metrics.includes('prometheus')) configuration.metricReaders = createReaders(metrics)
  const sdk = new NodeSDK(configuration)
  sdk.start()
  onShutdown(() => sdk.shutdown())
  if (traces.length > 0) await instrument()
}

async function instrument(): Promise<void> {
  const instrumentations = (await import('./instrumentations.ts')).createInstrumentations()
  // What a process measures is declared in its metrics.ts: instrumentations add nothing.
  registerInstrumentations({ instrumentations, meterProvider: { getMeter: createNoopMeter } })
  installTracer(createTracer(trace.getTracerProvider()))
  // Sources run as ES modules, which only a hook of the loader can change: in this thread, and for no other modules than these.
  const names = instrumentations.flatMap((one) =>
    one instanceof InstrumentationBase ? one.getModuleDefinitions().map(({ name }) => name) : [],
  )
  register({ include: names.flatMap((name) => [name, `node:${name}`]) })
}
