// Makes the reference of metrics from each service's metrics.ts.
import { readdir } from 'node:fs/promises'
import type { Metric } from '@wds/telemetry/metrics'

/** A service with what its metrics.ts declares. */
export interface ServiceMetrics {
  service: string
  metrics: readonly Metric[]
}

/** Reads `services/<name>/src/metrics.ts` of every service that has one, in the order of their names. */
export async function readMetrics(root: URL): Promise<ServiceMetrics[]> {
  const found: ServiceMetrics[] = []
  for (const service of (await readdir(new URL('services/', root))).sort()) {
    const files: string[] = await readdir(new URL(`services/${service}/src/`, root)).catch(() => [])
    if (!files.includes('metrics.ts')) continue
    const { metrics } = (await import(new URL(`services/${service}/src/metrics.ts`, root).href)) as Omit<
      ServiceMetrics,
      'service'
    >
    found.push({ service, metrics })
  }
  return found
}

/** One table: each metric once, with the services that have it. Throws when two declarations of one name differ. */
export function metricsPage(services: readonly ServiceMetrics[]): string {
  const byName = new Map<string, { metric: Metric; services: string[] }>()
  for (const { service, metrics } of services) {
    for (const metric of metrics) {
      const known = byName.get(metric.name)
      if (known && known.metric.meaning !== metric.meaning) throw new Error(`${metric.name} is declared twice`)
      if (known) known.services.push(service)
      else byName.set(metric.name, { metric, services: [service] })
    }
  }
  const rows = [...byName.values()].sort((a, b) => (a.metric.name < b.metric.name ? -1 : 1))
  return [
    '# Metrics',
    '',
    'You can look up here what a service measures. The file is made from `services/*/src/metrics.ts` by `npm run generate`.',
    '',
    '`OTEL_METRICS_EXPORTER=prometheus` serves them at `/metrics` of the management listener, `otlp` sends them. For Prometheus dots become underscores and the unit is appended: `http.server.request.duration` is `http_server_request_duration_seconds`.',
    '',
    '| metric | kind | unit | meaning | labels | services |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => rowOf(row.metric, row.services)),
    '',
  ].join('\n')
}

function rowOf(metric: Metric, services: string[]): string {
  const labels = Object.entries<string>(metric.labels).map(([name, meaning]) => `\`${name}\`: ${meaning}`)
  const cells = [
    `\`${metric.name}\``,
    metric.kind,
    metric.unit,
    metric.meaning,
    labels.join('<br>'),
    services.join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
