// For tests: what has to hold of every claim, start and end of an attempt (reliability.md 5), judged from what happened alone, with no
// help of the core. Each breach is an error with the number of the invariant.
import type { AttemptEnd } from './domain/settlement.ts'
import type { Delivery, Ended, Lane, LaneStore, Lease } from './lane-store.fixture.ts'

const minute = 60_000
const delaysMs = [0.5, 2, 10, 60, 360].map((minutes) => minutes * minute)
const attemptsMax = 6
const retryAfterMaxMs = 24 * 60 * minute

interface Known {
  epoch: number
  /** Attempts of the epoch that count. */
  counted: number
  isUnknown: boolean
  notBeforeMs: number
  /** Its jitter included; a lane may be full. */
  dueMs: number
  /** The receiver took it with a 2xx in this epoch. */
  isTaken: boolean
}

interface KnownLane {
  unreachable: number
  isHalfOpen: boolean
  /** 2 when it is opened, 1 when it becomes half open, and one more with each success. */
  cap: number
}

export class Oracle {
  readonly #deliveries = new Map<Delivery, Known>()
  readonly #lanes = new Map<Lane, KnownLane>()
  readonly #disabled = new Set<Lane>()
  readonly #store: LaneStore
  /** From then on nothing fails: lateness counts. */
  healedMs = Infinity
  latestMs = 0
  readonly seen = new Set<string>()

  constructor(store: LaneStore) {
    this.#store = store
  }

  opened(delivery: Delivery, nowMs: number): void {
    const { epoch } = delivery.state
    this.#deliveries.set(delivery, {
      epoch,
      counted: 0,
      isUnknown: false,
      notBeforeMs: nowMs,
      dueMs: nowMs,
      isTaken: false,
    })
    this.#judgePlace(delivery)
  }

  disabled(lane: Lane): void {
    this.#disabled.add(lane)
  }

  enabled(lane: Lane): void {
    this.#disabled.delete(lane)
    this.#lanes.delete(lane)
  }

  taken(delivery: Delivery, epoch: number): void {
    const known = this.#of(delivery)
    if (known.epoch === epoch) known.isTaken = true
  }

  claimed(leases: readonly Lease[], nowMs: number): void {
    for (const { delivery, attempt, epoch } of leases) {
      const known = this.#of(delivery)
      const { lane, state } = delivery
      hold(!this.#disabled.has(lane), 'I7: claimed though its subscription is disabled')
      hold(state.status !== 'delivered' && state.status !== 'dead', `I7: claimed though ${state.status}`)
      hold(epoch === known.epoch, 'I4: an attempt of another epoch')
      hold(attempt === known.counted + 1, `I4: attempt ${attempt} follows ${known.counted}`)
      hold(attempt <= attemptsMax, `I4: attempt ${attempt}`)
      const earlyMs = known.notBeforeMs - nowMs
      hold(earlyMs <= 0, `I5: attempt ${attempt} began ${earlyMs} ms early`)
      if (nowMs > this.healedMs) this.latestMs = Math.max(this.latestMs, nowMs - Math.max(known.dueMs, this.healedMs))
      this.#judgePlace(delivery)
    }
    for (const lane of new Set(leases.map(({ delivery }) => delivery.lane))) {
      const underWay = [...this.#store.leases.values()].filter(({ delivery }) => delivery.lane === lane).length
      hold(underWay === lane.inFlight, `I22: ${underWay} under way, counted ${lane.inFlight}`)
      hold(underWay <= lane.maxInFlight, `I22: ${underWay} under way of ${lane.maxInFlight}`)
      hold(!this.#laneOf(lane).isHalfOpen || underWay <= 1, 'breaker: more than one probe under way')
    }
  }

  /** `isHeld`: its lease was not lost. `isOurs`: our own stop cut it off. */
  settled(
    lease: Lease,
    o: { ended: Ended; end: AttemptEnd; isHeld: boolean; isOurs: boolean; isWritten: boolean; nowMs: number },
  ): void {
    const { delivery, attempt } = lease
    const { ended, nowMs } = o
    hold(o.isWritten === o.isHeld, 'I7: a late worker wrote')
    hold(!o.isOurs || ended.kind === 'attempt_released', 'I4: our own stop cost an attempt')
    this.#judgePlace(delivery)
    if (!o.isWritten) return void this.seen.add('fenced')
    this.seen.add(ended.kind)
    const known = this.#of(delivery)
    this.#settledLane(delivery.lane, ended)
    const waitMs = ended.kind === 'attempt_released' ? 0 : dueAfter(known, ended, { attempt, end: o.end })
    known.notBeforeMs = nowMs + waitMs
    known.dueMs = nowMs + waitMs * 1.05
    if (ended.kind !== 'attempt_released') {
      known.isUnknown = ended.kind === 'attempt_unknown'
      known.counted += 1
    }
    const { status, deadReason } = delivery.state
    hold(status !== 'delivered' || known.isTaken, 'I3: delivered, though no 2xx was given')
    hold(
      deadReason !== 'attempts_exhausted' || known.counted === attemptsMax,
      `I3: exhausted after ${known.counted} attempts`,
    )
    if (deadReason !== null) this.seen.add(deadReason)
  }

  /** Of everything, at a moment between two steps. */
  judgeAll(): void {
    for (const delivery of this.#deliveries.keys()) this.#judgePlace(delivery)
    for (const lane of this.#store.lanes.values()) {
      const cap = Math.min(lane.maxInFlight, this.#laneOf(lane).cap)
      hold(lane.cap === cap, `breaker: cap ${lane.cap} instead of ${cap}`)
    }
  }

  /** Once all is over: nothing waits, and what answers is served as before. */
  judgeEnd(mostLateMs: number): void {
    this.judgeAll()
    for (const { id, state } of this.#store.deliveries)
      hold(state.status === 'delivered' || state.status === 'dead', `I21: ${id} is ${state.status} for ever`)
    hold(this.latestMs <= mostLateMs, `I21: ${this.latestMs} ms late though nothing fails`)
    for (const lane of this.#store.lanes.values())
      hold(!this.#laneOf(lane).isHalfOpen, 'breaker: a lane whose endpoint answers does not open again')
  }

  /** What is open waits or is under way, once; what has ended does neither. */
  #judgePlace(delivery: Delivery): void {
    const places = Number(this.#store.due.has(delivery)) + Number(this.#store.leases.has(delivery))
    const isOpen = delivery.state.status !== 'delivered' && delivery.state.status !== 'dead'
    hold(places === Number(isOpen), `I1: ${delivery.id} is ${delivery.state.status} and stands in ${places} places`)
  }

  #settledLane(lane: Lane, { kind, status, error }: Ended): void {
    const known = this.#laneOf(lane)
    const isUnreachable = error === 'timeout' || error === 'connection_refused'
    known.unreachable = status === null ? known.unreachable + Number(isUnreachable) : 0
    if (kind === 'attempt_succeeded') {
      known.isHalfOpen = false
      known.cap += 1
    } else if (status === null && known.unreachable >= 5) {
      known.isHalfOpen = true
      known.cap = 1
      this.seen.add('half open')
    }
  }

  #of(delivery: Delivery): Known {
    const known = this.#deliveries.get(delivery)
    if (known === undefined) throw new Error(`I2: nobody asked for ${delivery.id}`)
    return known
  }

  #laneOf(lane: Lane): KnownLane {
    const known = this.#lanes.get(lane) ?? { unreachable: 0, isHalfOpen: false, cap: 2 }
    this.#lanes.set(lane, known)
    return known
  }
}

/** Milliseconds that the next attempt has to wait. */
function dueAfter(known: Known, { kind, status }: Ended, o: { attempt: number; end: AttemptEnd }): number {
  const delayMs = delaysMs[o.attempt - 1] ?? 0
  if (kind === 'attempt_unknown' && !known.isUnknown) return 0
  const seconds = status === 503 && /^\d+$/.test(o.end.retryAfter ?? '') ? Number(o.end.retryAfter) : 0
  return Math.max(delayMs, Math.min(seconds * 1_000, retryAfterMaxMs))
}

export function hold(isSo: boolean, breach: string): void {
  if (!isSo) throw new Error(breach)
}
