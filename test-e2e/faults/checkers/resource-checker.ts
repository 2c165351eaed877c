/** I22 of reliability.md 5: what processes and queues hold at every sample is within its limit. It shares no code with the services. */

/** A figure at a moment; `what`: `descriptors of api`. */
export interface Sample {
  what: string
  atMs: number
  value: number
}

export interface ResourceHistory {
  samples: readonly Sample[]
  /** Of each figure. One that nobody sampled is a breach, too: it would be within any limit. */
  limits: Readonly<Record<string, number>>
}

/** One sentence for each figure that is not well; none when all is. */
export function resourceBreachesOf({ samples, limits }: ResourceHistory): string[] {
  const figures = Map.groupBy(samples, ({ what }) => what)
  const unknown = [...figures.keys()].filter((what) => limits[what] === undefined)
  return [
    ...unknown.map((what) => `I22: ${what} has no limit`),
    ...Object.entries(limits).flatMap(([what, limit]) => {
      const taken = figures.get(what) ?? []
      if (taken.length === 0) return [`I22: nobody sampled ${what}`]
      // A figure that is none, as of a process that ended meanwhile, is not below its limit.
      const over = taken.filter(({ value }) => !(value <= limit))
      if (over.length === 0) return []
      const most = Math.max(...over.map(({ value }) => value))
      const first = new Date(over[0]?.atMs ?? 0).toISOString()
      return [
        `I22: ${what}: ${most}, at most ${limit}, in ${over.length} of ${taken.length} samples, first at ${first}`,
      ]
    }),
  ]
}

/** The highest value of each figure. */
export function peaksOf(samples: readonly Sample[]): Map<string, number> {
  return new Map(
    [...Map.groupBy(samples, ({ what }) => what)].map(([what, taken]) => [
      what,
      taken.reduce((most, { value }) => Math.max(most, value), 0),
    ]),
  )
}
