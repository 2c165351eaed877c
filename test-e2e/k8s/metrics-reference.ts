// The metrics of the reference under the names that Prometheus shows, with their labels; and what a query asks for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, '../../packages/docs/reference/metrics.md'), 'utf8')
const unitSuffixes: Record<string, string> = { s: '_seconds', By: '_bytes' }
const dotless = (name: string) => name.replaceAll('.', '_')

/** Labels by the name of a series. A histogram has three, and `le`. */
export const referenceMetrics: ReadonlyMap<string, string[]> = new Map(
  [...page.matchAll(/^\| `([a-z0-9_.]+)` \| (\w+) \| (\S+) \| .*$/gm)].flatMap(([row, name = '', kind, unit = '']) => {
    const labels = [...(row.split(' | ')[4] ?? '').matchAll(/(?:^|<br>)`([a-z0-9_.]+)`:/g)].map(([, label = '']) =>
      dotless(label),
    )
    const suffix = unitSuffixes[unit] ?? ''
    const plain = dotless(name)
    const shown = plain.endsWith(suffix) ? plain : `${plain}${suffix}`
    if (kind === 'histogram')
      return ['bucket', 'count', 'sum'].map((part): [string, string[]] => [`${shown}_${part}`, [...labels, 'le']])
    return [[kind === 'counter' && !shown.endsWith('_total') ? `${shown}_total` : shown, labels]]
  }),
)

/** What Prometheus puts on the series of a target (pod-monitor.yaml). */
export const targetLabels = ['app_kubernetes_io_name', 'app_kubernetes_io_component', 'pod', 'namespace']

/** Of the platform: kube-state-metrics, cert-manager, CloudNativePG. */
export const platformMetrics = /^(?:kube_|certmanager_|cnpg_)/

/** The names in a query that are neither functions, labels nor values: its metrics. */
export function metricsIn(query: string): string[] {
  const bare = query
    .replace(/"[^"]*"/g, '')
    .replace(/\b(?:by|ignoring|on|without) \([^)]*\)/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*_[a-z0-9_]+\b(?!\()/g)].map(([name]) => name)
}

/** The labels by which a query groups, matches and selects. */
export function labelsIn(query: string): string[] {
  const grouped = [...query.matchAll(/\b(?:by|ignoring|on|without) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )
  const selected = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
    [...inner.matchAll(/([a-z0-9_]+)(?:=|!)/g)].map(([, label = '']) => label),
  )
  return [...new Set([...grouped, ...selected])]
}

/** What of a query no metric of ours has: names that nobody emits, and labels that none of its metrics bears. */
export function unknownIn(query: string): string[] {
  const names = metricsIn(query)
  const unknown = names.filter((name) => !referenceMetrics.has(name) && !platformMetrics.test(name))
  // Which labels the platform's metrics have, the reference does not say.
  if (names.some((name) => platformMetrics.test(name))) return unknown
  const labels = new Set([...names.flatMap((name) => referenceMetrics.get(name) ?? []), ...targetLabels])
  return [...unknown, ...labelsIn(query).filter((label) => !labels.has(label))]
}
