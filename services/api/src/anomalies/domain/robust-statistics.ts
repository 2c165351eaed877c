// Medians, which one outlier does not move (domain.md 8.2).

/** The middle of the values, of an even number the mean of the two in the middle. There is at least one. */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no median of nothing')
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** By weekday, 0 to 6: how far its median lies from that of all days; 0 for one without a day. */
export function weekdayFactors(days: readonly { weekday: number; y: number }[]): (weekday: number) => number {
  const all = medianOf(days.map(({ y }) => y))
  const factors = Array.from({ length: 7 }, (_, weekday) => {
    const own = days.filter((day) => day.weekday === weekday).map(({ y }) => y)
    return own.length === 0 ? 0 : medianOf(own) - all
  })
  return (weekday) => factors[weekday] ?? 0
}
