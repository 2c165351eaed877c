/**
 * What replays that were asked for amid faults have to have done: I1, I3, I6, I12, I18 and I24 of reliability.md 5. Each delivery that was asked
 * for has one epoch more for each ask that was acknowledged, none of anything else, and each epoch was attempted and ended. It shares no
 * code with the services.
 */
import type { Attempt } from './checker.ts'

/** One replay that somebody wanted; all its requests bear one key. */
export interface ReplayAsk {
  key: string
  /** True: of several deliveries, which the API shows as a resource of its own; false: a retry of one. */
  isOrder: boolean
  /** Deliveries that were named, each delivered by then; empty: those of a period. */
  deliveryIds: readonly string[]
  /** Of delivered ones, by when their events were made. Both ends are in it. */
  period: { sinceMs: number; untilMs: number } | null
  askedMs: number
  /** What became of each request, in their order. 0: no answer. */
  answers: readonly { status: number; body: string }[]
}

export interface ReplayedDelivery {
  deliveryId: string
  eventId: string
  /** Of its event. */
  createdMs: number
  /** When its first epoch succeeded; null: it did not. */
  deliveredMs: number | null
  /** Those that a replay opened. */
  epochs: readonly number[]
  /** Those that ended without success, with a reason. */
  endedEpochs: readonly number[]
}

/** `delivered` and `dead`: what became of the epochs that it opened. */
export interface ShownReplay {
  id: string
  status: string
  openEpochs: number
  opened: number
  delivered: number
  dead: number
}

export interface ReplayHistory {
  asks: readonly ReplayAsk[]
  deliveries: readonly ReplayedDelivery[]
  attempts: readonly Pick<Attempt, 'deliveryId' | 'epoch' | 'hasSucceeded'>[]
  /** Event ids that the receiver saw, repetitions included. */
  arrivals: readonly string[]
  /** Replays that the API shows, and epochs of them whose outcome is not counted. */
  replays: readonly ShownReplay[]
  /** A period has to replay what was delivered so long before it was asked for, and may replay what was delivered later, ms. */
  deliveredBeforeMs: number
}

/** One sentence for each breach; none when all is well. */
export function replayBreachesOf(h: ReplayHistory): string[] {
  return [
    ...countBreaches(h),
    ...halfBreaches(h),
    ...epochBreaches(h),
    ...orderBreaches(h),
    ...shownBreaches(h),
    ...answerBreaches(h),
  ]
}

const isAnswered = ({ status }: { status: number }) => status >= 200 && status < 300
const isSilent = ({ status }: { status: number }) => status === 0 || status >= 500

/** `unknown`: refused behind a request that nobody answered, too, since that one may have taken effect later. */
export function outcomeOf({ answers }: ReplayAsk): 'acknowledged' | 'unknown' | 'refused' {
  if (answers.some(isAnswered)) return 'acknowledged'
  return answers.some(isSilent) ? 'unknown' : 'refused'
}

/** Whether it speaks of a delivery: surely, maybe, or not. */
function meaningOf(
  ask: ReplayAsk,
  one: ReplayedDelivery,
  { deliveredBeforeMs }: ReplayHistory,
): 'all' | 'maybe' | null {
  if (ask.deliveryIds.includes(one.deliveryId)) return 'all'
  const { period } = ask
  if (period === null || one.createdMs < period.sinceMs || one.createdMs > period.untilMs) return null
  return one.deliveredMs !== null && one.deliveredMs < ask.askedMs - deliveredBeforeMs ? 'all' : 'maybe'
}

/** How many epochs a delivery has to have, and may have. */
function boundsOf(one: ReplayedDelivery, h: ReplayHistory): { least: number; most: number } {
  const mine = h.asks.map((ask) => ({ outcome: outcomeOf(ask), meaning: meaningOf(ask, one, h) }))
  return {
    least: mine.filter(({ outcome, meaning }) => outcome === 'acknowledged' && meaning === 'all').length,
    most: mine.filter(({ outcome, meaning }) => outcome !== 'refused' && meaning !== null).length,
  }
}

function countBreaches(h: ReplayHistory): string[] {
  const known = new Set(h.deliveries.map(({ deliveryId }) => deliveryId))
  const named = new Set(h.asks.flatMap(({ deliveryIds }) => deliveryIds))
  const gone = [...named].filter((id) => !known.has(id)).map((id) => `I1: ${id} was to be replayed and is not there`)
  const counted = h.deliveries.flatMap((one) => {
    const { least, most } = boundsOf(one, h)
    const { deliveryId: id, epochs } = one
    if (epochs.length < least)
      return [`I1: ${least} replays of ${id} were acknowledged, ${epochs.length} epochs were opened`]
    if (epochs.length <= most) return []
    return most === 0
      ? [`I6: ${id} was replayed ${epochs.length} times, and nobody asked for it`]
      : [`I18: ${id} was replayed ${epochs.length} times, and asked for ${most} times`]
  })
  return [...gone, ...counted]
}

/** What nobody acknowledged is wholly there or wholly absent. */
function halfBreaches(h: ReplayHistory): string[] {
  const silent = h.asks.filter((ask) => outcomeOf(ask) === 'unknown')
  return silent.flatMap((ask) => {
    const mine = h.deliveries.filter((one) => meaningOf(ask, one, h) === 'all')
    const done = mine.filter((one) => one.epochs.length > boundsOf(one, h).least)
    return done.length === 0 || done.length === mine.length
      ? []
      : [`I24: half an effect: ${ask.key} replayed ${done.length} of ${mine.length} deliveries`]
  })
}

/** Each epoch of a replay was attempted and ended; what it delivered is at the receiver as often. */
function epochBreaches({ deliveries, attempts, arrivals }: ReplayHistory): string[] {
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  const came = Map.groupBy(arrivals, (eventId) => eventId)
  return deliveries.flatMap(({ deliveryId, eventId, epochs, endedEpochs }) => {
    const mine = byDelivery.get(deliveryId) ?? []
    const delivered = new Set(mine.filter(({ hasSucceeded }) => hasSucceeded).map(({ epoch }) => epoch))
    const seen = came.get(eventId)?.length ?? 0
    return [
      ...epochs.flatMap((epoch) => {
        if (!mine.some((one) => one.epoch === epoch))
          return [`I3: epoch ${epoch} of ${deliveryId} was opened and never attempted`]
        const isOver = delivered.has(epoch) || endedEpochs.includes(epoch)
        return isOver ? [] : [`I3: epoch ${epoch} of ${deliveryId} was attempted and has not ended`]
      }),
      ...(epochs.length > 0 && seen < delivered.size
        ? [`I3: ${eventId} was delivered in ${delivered.size} epochs, the receiver saw it ${seen} times`]
        : []),
    ]
  })
}

/** Orders of several deliveries: each is one that was asked for, and is over. */
function orderBreaches({ asks, replays }: ReplayHistory): string[] {
  const untold = replays.filter(({ id }) => !asks.some((ask) => tells(ask, id)))
  const lost = asks.filter((ask) => ask.isOrder && outcomeOf(ask) === 'unknown').length
  return [
    ...replays
      .filter(({ status, openEpochs }) => status !== 'completed' || openEpochs > 0)
      .map(({ id, status, openEpochs }) => `I3: ${id} is ${status} with ${openEpochs} epochs that are not counted`),
    ...(untold.length > lost
      ? [`I18: no answer tells of ${untold.length} replays, and ${lost} had none: ${untold.map(({ id }) => id)}`]
      : []),
  ]
}

/** What an order shows is what the log of deliveries has of its epochs. No two asks speak of the same delivery. */
function shownBreaches(h: ReplayHistory): string[] {
  const ends = new Set(
    h.attempts.filter(({ hasSucceeded }) => hasSucceeded).map((one) => `${one.deliveryId} ${one.epoch}`),
  )
  return h.asks.flatMap((ask) => {
    if (!ask.isOrder || outcomeOf(ask) !== 'acknowledged') return []
    const shown = h.replays.find(({ id }) => tells(ask, id))
    if (shown === undefined) return [`I1: ${ask.key} was acknowledged, and no replay is there that its answer tells of`]
    const mine = h.deliveries.filter((one) => meaningOf(ask, one, h) !== null)
    const epochs = mine.flatMap(({ deliveryId, epochs }) => epochs.map((epoch) => `${deliveryId} ${epoch}`))
    const delivered = epochs.filter((epoch) => ends.has(epoch)).length
    const dead = mine.reduce(
      (sum, one) => sum + one.endedEpochs.filter((epoch) => one.epochs.includes(epoch)).length,
      0,
    )
    const wanted = `${epochs.length} opened, ${delivered} delivered, ${dead} dead`
    const told = `${shown.opened} opened, ${shown.delivered} delivered, ${shown.dead} dead`
    return wanted === told ? [] : [`I12: ${shown.id} shows ${told}, the log of deliveries has ${wanted}`]
  })
}

const tells = ({ answers }: ReplayAsk, id: string) => answers.some((one) => isAnswered(one) && one.body.includes(id))

/** Every answer to a key behind the first good one is that one. */
function answerBreaches({ asks }: ReplayHistory): string[] {
  return asks.flatMap(({ key, answers }) => {
    const nth = answers.findIndex(isAnswered)
    const later = nth < 0 ? [] : answers.slice(nth + 1).filter((one) => !isSilent(one) && one.status !== 429)
    const isOther = later.some(({ status, body }) => status !== answers[nth]?.status || body !== answers[nth]?.body)
    return isOther ? [`I18: ${key} was answered in two ways`] : []
  })
}
