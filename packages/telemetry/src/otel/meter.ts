// Makes instruments of the SDK for the small interface of metrics.ts, and writes them down as Prometheus reads them.

import type { Attributes, ObservableGauge } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  AggregationTemporality,
  InstrumentType,
  type MeterProvider,
  type MetricData,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { Meter, Metric } from '../metrics.ts'

/** Reads when it is asked. */
export class ScrapeReader extends MetricReader {
  constructor() {
    // A gauge has the values of this look only: what was not told again is gone.
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    })
  }

  readonly #serializer = new PrometheusSerializer('', false, undefined, false, true)

  async scrape(): Promise<string> {
    const { resourceMetrics } = await this.collect()
    return this.#serializer.serialize(withUnits(resourceMetrics))
  }

  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}
}

/** The unit belongs to the name in Prometheus, as the OpenTelemetry specification has it; the library leaves it out. */
function withUnits(metrics: ResourceMetrics): ResourceMetrics {
  const scopeMetrics = metrics.scopeMetrics.map((scope) => ({
    ...scope,
    metrics: scope.metrics.map((metric) => ({ ...metric, descriptor: named(metric) }) as MetricData),
  }))
  return { ...metrics, scopeMetrics }
}

function named({ descriptor }: MetricData): MetricData['descriptor'] {
  return { ...descriptor, name: prometheusName(descriptor), unit: '' }
}

const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/** The name of a metric in Prometheus, without what a histogram adds. */
export function prometheusName(metric: { name: string; unit: string }): string {
  const name = metric.name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  const suffix = unitSuffixes[metric.unit] ?? ''
  return name.endsWith(suffix) || name.endsWith(`${suffix}_total`) ? name : `${name}${suffix}`
}

/** The meter behind metrics.ts; `scraped` is a reader of the same provider. */
export function createMeter(provider: MeterProvider, scraped: ScrapeReader | null): Meter {
  const meter = provider.getMeter('wds')
  const gauges = new Map<string, ObservableGauge>()
  const gaugeOf = (metric: Metric): ObservableGauge => {
    const known = gauges.get(metric.name)
    if (known) return known
    const made = meter.createObservableGauge(metric.name, optionsOf(metric))
    gauges.set(metric.name, made)
    return made
  }
  return {
    counter(metric) {
      const made = meter.createCounter(metric.name, optionsOf(metric))
      return (value, labels) => made.add(value, attributesOf(labels))
    },
    histogram(metric) {
      const made = meter.createHistogram(metric.name, {
        ...optionsOf(metric),
        advice: { explicitBucketBoundaries: [...(metric.buckets ?? [])] },
      })
      return (value, labels) => made.record(value, attributesOf(labels))
    },
    observe(observed, read) {
      const own = observed.map(gaugeOf)
      const callback: Parameters<typeof meter.addBatchObservableCallback>[0] = (result) =>
        read((metric, value, labels) => result.observe(gaugeOf(metric), value, attributesOf(labels ?? {})))
      meter.addBatchObservableCallback(callback, own)
      return () => meter.removeBatchObservableCallback(callback, own)
    },
    scrape: scraped === null ? null : () => scraped.scrape(),
  }
}

function optionsOf(metric: Metric) {
  return { description: metric.meaning, unit: metric.unit }
}

/** Without the labels that are not there: a reader would take them for empty ones. */
function attributesOf(labels: object): Attributes {
  for (const value of Object.values(labels)) {
    if (value === undefined) return Object.fromEntries(Object.entries(labels).filter((entry) => entry[1] !== undefined))
  }
  return labels as Attributes
}
