/** What a measurement is: a name, how it is run, and lines for the table. */
import type { Broker } from '../rig.ts'
import { rounded } from '../statistics.ts'

/** How long and how large measurements are. */
export interface MeasureSizes {
  /** Length of a window. */
  seconds: number
  /** Measured repetitions, after one that is dropped. */
  repetitions: number
  /** Of the history that is made for `history`. */
  deliveries: number
  /** Of stats, for `stats`: a whole number of millions. */
  rows: number
  /** Endpoints that hang in `first-hang`. */
  hanging: number
  /** Events of the burst of `wide-burst`. */
  burst: number
  /** Deliveries that `replay` and `replay-beside` send again. */
  replayed: number
}

export interface MeasureContext extends MeasureSizes {
  broker: Broker
  say(line: string): void
}

export interface Line {
  measure: string
  value: number
  unit: string
  /** Least and greatest of the repetitions. */
  range?: [number, number]
  /** What it is held to, and whether it holds. Of calls, deliveries and latency: decision 14, below what delivery.md 5 asks for. */
  floor?: { value: number; holds: boolean }
}

export interface Measure {
  name: string
  meaning: string
  run(context: MeasureContext): Promise<Line[]>
}

/** Median (of an even number the mean of the two in the middle), least and greatest. */
export function spread(values: readonly number[]): { median: number; range: [number, number] } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const median = rounded((at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2, 2)
  return { median, range: [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN] }
}

export const atLeast = (value: number, floor: number) => ({ value: floor, holds: value >= floor })
export const atMost = (value: number, floor: number) => ({ value: floor, holds: value <= floor })
