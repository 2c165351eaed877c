/** I18 and I20 of reliability.md 5: what a key of idempotency did, and how many requests a quota let through. It shares no code with the services. */

/** A request with an `Idempotency-Key`. */
export interface KeyedCall {
  client: string
  key: string
  /** 0: no answer. */
  status: number
  /** What a 2xx answer said. */
  body: string
}

/** Something that was made. `key`: of the call that an answer names for it; null: no answer tells of it. */
export interface Effect {
  client: string
  key: string | null
}

/** Requests of one caller at one service, as it was asked. */
export interface QuotaHistory {
  caller: string
  /** Requests in a window. */
  quota: number
  windowMs: number
  /** When each accepted one was sent and answered, epoch milliseconds of the harness. */
  accepted: readonly { sentMs: number; answeredMs: number }[]
}

/** One sentence for each breach of I18; none when all is well. */
export function keyBreachesOf({
  calls,
  effects,
}: {
  calls: readonly KeyedCall[]
  effects: readonly Effect[]
}): string[] {
  const nameOf = ({ client, key }: { client: string; key: string | null }) => `${client} ${key}`
  const answered = calls.filter(({ status }) => status >= 200 && status < 300)
  // What was done once is never refused later, but for what says that it may be asked again.
  const told = [...Map.groupBy(calls, nameOf)].flatMap(([name, mine]) => {
    const nth = mine.findIndex((call) => answered.includes(call))
    const later =
      nth < 0 ? [] : mine.slice(nth + 1).filter(({ status }) => status > 0 && status < 500 && status !== 429)
    return later.some(({ body }) => body !== mine[nth]?.body) ? [`I18: ${name} was answered in two ways`] : []
  })
  const keyed = effects.filter(({ key }) => key !== null)
  const doubled = [...Map.groupBy(keyed, nameOf)]
    .filter(([, list]) => list.length > 1)
    .map(([name, list]) => `I18: ${name} took effect ${list.length} times`)
  // A key of which every answer was lost may have had one effect.
  const lost = (client: string) => {
    const mine = calls.filter((call) => call.client === client)
    const known = new Set(mine.filter((call) => answered.includes(call)).map(({ key }) => key))
    return new Set(mine.flatMap(({ key }) => (known.has(key) ? [] : [key]))).size
  }
  const untold = [
    ...Map.groupBy(
      effects.filter(({ key }) => key === null),
      ({ client }) => client,
    ),
  ]
    .filter(([client, list]) => list.length > lost(client))
    .map(([client, list]) => `I18: ${client} has ${list.length} effects that no answer tells of`)
  const there = new Set(keyed.map(nameOf))
  const missing = [...new Set(answered.map(nameOf))]
    .filter((name) => !there.has(name))
    .map((name) => `I1: ${name} was answered and has no effect`)
  return [...told, ...doubled, ...untold, ...missing]
}

/** The same of I20. Windows are of the database's clock, which is the harness's, and begin at whole multiples of their length. */
export function quotaBreachesOf({ caller, quota, windowMs, accepted }: QuotaHistory): string[] {
  if (accepted.length === 0) return []
  const windowOf = (ms: number) => Math.floor(ms / windowMs)
  const first = Math.min(...accepted.map(({ sentMs }) => windowOf(sentMs)))
  const last = Math.max(...accepted.map(({ answeredMs }) => windowOf(answeredMs)))
  // Of any windows that follow each other: few requests in some do not make room for many in another one.
  for (let from = first; from <= last; from += 1) {
    for (let to = from; to <= last; to += 1) {
      const windows = to - from + 1
      const inside = accepted.filter(({ sentMs, answeredMs }) => windowOf(sentMs) >= from && windowOf(answeredMs) <= to)
      if (inside.length > quota * windows * 1.05)
        return [`I20: ${caller} had ${inside.length} requests of ${quota} in each of ${windows} windows`]
    }
  }
  return []
}
