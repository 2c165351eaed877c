/**
 * What has to hold after every fault: what was answered with 200 stands in the streams, the log and the history, once and in
 * order. Names each breach by the invariant of reliability.md 5. It shares no code with the services.
 */

/** What was seen from outside and what the stores hold, once nothing moves any more. */
export interface History {
  /** Every change that was asked for. 0: no answer. */
  writes: { integrationId: string; status: number }[]
  /** Ids of the changes in the API's streams, by integration, in the order of their versions. */
  facts: ReadonlyMap<string, string[]>
  /** The same in the log, in the order of the partition that holds the integration's key, repetitions included. */
  log: ReadonlyMap<string, string[]>
  /** Event ids that the receiver saw, repetitions included. */
  arrivals: string[]
  deliveries: { eventId: string; status: string }[]
  /** Those that count, as the log of deliveries has them; instants in epoch milliseconds. */
  attempts: Attempt[]
  /** `delaysMs[n - 1]` comes before attempt n + 1. */
  delaysMs: readonly number[]
  /** Rows that wait, of all services. */
  outboxRows: number
  /** Attempts that were under way when their outcome was lost. */
  repeatedMax: number
}

/** One attempt of a delivery; `number` from 1 within the epoch. */
export interface Attempt {
  deliveryId: string
  epoch: number
  number: number
  isUnknown: boolean
  hasSucceeded: boolean
  startedMs: number
  endedMs: number
}

/** One sentence for each breach; none when all is well. */
export function breachesOf(h: History): string[] {
  const facts = [...h.facts.values()].flat()
  return [
    ...acknowledgedBreaches(h),
    ...logBreaches(h),
    ...setBreaches('I1: no delivery was made of', facts, new Set(h.deliveries.map(({ eventId }) => eventId))),
    ...repeatedOf(h.deliveries.map(({ eventId }) => eventId)).map((id) => `I1: two deliveries of ${id}`),
    ...h.deliveries
      .filter(({ status }) => status !== 'delivered')
      .map(({ eventId, status }) => `I3: ${eventId} is ${status}`),
    ...setBreaches('I3: the receiver never saw', facts, new Set(h.arrivals)),
    ...setBreaches('I2: nobody wrote', [...new Set(h.arrivals)], new Set(facts)),
    ...numberBreaches(h),
    ...earlyBreaches(h),
    ...tooMany('I8: attempts repeated', h.arrivals.length - new Set(h.arrivals).size, h.repeatedMax),
    ...tooMany('I14: rows in the outbox', h.outboxRows, 0),
  ]
}

/** Each 200 is a fact; a fact without one had an answer that does not say. */
function acknowledgedBreaches({ writes, facts }: History): string[] {
  return [...Map.groupBy(writes, ({ integrationId }) => integrationId)].flatMap(([id, mine]) => {
    const acknowledged = mine.filter(({ status }) => status === 200).length
    const unknown = mine.filter(({ status }) => status === 0 || status >= 500).length
    const stored = facts.get(id)?.length ?? 0
    if (stored < acknowledged) return [`I1: ${id} has ${stored} changes, ${acknowledged} were acknowledged`]
    return stored > acknowledged + unknown
      ? [`I2: ${id} has ${stored} changes, ${acknowledged + unknown} were asked for`]
      : []
  })
}

/** The first copy of each event stands in the order of its stream (architecture.md 5). */
function logBreaches({ facts, log }: History): string[] {
  return [...facts].flatMap(([id, ids]) => {
    const firsts = [...new Set(log.get(id) ?? [])]
    const missing = setBreaches('I1: the log has not got', ids, new Set(firsts))
    if (missing.length > 0) return missing
    return firsts.join() === ids.join() ? [] : [`I13: the log has the changes of ${id} in another order`]
  })
}

/** Attempts of an epoch are numbered 1 to n, 6 at most; nothing follows the one that succeeded. */
function numberBreaches({ attempts }: History): string[] {
  const epochs = Map.groupBy(attempts, ({ deliveryId, epoch }) => `${deliveryId}, epoch ${epoch}`)
  return [...epochs].flatMap(([name, mine]) => {
    const inOrder = mine.toSorted((a, b) => a.number - b.number)
    const numbers = inOrder.map(({ number }) => number)
    const wanted = numbers.map((_, nth) => nth + 1)
    return [
      ...(numbers.join() === wanted.join() && numbers.length <= attemptsMax
        ? []
        : [`I4: ${name} has the attempts ${numbers}`]),
      ...(inOrder.slice(0, -1).some(({ hasSucceeded }) => hasSucceeded)
        ? [`I7: ${name} was tried again after it had succeeded`]
        : []),
    ]
  })
}

const attemptsMax = 6

/** A worker's clock is the database's, read every 10 s, ms. */
const clocksApartMs = 100

/** No attempt is made before its delay has passed, but the one after a first unknown one, which is due at once (settled-points.md 10). */
function earlyBreaches({ attempts, delaysMs }: History): string[] {
  const epochs = Map.groupBy(attempts, ({ deliveryId, epoch }) => `${deliveryId}, epoch ${epoch}`)
  return [...epochs].flatMap(([name, mine]) => {
    const inOrder = mine.toSorted((a, b) => a.number - b.number)
    return inOrder.flatMap(({ number, startedMs }, nth) => {
      const [last, beforeLast] = [inOrder[nth - 1], inOrder[nth - 2]]
      if (last === undefined || (last.isUnknown && !beforeLast?.isUnknown)) return []
      const earlyMs = last.endedMs + (delaysMs[last.number - 1] ?? 0) - clocksApartMs - startedMs
      return earlyMs > 0 ? [`I5: attempt ${number} of ${name} began ${Math.ceil(earlyMs)} ms early`] : []
    })
  })
}

function setBreaches(what: string, wanted: string[], found: ReadonlySet<string>): string[] {
  return wanted.filter((id) => !found.has(id)).map((id) => `${what} ${id}`)
}

function repeatedOf(ids: string[]): string[] {
  const seen = new Set<string>()
  return ids.filter((id) => {
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated
  })
}

function tooMany(what: string, found: number, max: number): string[] {
  return found > max ? [`${what}: ${found}, at most ${max}`] : []
}
