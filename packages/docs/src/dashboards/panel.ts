// What a dashboard says, before it is Grafana's JSON: rows of panels, and the queries that most of them consist of.

/** Grafana's units: seconds, per second, bytes, a share of 1, a plain number. */
export type Unit = 's' | 'ops' | 'bytes' | 'percentunit' | 'short'

export interface Panel {
  title: string
  /** What somebody does who sees it rise; shown behind the panel's sign. */
  meaning: string
  unit: Unit
  /** PromQL by its legend, in which `{{label}}` stands for a label's value. */
  queries: Record<string, string>
  /** Where an alert of alerts.yaml fires: a line in the panel. */
  alertAt?: number
}

export interface Dashboard {
  /** Names the file and the address. */
  name: string
  title: string
  rows: Panel[][]
}

/** The label that says which service it was (pod-monitor.yaml). */
export const service = 'app_kubernetes_io_name'
export const byService = `{{${service}}}`

const sum = (by: string, what: string) => (by === '' ? `sum(${what})` : `sum by (${by}) (${what})`)

/** Per second; `selector` as in PromQL. */
export const rate = (metric: string, by = '', selector = ''): string =>
  sum(by, `rate(${metric}${selector}[$__rate_interval])`)

/** How long it took all but a share of them, from the buckets of a histogram. */
export const quantile = (share: number, metric: string, by = ''): string =>
  `histogram_quantile(${share}, ${sum(by === '' ? 'le' : `${by}, le`, `rate(${metric}_bucket[$__rate_interval])`)})`

export const max = (metric: string, by = ''): string => (by === '' ? `max(${metric})` : `max by (${by}) (${metric})`)
export const total = (metric: string, by = ''): string => sum(by, metric)
