// Where the parts of a line chart stand, in pixels of a box of given size.
import type { Point } from './stats-series.ts'

export interface Box {
  width: number
  height: number
  /** Room for the labels at the left and below. */
  left: number
  bottom: number
}

export interface ChartLayout {
  /** SVG path; broken where nothing is known of a day. */
  path: string
  /** From the lowest value up. */
  ticks: { value: number; y: number }[]
  /** Days that are named below, evenly apart, the last one among them. */
  labels: { day: string; x: number }[]
  places: { day: string; value: number | null; x: number; y: number | null }[]
  /** Where days end that no longer change; null: at none of those shown. */
  finalX: number | null
}

const topMargin = 8
const rightMargin = 12
const labelWidth = 72

export function layChart(points: readonly Point[], box: Box, o: { finalThrough?: string | null } = {}): ChartLayout {
  const most = Math.max(0, ...points.map(({ value }) => value ?? 0))
  const least = Math.min(0, ...points.map(({ value }) => value ?? 0))
  const step = stepOf(most - least)
  const bottom = Math.floor(least / step) * step
  const top = Math.max(Math.ceil(most / step) * step, bottom + step)
  const ground = box.height - box.bottom
  const yOf = (value: number) => round(ground - ((value - bottom) / (top - bottom)) * (ground - topMargin))
  const inner = box.width - box.left - rightMargin
  const xOf = (nth: number) => round(box.left + (points.length < 2 ? inner / 2 : (nth / (points.length - 1)) * inner))
  const places = points.map(({ day, value }, nth) => ({
    day,
    value,
    x: xOf(nth),
    y: value === null ? null : yOf(value),
  }))
  const ticks = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, nth) => bottom + nth * step)
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(inner / labelWidth))))
  const finalNth = o.finalThrough ? points.findLastIndex(({ day }) => day <= (o.finalThrough as string)) : -1
  return {
    path: pathOf(places),
    ticks: ticks.map((value) => ({ value, y: yOf(value) })),
    labels: places.filter((_, nth) => (points.length - 1 - nth) % every === 0).map(({ day, x }) => ({ day, x })),
    places,
    finalX: finalNth < 0 ? null : xOf(finalNth),
  }
}

const round = (value: number) => Math.round(value * 10) / 10

/** 1, 2 or 5 times a power of ten, so that three to six lines stand in the box; whole, since counts and minor units are. */
function stepOf(range: number): number {
  const rough = Math.max(range, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10
  return Math.max(1, factor * power)
}

function pathOf(places: ChartLayout['places']): string {
  let isOpen = false
  return places
    .flatMap(({ x, y }) => {
      const verb = isOpen ? 'L' : 'M'
      isOpen = y !== null
      return y === null ? [] : [`${verb}${x} ${y}`]
    })
    .join('')
}
