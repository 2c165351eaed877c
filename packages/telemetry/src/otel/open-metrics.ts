// Writes metrics as OpenMetrics 1.0 has them: what Prometheus asks for first, and the only form of a scrape that takes exemplars.

import {
  DataPointType,
  type Histogram,
  type HistogramMetricData,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { Exemplar, Exemplars } from '../exemplars.ts'

type Labels = Readonly<Record<string, unknown>>

/** `metrics` have their names of Prometheus; `declaredNameOf` gives the name under which the exemplars of a metric are kept. */
export function writeOpenMetrics(
  { resource, scopeMetrics }: ResourceMetrics,
  o: { exemplars: Exemplars; declaredNameOf(metric: MetricData): string },
): string {
  const metrics = scopeMetrics.flatMap((scope) => scope.metrics)
  const families = metrics.map((metric) => {
    const declared = o.declaredNameOf(metric)
    return writeFamily(metric, (labels) => o.exemplars.of(declared, labels))
  })
  const target = `# TYPE target info\n# HELP target Target metadata\n${sample('target_info', resource.attributes, 1)}`
  return `${target}${families.join('')}# EOF\n`
}

function writeFamily(metric: MetricData, exemplarsOf: (labels: Labels) => readonly (Exemplar | undefined)[]): string {
  const { name, description } = metric.descriptor
  if (metric.dataPointType === DataPointType.HISTOGRAM) {
    return `${head(name, 'histogram', description)}${writeHistograms(metric, exemplarsOf)}`
  }
  if (metric.dataPointType === DataPointType.EXPONENTIAL_HISTOGRAM) return ''
  const isCounter = metric.dataPointType === DataPointType.SUM && metric.isMonotonic
  const family = isCounter ? name.replace(/_total$/, '') : name
  const samples = metric.dataPoints.map(({ attributes, value }) =>
    sample(isCounter ? `${family}_total` : family, attributes, value),
  )
  return `${head(family, isCounter ? 'counter' : 'gauge', description)}${samples.join('')}`
}

function writeHistograms(
  { descriptor: { name }, dataPoints }: HistogramMetricData,
  exemplarsOf: (labels: Labels) => readonly (Exemplar | undefined)[],
): string {
  return dataPoints
    .map(({ attributes, value }) => {
      const exemplars = exemplarsOf(attributes)
      let below = Number.NEGATIVE_INFINITY
      const buckets = cumulated(value).map(([bound, count]) => {
        // By its value: it must lie in its bucket, whatever the bounds are that it was kept by.
        const exemplar = exemplars.find((one) => one !== undefined && one.value > below && one.value <= bound)
        below = bound
        return sample(`${name}_bucket`, { ...attributes, le: boundText(bound) }, count, exemplar)
      })
      const sum = value.sum === undefined ? '' : sample(`${name}_sum`, attributes, value.sum)
      return `${buckets.join('')}${sample(`${name}_count`, attributes, value.count)}${sum}`
    })
    .join('')
}

/** Upper bounds, infinity last, each with how many values are not above it. */
function cumulated({ buckets: { boundaries, counts } }: Histogram): [bound: number, count: number][] {
  let count = 0
  return [...boundaries, Number.POSITIVE_INFINITY].map((bound, place) => {
    count += counts[place] ?? 0
    return [bound, count]
  })
}

function head(name: string, type: string, help: string): string {
  return `# TYPE ${name} ${type}\n# HELP ${name} ${escaped(help)}\n`
}

function sample(name: string, labels: Labels, value: number, exemplar?: Exemplar): string {
  return `${name}${labelText(labels)} ${numberText(value)}${exemplar === undefined ? '' : exemplarText(exemplar)}\n`
}

function exemplarText({ traceId, spanId, value, atMs }: Exemplar): string {
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${numberText(value)} ${(atMs / 1_000).toFixed(3)}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return `${key.replaceAll(/[^A-Za-z0-9_]/g, '_')}="${escaped(text)}"`
  })
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

/** A bound is written as a float, so that every exposer says the same: `1.0`, never `1`. */
const boundText = (bound: number) => (Number.isInteger(bound) ? bound.toFixed(1) : numberText(bound))

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
