// A collector for tests: takes spans and metrics by OTLP over HTTP in JSON and keeps them. It speaks nothing else; of spans it
// forgets nothing, of each metric it knows the last values.

import { channel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as it arrived. Times are epoch milliseconds. */
export interface CollectedSpan {
  service: string
  traceId: string
  spanId: string
  /** '' at a root. */
  parentSpanId: string
  name: string
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer (OTLP). */
  kind: number
  startMs: number
  endMs: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  isError: boolean
}

/** A metric of one service as it last arrived. */
export interface CollectedMetric {
  service: string
  name: string
  unit: string
  kind: 'sum' | 'gauge' | 'histogram'
  /** One for each set of labels; `value` of a histogram is its number of records. */
  points: { labels: Record<string, unknown>; value: number }[]
}

/** A running collector. */
export interface Collector {
  /** Makes a program send its spans here, soon after they end. */
  env: Record<string, string>
  /** Makes a program send its metrics here, twice a second. */
  metricsEnv: Record<string, string>
  spans(): CollectedSpan[]
  metrics(): CollectedMetric[]
  close(): Promise<void>
}

interface OtlpValue {
  stringValue?: string
  intValue?: string | number
  doubleValue?: number
  boolValue?: boolean
}
type OtlpAttributes = { key: string; value: OtlpValue }[]
interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: OtlpAttributes
  links?: { traceId: string; spanId: string }[]
  status?: { code?: number }
}
interface OtlpTraces {
  resourceSpans?: { resource: { attributes: OtlpAttributes }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

interface OtlpPoint {
  attributes?: OtlpAttributes
  asInt?: string | number
  asDouble?: number
  count?: string | number
}
interface OtlpMetric {
  name: string
  unit?: string
  sum?: { dataPoints: OtlpPoint[] }
  gauge?: { dataPoints: OtlpPoint[] }
  histogram?: { dataPoints: OtlpPoint[] }
}
interface OtlpMetrics {
  resourceMetrics?: { resource: { attributes: OtlpAttributes }; scopeMetrics: { metrics: OtlpMetric[] }[] }[]
}

/** As metrics.ts says of what is recorded in this process. */
const emitted = channel('wds.metric')

/** Listens on a free port of this machine. */
export async function startCollector(): Promise<Collector> {
  const kept: CollectedSpan[] = []
  const metrics = new Map<string, CollectedMetric>()
  const take: Record<string, (body: string) => void> = {
    '/v1/traces': (body) => void kept.push(...readSpans(JSON.parse(body))),
    '/v1/metrics': (body) => {
      for (const metric of readMetrics(JSON.parse(body))) {
        metrics.set(`${metric.service} ${metric.name}`, metric)
        if (metric.points.length > 0) emitted.publish({ name: metric.name })
      }
    },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const taken = request.headers['content-type'] === 'application/json' ? take[request.url ?? ''] : undefined
    taken?.(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(taken ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    metricsEnv: {
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${port}/v1/metrics`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    },
    spans: () => [...kept],
    metrics: () => [...metrics.values()],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function readSpans(traces: OtlpTraces): CollectedSpan[] {
  return (traces.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
        attributes: valuesOf(span.attributes ?? []),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        isError: span.status?.code === 2,
      })),
    )
  })
}

function readMetrics({ resourceMetrics = [] }: OtlpMetrics): CollectedMetric[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
    const service = String(valuesOf(resource.attributes)['service.name'])
    return scopeMetrics.flatMap(({ metrics }) => metrics.map((metric) => toCollected(service, metric)))
  })
}

function toCollected(service: string, metric: OtlpMetric): CollectedMetric {
  const kind = metric.histogram ? 'histogram' : metric.gauge ? 'gauge' : 'sum'
  const points = (metric[kind]?.dataPoints ?? []).map((point) => ({
    labels: valuesOf(point.attributes ?? []),
    value: Number(point.asDouble ?? point.asInt ?? point.count),
  }))
  return { service, name: metric.name, unit: metric.unit ?? '', kind, points }
}

function valuesOf(attributes: OtlpAttributes): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  )
}
