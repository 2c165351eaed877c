// What the SDK cannot make from the environment by itself: spans pass the redaction before they leave, and scrapes are answered by
// the management listener. What an exporter needs beyond its protocol (endpoint, headers, limits) it reads itself.

import { getNumberFromEnv } from '@opentelemetry/core'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { type IMetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { ConsoleSpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace'
import { createExemplars, installExemplars, labelSetsMax } from '../exemplars.ts'
import { installScraper } from '../scrape.ts'
import { redacting } from './redacting-exporter.ts'
import { ScrapeReader } from './scrape-reader.ts'
import { readProtocol, type Signals } from './signals.ts'

/** The exporter of spans, behind the redaction. */
export function createSpanExporter([name]: Signals['traces']): SpanExporter {
  if (name === 'console') return redacting(new ConsoleSpanExporter())
  const isJson = readProtocol(process.env, 'TRACES') === 'http/json'
  return redacting(isJson ? new JsonTraceExporter() : new OTLPTraceExporter())
}

/** The readers of metrics where one of them answers scrapes. */
export function createReaders(metrics: Signals['metrics']): IMetricReader[] {
  const exemplars = createExemplars({ nowMs: Date.now })
  const scraped = new ScrapeReader({ exemplars })
  installExemplars(exemplars)
  installScraper((form) => scraped.scrape(form))
  return metrics.includes('otlp') ? [scraped, periodicReader()] : [scraped]
}

/** OTEL_METRIC_EXPORT_INTERVAL and OTEL_METRIC_EXPORT_TIMEOUT, as the SDK reads them for a reader that it makes. */
function periodicReader(): IMetricReader {
  const isJson = readProtocol(process.env, 'METRICS') === 'http/json'
  const exporter = isJson ? new JsonMetricExporter() : new OTLPMetricExporter()
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000
  const timeoutMs = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000
  const exportTimeoutMillis = Math.min(timeoutMs, exportIntervalMillis)
  const cardinalityLimits = { default: labelSetsMax }
  return new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis, cardinalityLimits })
}
