// Keeps, for each bucket of a histogram, the last recorded trace whose value fell into it: what a scrape hands out beside the bucket, so
// that a slow bucket of a chart leads to a trace that was slow. Only traces that somebody records are kept. Apart from metrics.ts, which
// the preload must not load; the SDK for JavaScript has no exemplars.

import { parseTraceparent } from './trace-context.ts'

/** A value with the span that it is of. */
export interface Exemplar {
  traceId: string
  spanId: string
  value: number
  /** Epoch ms. */
  atMs: number
}

/** Of one set of labels: by place of the bucket, the last place for what is above every bound. */
export type BucketExemplars = readonly (Exemplar | undefined)[]

export interface Exemplars {
  /** Keeps the value where its `traceparent` is recorded (flag 01); `bounds` rise. */
  keep(o: {
    name: string
    bounds: readonly number[]
    value: number
    labels: object
    traceparent: string | undefined
  }): void
  /** What is kept of a histogram, by its declared name, for these labels. */
  of(name: string, labels: object): BucketExemplars
}

/**
 * Sets of labels of one metric that are kept apart between two readings, five times what the SDK does by itself: the routes of a service, each
 * with every status that it may have, are some thousands.
 */
export const labelSetsMax = 10_000

/** `most`: sets of labels of each histogram; beyond it nothing new is kept. */
export function createExemplars(o: { nowMs(): number; most?: number }): Exemplars {
  const { nowMs, most = labelSetsMax } = o
  const kept = new Map<string, Map<string, (Exemplar | undefined)[]>>()
  return {
    keep({ name, bounds, value, labels, traceparent }) {
      const parsed = parseTraceparent(traceparent)
      if (parsed === null || (parsed.flags & 1) === 0) return
      const sets = kept.get(name) ?? new Map<string, (Exemplar | undefined)[]>()
      kept.set(name, sets)
      const key = keyOf(labels)
      const buckets = sets.get(key) ?? []
      if (buckets.length === 0) {
        if (sets.size >= most) return
        sets.set(key, buckets)
      }
      const place = bounds.findIndex((bound) => value <= bound)
      const { traceId, spanId } = parsed
      buckets[place === -1 ? bounds.length : place] = { traceId, spanId, value, atMs: nowMs() }
    },
    of: (name, labels) => kept.get(name)?.get(keyOf(labels)) ?? [],
  }
}

function keyOf(labels: object): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

let installed: Exemplars | null = null

/** Makes histograms keep exemplars here, null for none. For the preload and for tests. */
export function installExemplars(exemplars: Exemplars | null): void {
  installed = exemplars
}

/** Keeps an exemplar when somebody scrapes this process. */
export function keepExemplar(o: Parameters<Exemplars['keep']>[0]): void {
  installed?.keep(o)
}
