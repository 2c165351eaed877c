// For tests: what claim.sql, settle.sql, lost-leases.sql, replay.sql and end-open.sql do to due rows, leases and lanes, in memory and in
// virtual time. `store.integration.test.ts` compares it with them. It decides nothing that the core decides.
import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { DeadReason } from '@wds/contracts/states'
import { type DeliveryState, type LogRow, mayReplay, transition } from '../deliveries/domain/delivery.ts'
import type { Schedule } from '../deliveries/domain/schedule.ts'
import { breakerFailures } from '../lanes/domain/lane.ts'
import type { ClaimRoom } from './domain/fair-share.ts'
import type { Settlement } from './domain/settlement.ts'

export interface Lane {
  readonly id: string
  readonly workspaceId: string
  readonly maxInFlight: number
  /** Attempts per second, null: no limit. */
  readonly rate: number | null
  cap: number
  inFlight: number
  failures: number
  timedOut: boolean
  lastServedMs: number
  /** Infinity: parked. */
  readyAtMs: number
}

interface Due {
  delivery: Delivery
  /** Rank in which it was put here: breaks ties of instants. */
  nth: number
  priority: 0 | 1
  dueMs: number
  attempt: number
}

export interface Lease {
  delivery: Delivery
  claimId: number
  priority: 0 | 1
  attempt: number
  epoch: number
  startedMs: number
  endMs: number
  worker: string
  ending: DeadReason | null
  slow: boolean
}

export interface Delivery {
  readonly id: string
  readonly lane: Lane
  readonly log: LogRow[]
  state: DeliveryState
}

/** The end of an attempt as it is settled. */
export interface Ended extends Omit<Settlement, 'isGone'> {
  status: number | null
  error: AttemptErrorCode | null
}

const unreachable: readonly (AttemptErrorCode | null)[] = [
  'timeout',
  'connection_refused',
  'connection_reset',
  'connection_failed',
]

type Room = Omit<ClaimRoom, 'spare' | 'kind'>

export class LaneStore {
  readonly lanes = new Map<string, Lane>()
  readonly deliveries: Delivery[] = []
  readonly due = new Map<Delivery, Due>()
  readonly leases = new Map<Delivery, Lease>()
  readonly #schedule: Schedule
  #claims = 0
  #nth = 0

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  addLane(o: { id: string; workspaceId: string; maxInFlight: number; rate: number | null }): Lane {
    const cap = Math.min(2, o.maxInFlight)
    const lane = { ...o, cap, inFlight: 0, failures: 0, timedOut: false, lastServedMs: -Infinity, readyAtMs: -Infinity }
    this.lanes.set(o.id, lane)
    return lane
  }

  /** Fan out to one lane; nothing where it is parked. */
  schedule(lane: Lane, id: string, nowMs: number): Delivery | null {
    if (lane.readyAtMs === Infinity) return null
    const row = logRow({ kind: 'scheduled', epoch: 1, attempt: 0, atMs: nowMs, dueMs: nowMs })
    const delivery: Delivery = { id, lane, log: [row], state: transition(null, row, this.#schedule) }
    this.deliveries.push(delivery)
    this.#queue(delivery, { priority: 0, dueMs: nowMs, attempt: 1 })
    return delivery
  }

  /** Claim, with the room of the core. */
  claim(i: { nowMs: number; room: Room; lanes: number; leaseMs: number; worker: string }): Lease[] {
    const { nowMs: t, room } = i
    const isSlow = (lane: Lane) => lane.timedOut || room.slowLanes.includes(lane.id)
    const shareOf = new Map(room.busy.map(({ workspaceId, used }) => [workspaceId, room.share - used]))
    const byTurn = [...this.lanes.values()]
      .filter((lane) => this.nextDueMs(lane) <= t && lane.readyAtMs <= t && lane.inFlight < capOf(lane))
      .sort((a, b) => a.lastServedMs - b.lastServedMs)
    const window = Math.max(1, Math.min(i.lanes, room.slots))
    const mostOf = (lane: Lane) => shareOf.get(lane.workspaceId) ?? room.share
    const locked = limited(byTurn, (lane) => `${isSlow(lane)} ${lane.workspaceId}`, mostOf)
      .filter(slowLimit(isSlow, room.slowRoom))
      .slice(0, window)
    if (locked.length === 0) return []
    const perLane = Math.floor((2 * room.slots) / locked.length) + 1
    const rows = locked
      .flatMap((lane) =>
        this.#dueOf(lane, t)
          .slice(0, roomOf(lane, { t, perLane, slots: room.slots }))
          .map((due, nth) => ({ due, nth, lane })),
      )
      .sort((a, b) => a.nth - b.nth || a.lane.lastServedMs - b.lane.lastServedMs)
    const taken = limited(
      rows,
      ({ lane }) => lane.workspaceId,
      ({ lane }) => mostOf(lane),
    )
      .filter(slowLimit(({ lane }) => isSlow(lane), room.slowRoom))
      .slice(0, room.slots)
    this.#claims += 1
    const claimed = taken.map(({ due, lane }): Lease => {
      const { delivery, priority, attempt } = due
      const own = { claimId: this.#claims, startedMs: t, endMs: t + i.leaseMs, worker: i.worker, ending: null }
      return { delivery, priority, attempt, epoch: delivery.state.epoch, slow: isSlow(lane), ...own }
    })
    for (const lease of claimed) {
      this.due.delete(lease.delivery)
      this.leases.set(lease.delivery, lease)
    }
    for (const lane of locked) serve(lane, claimed.filter(({ delivery }) => delivery.lane === lane).length, t)
    return claimed
  }

  /** False: the lease was lost, and nothing is written. */
  settle(lease: Lease, ended: Ended, nowMs: number): boolean {
    const { delivery, claimId } = lease
    const held = this.leases.get(delivery)
    if (held?.claimId !== claimId) return false
    this.leases.delete(delivery)
    const isReleased = ended.kind === 'attempt_released'
    const isDone = ended.kind === 'attempt_succeeded'
    const dueMs = held.ending === null && !isDone && ended.delayMs !== null ? nowMs + ended.delayMs : null
    const exhausted = ended.delayMs === null ? 'attempts_exhausted' : null
    const diesOf = isDone ? null : (held.ending ?? exhausted)
    const of = { epoch: held.epoch, attempt: held.attempt, atMs: nowMs }
    this.#log(delivery, { kind: ended.kind, ...of, dueMs, status: ended.status, errorCode: ended.error })
    if (diesOf !== null) {
      const kind = held.ending === null ? 'exhausted' : 'ended'
      this.#log(delivery, { kind, ...of, attempt: held.attempt - Number(isReleased), deadReason: diesOf })
    }
    if (dueMs !== null)
      this.#queue(delivery, { priority: held.priority, dueMs, attempt: held.attempt + Number(!isReleased) })
    settleLane(delivery.lane, ended)
    return true
  }

  lostLeases(o: { nowMs: number; isGone(worker: string): boolean }): Lease[] {
    return [...this.leases.values()]
      .filter(({ endMs, worker }) => endMs < o.nowMs || o.isGone(worker))
      .sort((a, b) => a.endMs - b.endMs)
  }

  replay(delivery: Delivery, nowMs: number): boolean {
    const { lane, state } = delivery
    if (lane.readyAtMs === Infinity || !mayReplay(state.status) || this.leases.has(delivery)) return false
    this.due.delete(delivery)
    this.#log(delivery, { kind: 'replay_requested', epoch: state.epoch + 1, attempt: 0, atMs: nowMs, dueMs: nowMs })
    this.#queue(delivery, { priority: 0, dueMs: nowMs, attempt: 1 })
    return true
  }

  park(lane: Lane): void {
    lane.readyAtMs = Infinity
    for (const lease of this.leases.values()) if (lease.delivery.lane === lane) lease.ending = 'subscription_disabled'
  }

  /** Ends what waits in a parked lane. */
  endOpen(lane: Lane, nowMs: number): void {
    if (lane.readyAtMs !== Infinity) return
    for (const { delivery } of this.#dueOf(lane, Infinity)) {
      this.due.delete(delivery)
      const { epoch, attempt } = delivery.state
      this.#log(delivery, { kind: 'ended', epoch, attempt, atMs: nowMs, deadReason: 'subscription_disabled' })
    }
  }

  /** False while something of before waits. */
  reopen(lane: Lane): boolean {
    if (lane.readyAtMs !== Infinity || this.#dueOf(lane, Infinity).length > 0) return false
    Object.assign(lane, { readyAtMs: -Infinity, cap: Math.min(2, lane.maxInFlight), failures: 0, timedOut: false })
    return true
  }

  /** Infinity: nothing waits. */
  nextDueMs(lane: Lane): number {
    return Math.min(Infinity, ...this.#dueOf(lane, Infinity).map(({ dueMs }) => dueMs))
  }

  #dueOf(lane: Lane, untilMs: number): Due[] {
    return [...this.due.values()]
      .filter((due) => due.delivery.lane === lane && due.dueMs <= untilMs)
      .sort((a, b) => a.priority - b.priority || a.dueMs - b.dueMs || a.nth - b.nth)
  }

  #queue(delivery: Delivery, o: Omit<Due, 'delivery' | 'nth'>): void {
    this.#nth += 1
    this.due.set(delivery, { delivery, nth: this.#nth, ...o })
  }

  #log(delivery: Delivery, row: Partial<LogRow> & Pick<LogRow, 'kind' | 'epoch' | 'attempt' | 'atMs'>): void {
    const whole = logRow(row)
    delivery.log.push(whole)
    delivery.state = transition(delivery.state, whole, this.#schedule)
  }
}

const logRow = (row: Partial<LogRow> & Pick<LogRow, 'kind' | 'epoch' | 'attempt' | 'atMs'>): LogRow => ({
  dueMs: null,
  status: null,
  errorCode: null,
  deadReason: null,
  ...row,
})

export const capOf = (lane: Lane): number => Math.min(lane.cap, lane.maxInFlight)

/** As many of each group as it may have, in order. */
function limited<T>(list: T[], groupOf: (one: T) => string, mostOf: (one: T) => number): T[] {
  const had = new Map<string, number>()
  return list.filter((one) => {
    const nth = (had.get(groupOf(one)) ?? 0) + 1
    had.set(groupOf(one), nth)
    return nth <= mostOf(one)
  })
}

/** Keeps all that are not slow, and so many of those that are. */
function slowLimit<T>(isSlow: (one: T) => boolean, room: number): (one: T) => boolean {
  let slow = 0
  return (one) => {
    if (!isSlow(one)) return true
    slow += 1
    return slow <= room
  }
}

function roomOf(lane: Lane, o: { t: number; perLane: number; slots: number }): number {
  const atRate =
    lane.rate === null ? o.slots : Math.floor(((o.t - Math.max(lane.readyAtMs, o.t - 1_000)) / 1_000) * lane.rate) + 1
  return Math.min(o.perLane, capOf(lane) - lane.inFlight, atRate)
}

function serve(lane: Lane, got: number, t: number): void {
  if (got === 0) return
  lane.inFlight += got
  lane.lastServedMs = t
  if (lane.rate !== null) lane.readyAtMs = Math.max(lane.readyAtMs, t - 1_000) + (got / lane.rate) * 1_000
}

function settleLane(lane: Lane, { kind, status, error }: Ended): void {
  const lost = Number(unreachable.includes(error))
  const before = lane.failures
  lane.inFlight -= 1
  if (kind !== 'attempt_released') lane.timedOut = error === 'timeout'
  lane.failures = status !== null ? 0 : before + lost
  if (kind === 'attempt_succeeded') lane.cap = Math.min(lane.maxInFlight, lane.cap + 1)
  else if (status === null && before + lost >= breakerFailures) lane.cap = 1
}
