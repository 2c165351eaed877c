// Reads metrics when somebody scrapes, and writes them down as Prometheus reads them. The SDK's own reader would listen on a port
// of its own, while each service has one management listener.

import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  InstrumentType,
  type MetricData,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { type Exemplars, labelSetsMax } from '../exemplars.ts'
import type { ScrapeForm } from '../scrape.ts'
import { writeOpenMetrics } from './open-metrics.ts'
import { targetLabels } from './target-labels.ts'

/** Reads when it is asked. What is not read within `readingMs` is left out that time: a gauge of a store that is away must not cost the others. */
export class ScrapeReader extends MetricReader {
  readonly #readingMs: number
  readonly #exemplars: Exemplars
  #reading: Promise<ResourceMetrics> | null = null

  /** `readingMs`: default a third of what Prometheus waits for a scrape. */
  constructor({ exemplars, readingMs = 3_000 }: { exemplars: Exemplars; readingMs?: number }) {
    // A gauge has the values of this look only: what was not told again is gone.
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
      cardinalitySelector: () => labelSetsMax,
    })
    this.#readingMs = readingMs
    this.#exemplars = exemplars
  }

  readonly #serializer = new PrometheusSerializer('', false, undefined, false, true)

  async scrape(form: ScrapeForm): Promise<string> {
    const { metrics, declaredNames } = asPrometheusNames(await this.#read())
    if (form === 'text') return this.#serializer.serialize(metrics)
    const declaredNameOf = (metric: MetricData) => declaredNames.get(metric) ?? metric.descriptor.name
    return writeOpenMetrics(metrics, { exemplars: this.#exemplars, declaredNameOf })
  }

  /** Who comes while a reading is under way gets the same: of two at once, each gauge would be told to the first that ends, and to that one alone. */
  #read(): Promise<ResourceMetrics> {
    this.#reading ??= this.collect({ timeoutMillis: this.#readingMs })
      .then(({ resourceMetrics }) => resourceMetrics)
      .finally(() => {
        this.#reading = null
      })
    return this.#reading
  }

  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}
}

/** The unit belongs to the name in Prometheus, as the OpenTelemetry specification has it; the library leaves it out. So it does with what labels may be. */
function asPrometheusNames(metrics: ResourceMetrics) {
  const declaredNames = new Map<MetricData, string>()
  const scopeMetrics = metrics.scopeMetrics.map((scope) => ({
    ...scope,
    metrics: scope.metrics.map((metric) => {
      const renamed = { ...metric, descriptor: named(metric) } as MetricData
      declaredNames.set(renamed, metric.descriptor.name)
      return renamed
    }),
  }))
  const resource = resourceFromAttributes(targetLabels(metrics.resource.attributes))
  return { metrics: { resource, scopeMetrics }, declaredNames }
}

const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

function named({ descriptor }: MetricData): MetricData['descriptor'] {
  const name = descriptor.name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  const suffix = unitSuffixes[descriptor.unit] ?? ''
  const hasUnit = name.endsWith(suffix) || name.endsWith(`${suffix}_total`)
  return { ...descriptor, name: hasUnit ? name : `${name}${suffix}`, unit: '' }
}
