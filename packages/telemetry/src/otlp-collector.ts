// A collector for tests: takes spans by OTLP over HTTP in JSON and keeps them. It speaks nothing else and forgets nothing.

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

/** A running collector. `env` makes a program send its spans there, soon after they end. */
export interface Collector {
  env: Record<string, string>
  spans(): CollectedSpan[]
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

/** Listens on a free port of this machine. */
export async function startCollector(): Promise<Collector> {
  const kept: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isSpans = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json'
    if (isSpans) kept.push(...read(JSON.parse(Buffer.concat(chunks).toString('utf8')) as OtlpTraces))
    response.writeHead(isSpans ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
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
    spans: () => [...kept],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function read(traces: OtlpTraces): CollectedSpan[] {
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

function valuesOf(attributes: OtlpAttributes): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  )
}
