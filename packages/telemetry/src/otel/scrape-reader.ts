// Reads metrics when somebody scrapes, and writes them down as Prometheus reads them. The SDK's own reader would listen on a port
// of its own, while each service has one management listener.

import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  AggregationTemporality,
  InstrumentType,
  type MetricData,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'

/** Reads when it is asked. What is not read within `readingMs` is left out that time: a gauge of a store that is away must not cost the others. */
export class ScrapeReader extends MetricReader {
  readonly #readingMs: number

  /** Default: a third of what Prometheus waits for a scrape. */
  constructor({ readingMs = 3_000 } = {}) {
    // A gauge has the values of this look only: what was not told again is gone.
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    })
    this.#readingMs = readingMs
  }

  readonly #serializer = new PrometheusSerializer('', false, undefined, false, true)

  async scrape(): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: this.#readingMs })
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

const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

function named({ descriptor }: MetricData): MetricData['descriptor'] {
  const name = descriptor.name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  const suffix = unitSuffixes[descriptor.unit] ?? ''
  const hasUnit = name.endsWith(suffix) || name.endsWith(`${suffix}_total`)
  return { ...descriptor, name: hasUnit ? name : `${name}${suffix}`, unit: '' }
}
