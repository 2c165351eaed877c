// Compares the metrics that a whole test run emitted with those that the services declare, both ways, by name.

/** Declared metrics that no test can emit yet, with what they wait for. One that is emitted leaves this list. */
export const awaited: Readonly<Record<string, string>> = {}

/** Metrics that tests declare for themselves. */
const ofTests = /(?:^|[._])test(?:$|[._])/

/** Faults of a whole run, each a sentence; none when every declared metric was emitted and every emitted one is declared. */
export function judgeMetrics(o: {
  declared: ReadonlySet<string>
  emitted: ReadonlySet<string>
  waiting?: Readonly<Record<string, string>>
}): string[] {
  const { declared, emitted, waiting = awaited } = o
  const unknown = [...emitted]
    .filter((name) => !declared.has(name) && !ofTests.test(name))
    .map((name) => `${name} was emitted and stands in no metrics.ts`)
  const missing = [...declared]
    .filter((name) => !emitted.has(name) && !Object.hasOwn(waiting, name))
    .map((name) => `${name} was emitted by no test`)
  const stale = Object.keys(waiting)
    .filter((name) => emitted.has(name) || !declared.has(name))
    .map((name) => `${name} need not be awaited any longer (packages/telemetry/src/metric-coverage.ts)`)
  return [...unknown, ...missing, ...stale].sort()
}
