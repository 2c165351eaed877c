// Declares metrics and records them. A service's metrics.ts lists what it has; without a reader (stack.md 8.1) recording costs a
// look at one variable. A label has few values: never a workspace, a subscription or a URL (stack.md 8.8).

import { channel } from 'node:diagnostics_channel'
import { type Attributes, type BatchObservableCallback, createNoopMeter, metrics } from '@opentelemetry/api'
import { keepExemplar } from './exemplars.ts'
import { LogThrottle } from './log-throttle.ts'
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
  /** Shows the series at 0 from now on. Else it appears with its first count, which `increase()` of Prometheus does not see. */
  begin(labels?: Labels<L>): void
}

/** Distribution of values. */
export interface Histogram<L extends string> extends Declared<L> {
  readonly kind: 'histogram'
  readonly buckets: Buckets
  /** `traceparent`: of the span that the value is of, by which a chart leads to its trace. */
  record(value: number, labels?: Labels<L>, traceparent?: string): void
}

/** A value of the moment, asked for when somebody reads: see `observe`. */
export interface Gauge<L extends string> extends Declared<L> {
  readonly kind: 'gauge'
}

/** Any metric, as a table or a test sees it. */
export type Metric = Declared<never> & { readonly buckets?: Buckets }

/** Told `{ name }` of each record, for the comparison of what is declared with what the tests emitted; nobody listens elsewhere. */
const emitted = channel('wds.metric')

/** The preload has set the provider before any program is loaded: without it this is the API's meter that does nothing. */
const meter = metrics.getMeter('wds')
const metering = meter !== createNoopMeter()

/** Whether somebody may read metrics of this process. */
export function isMetering(): boolean {
  return metering
}

/** Declares a counter. */
export function counter<L extends string = never>(declaration: MetricDeclaration<L>): Counter<L> {
  const made = meter.createCounter(declaration.name, optionsOf(declaration))
  const add = recorder<L>(declaration.name, (value, labels) => made.add(value, labels))
  const begin = (labels?: Labels<L>) => {
    if (metering) made.add(0, attributesOf(labels))
  }
  return { ...declaration, kind: 'counter', add, begin }
}

/** Declares a histogram. */
export function histogram<L extends string = never>(
  declaration: MetricDeclaration<L> & { buckets: Buckets },
): Histogram<L> {
  const advice = { explicitBucketBoundaries: [...declaration.buckets] }
  const made = meter.createHistogram(declaration.name, { ...optionsOf(declaration), advice })
  const { name, buckets: bounds } = declaration
  const record = recorder<L>(name, (value, labels, traceparent) => {
    made.record(value, labels)
    if (traceparent !== undefined) keepExemplar({ name, bounds, value, labels, traceparent })
  })
  return { ...declaration, kind: 'histogram', record }
}

/** Declares a gauge. */
export function gauge<L extends string = never>(declaration: MetricDeclaration<L>): Gauge<L> {
  return { ...declaration, kind: 'gauge' }
}

function recorder<L extends string>(
  name: string,
  write: (value: number, labels: Attributes, traceparent?: string) => void,
) {
  return (value: number, labels?: Labels<L>, traceparent?: string): void => {
    if (emitted.hasSubscribers) emitted.publish({ name })
    if (metering) write(value, attributesOf(labels), traceparent)
  }
}

function optionsOf(metric: MetricDeclaration<never>) {
  return { description: metric.meaning, unit: metric.unit }
}

/** Without the labels that are not there: a reader would take them for empty ones. */
function attributesOf(labels: object = {}): Attributes {
  for (const value of Object.values(labels)) {
    if (value === undefined) return Object.fromEntries(Object.entries(labels).filter((entry) => entry[1] !== undefined))
  }
  return labels as Attributes
}

/** Gives the value of a gauge, once for each set of labels; 0 for a set that is empty now, since readers keep what they know. */
export type Report = <L extends string>(gauge: Gauge<L>, value: number, labels?: Labels<L>) => void

/**
 * Says how to read gauges: `read` runs whenever somebody reads metrics, and never otherwise. Its fault costs these values this
 * time and is told to `onError`, the first of those in a row. Returns how to end it.
 */
export function observe(
  gauges: readonly Gauge<never>[],
  o: { read(report: Report): Promise<void> | void; onError(error: unknown): void },
): () => void {
  if (!metering) return () => undefined
  const made = new Map(
    gauges.map((metric) => [metric.name, meter.createObservableGauge(metric.name, optionsOf(metric))]),
  )
  const throttle = new LogThrottle()
  const read: BatchObservableCallback = async (result) => {
    try {
      await o.read(({ name }, value, labels) => {
        const instrument = made.get(name)
        if (emitted.hasSubscribers) emitted.publish({ name })
        if (instrument) result.observe(instrument, value, attributesOf(labels))
      })
      throttle.over()
    } catch (error) {
      throttle.wrong(() => o.onError(error))
    }
  }
  meter.addBatchObservableCallback(read, [...made.values()])
  return () => meter.removeBatchObservableCallback(read, [...made.values()])
}

/** Runs `fn` and records its seconds, failed or not; a failure adds `error.type`. */
export async function timed<T, L extends string>(
  to: Histogram<L | 'error.type'>,
  labels: Labels<L | 'error.type'>,
  fn: () => Promise<T>,
): Promise<T> {
  if (!metering) return fn()
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
