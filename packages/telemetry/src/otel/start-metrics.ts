// Starts the SDK for metrics: one provider, read by scrapes of the management listener, sent by OTLP, or both. Loaded by the
// preload only when metrics are exported. Instrumentations add none: what a process measures is declared in its metrics.ts.

import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import { installMeter } from '../metrics.ts'
import { createMeter, ScrapeReader } from './meter.ts'
import { numberOf, type OtlpProtocol, type Signals } from './signals.ts'

/** Resolves with the function that sends the last values and ends the SDK. */
export async function startMetrics(o: {
  metrics: NonNullable<Signals['metrics']>
  resource: Resource
}): Promise<() => Promise<void>> {
  const scraped = o.metrics.prometheus ? new ScrapeReader() : null
  const sent = o.metrics.otlp === null ? null : await periodicReader(o.metrics.otlp)
  const readers = [scraped, sent].filter((reader) => reader !== null)
  const provider = new MeterProvider({ resource: o.resource, readers })
  installMeter(createMeter(provider, scraped))
  return () => provider.shutdown()
}

/** OTEL_METRIC_EXPORT_INTERVAL and OTEL_METRIC_EXPORT_TIMEOUT, as the specification has them. */
async function periodicReader(protocol: OtlpProtocol): Promise<PeriodicExportingMetricReader> {
  const exportIntervalMillis = numberOf(process.env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000)
  const exportTimeoutMillis = Math.min(
    numberOf(process.env, 'OTEL_METRIC_EXPORT_TIMEOUT', 30_000),
    exportIntervalMillis,
  )
  return new PeriodicExportingMetricReader({
    exporter: await otlpExporter(protocol),
    exportIntervalMillis,
    exportTimeoutMillis,
  })
}

async function otlpExporter(protocol: OtlpProtocol): Promise<PushMetricExporter> {
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter()
  return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter()
}
