// Declares metrics and records them. A service's metrics.ts lists what it has; without a reader (stack.md 8.1) recording costs a
// look at one variable. A label has few values: never a workspace, a subscription or a URL (stack.md 8.8).

import { channel } from 'node:diagnostics_channel'
import { errorTypeOf } from './spans.ts'

export type MetricKind = 'counter' | 'histogram' | 'gauge'

/** What a metric is. `wds_…` names are ours and the same for every reader; dotted ones are of the semantic conventions. */
export interface MetricDeclaration<L extends string = string> {
  name: string
  /** UCUM: `s`, `By`, `1`, or a word in braces for what is counted. */
  unit: string
  /** Each label with what its values are. */
  labels: Readonly<Record<L, string>>
  meaning: string
}

/** Upper bounds of a histogram's buckets, rising, in its unit. */
export type Buckets = readonly number[]

export type Labels<L extends string> = Readonly<Partial<Record<L, string | number | boolean | undefined>>>

interface Declared<L extends string> extends MetricDeclaration<L> {
  readonly kind: MetricKind
}

/** Rises only. */
export interface Counter<L extends string> extends Declared<L> {
  readonly kind: 'counter'
  add(value: number, labels?: Labels<L>): void
}

/** Distribution of values. */
export interface Histogram<L extends string> extends Declared<L> {
  readonly kind: 'histogram'
  readonly buckets: Buckets
  record(value: number, labels?: Labels<L>): void
}

/** A value of the moment, asked for when somebody reads: see `observe`. */
export interface Gauge<L extends string> extends Declared<L> {
  readonly kind: 'gauge'
}

/** Any metric, as a table or a test sees it. */
export type Metric = Declared<never> & { readonly buckets?: Buckets }

/** Where records go. Installed once, by the preload. */
export interface Meter {
  counter(metric: Metric): (value: number, labels: object) => void
  histogram(metric: Metric): (value: number, labels: object) => void
  /** Asks `read` whenever somebody reads; returns how to end that. */
  observe(gauges: readonly Metric[], read: (report: Report) => Promise<void>): () => void
  /** The text for a scrape; null when nobody is to scrape. */
  scrape: (() => Promise<string>) | null
}

/** Told `{ name }` of each record, for the comparison of what is declared with what the tests emitted; nobody listens elsewhere. */
const emitted = channel('wds.metric')

let meter: Meter | null = null

/** Makes what is recorded go to this meter, null for nowhere. For the preload, before metrics are recorded, and for tests. */
export function installMeter(installed: Meter | null): void {
  meter = installed
}

/** Whether somebody may read metrics of this process. */
export function isMetering(): boolean {
  return meter !== null
}

/** Declares a counter. */
export function counter<L extends string = never>(declaration: MetricDeclaration<L>): Counter<L> {
  const metric = { ...declaration, kind: 'counter' as const }
  return { ...metric, add: recorder<L>(metric.name, (to) => to.counter(metric)) }
}

/** Declares a histogram. */
export function histogram<L extends string = never>(
  declaration: MetricDeclaration<L> & { buckets: Buckets },
): Histogram<L> {
  const metric = { ...declaration, kind: 'histogram' as const }
  return { ...metric, record: recorder<L>(metric.name, (to) => to.histogram(metric)) }
}

/** Declares a gauge. */
export function gauge<L extends string = never>(declaration: MetricDeclaration<L>): Gauge<L> {
  return { ...declaration, kind: 'gauge' }
}

const none = {}

/** Binds to the meter at the first record. */
function recorder<L extends string>(name: string, bind: (to: Meter) => (value: number, labels: object) => void) {
  let boundTo: Meter | null = null
  let write: (value: number, labels: object) => void = () => undefined
  return (value: number, labels?: Labels<L>): void => {
    if (emitted.hasSubscribers) emitted.publish({ name })
    if (meter === null) return
    if (meter !== boundTo) {
      write = bind(meter)
      boundTo = meter
    }
    write(value, labels ?? none)
  }
}

/** Gives the value of a gauge, once for each set of labels; 0 for a set that is empty now, since readers keep what they know. */
export type Report = <L extends string>(gauge: Gauge<L>, value: number, labels?: Labels<L>) => void

/**
 * Says how to read gauges: `read` runs whenever somebody reads metrics, and never otherwise. Its fault costs these values this
 * time and is told to `onError`. Returns how to end it.
 */
export function observe(
  gauges: readonly Gauge<never>[],
  o: { read(report: Report): Promise<void> | void; onError(error: unknown): void },
): () => void {
  if (meter === null) return () => undefined
  return meter.observe(gauges, async (report) => {
    try {
      await o.read(report)
    } catch (error) {
      o.onError(error)
    }
  })
}

/** The metrics as text for Prometheus; null when OTEL_METRICS_EXPORTER does not name it. */
export function scrape(): Promise<string> | null {
  return meter?.scrape?.() ?? null
}

/** The content type of `scrape`. */
export const scrapeContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Runs `fn` and records its seconds, failed or not; a failure adds `error.type`. */
export async function timed<T, L extends string>(
  to: Histogram<L | 'error.type'>,
  labels: Labels<L | 'error.type'>,
  fn: () => Promise<T>,
): Promise<T> {
  if (meter === null) return fn()
  const startedMs = performance.now()
  try {
    const result = await fn()
    to.record((performance.now() - startedMs) / 1_000, labels)
    return result
  } catch (error) {
    to.record((performance.now() - startedMs) / 1_000, { ...labels, 'error.type': errorTypeOf(error) })
    throw error
  }
}
