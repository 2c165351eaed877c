/**
 * What has to hold after every fault: what was answered with 200 stands in the streams, the log and the history, once and in
 * order. Names each breach by the invariant of reliability.md 5. It shares no code with the services.
 */

/** What was seen from outside and what the stores hold, once nothing moves any more. */
export interface History {
  /** Every change that was asked for: of the name, and of a tag of the same text. 0: no answer. */
  writes: { integrationId: string; name: string; status: number }[]
  /** Ids of the changes in the API's streams, by integration, in the order of their versions. */
  facts: ReadonlyMap<string, string[]>
  /** What each of them changed, by its id. */
  said: ReadonlyMap<string, { name: string | null; tag: string | null }>
  /** The same in the log, in the order of the partition that holds the integration's key, repetitions included. */
  log: ReadonlyMap<string, string[]>
  /** Event ids that the receiver saw, repetitions included. */
  arrivals: string[]
  /** Requests that the log of deliveries knows of, by event. */
  sent: ReadonlyMap<string, number>
  /** Requests that it may have forgotten: a restored backup has not got them. Default 0. */
  unrecordedMax?: number
  deliveries: { eventId: string; status: string }[]
  /** Those that count, as the log of deliveries has them; instants in epoch milliseconds. */
  attempts: Attempt[]
  /** `delaysMs[n - 1]` comes before attempt n + 1. */
  delaysMs: readonly number[]
  /** Rows that wait after a drain, by service. */
  outboxRows: Readonly<Record<string, number>>
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
  const delivered = new Set(h.deliveries.map(({ eventId }) => eventId))
  const acknowledged = new Set(acknowledgedFacts(h))
  // What nobody acknowledged is wholly there or wholly absent: all that follows its first trace has to be there, too.
  const lostOf = (invariant: string, what: string, found: ReadonlySet<string>) => [
    ...setBreaches(`${invariant}: ${what}`, [...acknowledged], found),
    ...setBreaches(
      `I24: half an effect: ${what}`,
      facts.filter((id) => !acknowledged.has(id)),
      found,
    ),
  ]
  const inLog = [...new Set([...h.log.values()].flat())]
  return [
    ...[...new Set([...h.facts.keys(), ...h.writes.map((write) => write.integrationId)])].flatMap((id) =>
      changeBreaches(h, id),
    ),
    ...lostOf('I1', 'the log has not got', new Set(inLog)),
    ...setBreaches('I2: the log has what no stream has:', inLog, new Set(facts)),
    ...orderBreaches(h),
    ...lostOf('I1', 'no delivery was made of', delivered),
    ...repeatedOf(h.deliveries.map(({ eventId }) => eventId)).map((id) => `I1: two deliveries of ${id}`),
    ...h.deliveries
      .filter(({ status }) => status !== 'delivered')
      .map(({ eventId, status }) => `I3: ${eventId} is ${status}`),
    ...lostOf('I3', 'the receiver never saw', new Set(h.arrivals)),
    ...setBreaches('I2: nobody wrote', [...new Set(h.arrivals)], new Set(facts)),
    ...setBreaches('I2: a delivery of what nobody wrote:', [...delivered], new Set(facts)),
    ...requestBreaches(h),
    ...numberBreaches(h),
    ...earlyBreaches(h),
    ...repeatBreaches(h),
    ...Object.entries(h.outboxRows)
      .filter(([, rows]) => rows > 0)
      .map(([service, rows]) => `I14: rows in the outbox of ${service}: ${rows}`),
  ]
}

function acknowledgedFacts({ writes, facts, said }: History): string[] {
  const names = new Set(writes.filter(({ status }) => status === 200).map((write) => nameOf(write)))
  return [...facts].flatMap(([integrationId, ids]) =>
    ids.filter((id) => names.has(nameOf({ integrationId, name: said.get(id)?.name ?? '' }))),
  )
}

const nameOf = ({ integrationId, name }: { integrationId: string; name: string }) => `${name} of ${integrationId}`

/** Each 200 is a fact, once; a fact without one had an answer that does not say, and is whole. */
function changeBreaches({ writes, facts, said }: History, integrationId: string): string[] {
  const mine = writes.filter((write) => write.integrationId === integrationId)
  const asked = Map.groupBy(mine, ({ name }) => name)
  const stored = (facts.get(integrationId) ?? []).map((id) => said.get(id) ?? { name: null, tag: null })
  const names = stored.map(({ name }) => name)
  const isAcknowledged = (name: string) => asked.get(name)?.some(({ status }) => status === 200)
  const isUnknown = (name: string) => asked.get(name)?.some(({ status }) => status === 0 || status >= 500)
  return [
    ...[...asked.keys()]
      .filter((name) => isAcknowledged(name) && !names.includes(name))
      .map((name) => `I1: ${name} of ${integrationId} was acknowledged and is not there`),
    ...stored.flatMap(({ name, tag }) => {
      if (name !== tag) return [`I24: of one change of ${integrationId} the name is ${name}, the tag ${tag}`]
      return name !== null && (isAcknowledged(name) || isUnknown(name))
        ? []
        : [`I2: ${name} of ${integrationId} is there, and was ${asked.has(name ?? '') ? 'refused' : 'never asked for'}`]
    }),
    ...repeatedOf(names.map(String)).map((name) => `I2: ${name} of ${integrationId} took effect twice`),
  ]
}

/** The first copy of each event stands in the order of its stream (architecture.md 5). */
function orderBreaches({ facts, log }: History): string[] {
  return [...facts].flatMap(([id, ids]) => {
    const firsts = [...new Set(log.get(id) ?? [])].filter((event) => ids.includes(event))
    const wanted = ids.filter((event) => firsts.includes(event))
    return firsts.join() === wanted.join() ? [] : [`I13: the log has the changes of ${id} in another order`]
  })
}

/** Each request of an event has an attempt (two of them only with the mark of F33, which counts twice). */
function requestBreaches({ arrivals, sent, unrecordedMax = 0 }: History): string[] {
  const beyond = [...Map.groupBy(arrivals, (id) => id)]
    .map(([id, all]) => ({ id, came: all.length, known: sent.get(id) ?? 0 }))
    .filter(({ came, known }) => came > known)
  const unrecorded = beyond.reduce((sum, { came, known }) => sum + came - known, 0)
  if (unrecorded <= unrecordedMax) return []
  return beyond.map(({ id, came, known }) => `I2: ${id} came ${came} times, attempts know of ${known}`)
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
      const at = new Date(startedMs).toISOString()
      return earlyMs > 0 ? [`I5: attempt ${number} of ${name} began ${Math.ceil(earlyMs)} ms early, at ${at}`] : []
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

/** The same event comes again only where an attempt was lost. */
function repeatBreaches({ arrivals, repeatedMax }: History): string[] {
  const again = repeatedOf(arrivals)
  return again.length > repeatedMax
    ? [`I8: attempts repeated: ${again.length}, at most ${repeatedMax}: ${[...new Set(again)].join(', ')}`]
    : []
}
