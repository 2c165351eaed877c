// For tests: two workers, a store, receivers and a nemesis in virtual time (reliability.md 6). Workers are killed, stand still, are told
// to end; the database is away; receivers fail in every way. The core decides; the oracle judges each step.
import { Simulation } from '@wds/decider/simulation'
import {
  type Act,
  type Answer,
  answerOf,
  type Core,
  deadlineMs,
  laneLimits,
  limits,
  type Mode,
  type Moment,
  workspaces,
} from './delivery-acts.fixture.ts'
import { Oracle } from './delivery-oracle.fixture.ts'
import { SharesJudge } from './delivery-shares.fixture.ts'
import type { AttemptUnderWay, ClaimKind } from './domain/fair-share.ts'
import type { AttemptEnd, Settlement } from './domain/settlement.ts'
import type { Ended, Lane, LaneStore, Lease } from './lane-store.fixture.ts'

const [leaseMs, graceMs, takeoverMs] = [30_000, 5_000, 1_000]

interface Worker {
  name: string
  isAlive: boolean
  isStill: boolean
  isStopping: boolean
  /** What happens to it at its next such moment. */
  harm: { at: Moment; happens(): void } | null
  /** What comes to it while it stands still. */
  late: (() => void)[]
  readonly underWay: Map<Lease, AttemptUnderWay>
  readonly shares: SharesJudge
  lookMs: number
  claims: ClaimKind
}

export class Model {
  readonly simulation: Simulation
  readonly store: LaneStore
  readonly oracle: Oracle
  readonly #core: Core
  readonly #lanes: Lane[]
  readonly #modes = new Map<Lane, Mode>()
  readonly #workers: Worker[] = []
  readonly #gone = new Set<string>()
  #databaseAwayMs = 0
  #takeOverMs = Infinity
  #names = 0

  constructor(using: Core, seed: number) {
    this.#core = using
    this.simulation = new Simulation({ seed, startMs: 0 })
    this.store = using.newStore(using.schedule)
    this.oracle = new Oracle(this.store)
    this.#lanes = laneLimits.map((o, nth) => this.store.addLane({ id: `${o.workspaceId} ${nth}`, ...o }))
    for (const nth of [0, 1]) this.#startWorker(nth)
  }

  act(o: Act): void {
    this.run(o.afterMs)
    if (o.do === 'publish') this.#publish(workspaces[o.workspace] ?? '', o.count)
    else if (o.do === 'mode') this.#modes.set(this.#laneAt(o.lane), o.mode)
    else if (o.do === 'database') this.#leave(o.forMs)
    else if (o.do === 'disable') this.#disable(this.#laneAt(o.lane))
    else if (o.do === 'enable') this.#enable(this.#laneAt(o.lane))
    else if (o.do === 'replay') this.#replay(o.which)
    else this.#harm(o)
    this.oracle.judgeAll()
  }

  run(forMs: number): void {
    this.simulation.runUntil(this.#nowMs + forMs, { stepsMax: this.simulation.steps + 30_000 })
  }

  /** All faults stop; then everything has to end. */
  heal(): void {
    for (const worker of this.#workers) worker.harm = null
    this.run(120_000)
    for (const lane of this.#lanes) {
      this.#modes.set(lane, 'ok')
      this.#enable(lane)
    }
    // Attempts that hang end first.
    this.run(deadlineMs + leaseMs + takeoverMs)
    this.oracle.healedMs = this.#nowMs
    this.#wakeAll()
    this.run(3 * 24 * 3_600_000)
    for (const workspaceId of workspaces) this.#publish(workspaceId, 1)
    this.run(5_000)
  }

  get #nowMs(): number {
    return this.simulation.nowMs
  }

  get #isAway(): boolean {
    return this.#nowMs < this.#databaseAwayMs
  }

  #leave(forMs: number): void {
    this.#databaseAwayMs = Math.max(this.#databaseAwayMs, this.#nowMs + forMs)
    this.#takeOverAt(this.#databaseAwayMs + takeoverMs)
  }

  #laneAt(nth: number): Lane {
    return this.#lanes[nth % this.#lanes.length] as Lane
  }

  #publish(workspaceId: string, count: number): void {
    for (const lane of this.#lanes.filter((one) => one.workspaceId === workspaceId)) {
      for (let nth = 0; nth < count; nth += 1) {
        const made = this.store.schedule(lane, `${lane.id} ${this.store.deliveries.length}`, this.#nowMs)
        if (made !== null) this.oracle.opened(made, this.#nowMs)
      }
    }
    this.#wakeAll()
  }

  #replay(which: number): void {
    const delivery = this.store.deliveries[which % Math.max(1, this.store.deliveries.length)]
    if (delivery === undefined || !this.store.replay(delivery, this.#nowMs)) return
    this.oracle.seen.add('replay')
    this.oracle.opened(delivery, this.#nowMs)
    this.#wakeAll()
  }

  #disable(lane: Lane): void {
    this.store.park(lane)
    this.oracle.disabled(lane)
    this.simulation.at(this.#nowMs + this.simulation.integer(0, 200), () => this.store.endOpen(lane, this.#nowMs))
  }

  #enable(lane: Lane): void {
    this.store.endOpen(lane, this.#nowMs)
    if (this.store.reopen(lane)) this.oracle.enabled(lane)
  }

  #startWorker(nth: number): void {
    this.#names += 1
    const name = `worker ${nth}.${this.#names}`
    const flags = { isAlive: true, isStill: false, isStopping: false }
    const own = { underWay: new Map(), shares: new SharesJudge() }
    const worker: Worker = { name, ...flags, ...own, harm: null, late: [], lookMs: Infinity, claims: 'quick' }
    this.#workers[nth] = worker
    this.#wake(worker, this.#nowMs)
    this.#takeOverAt(this.#nowMs + takeoverMs)
  }

  #harm({ at, how, worker: nth, forMs }: Extract<Act, { do: 'harm' }>): void {
    const worker = this.#workers[nth] as Worker
    worker.harm = { at, happens: () => this.#harmNow(worker, { how, nth, forMs }) }
    this.#meet(worker, 'now')
  }

  #meet(worker: Worker, at: Moment): void {
    if (worker.harm?.at !== at) return
    const { happens } = worker.harm
    worker.harm = null
    happens()
  }

  #harmNow(worker: Worker, o: { how: 'kill' | 'stop' | 'terminate'; nth: number; forMs: number }): void {
    const { how, nth, forMs } = o
    if (!worker.isAlive || worker.isStopping || worker.isStill) return
    if (how === 'kill') return void this.#end(worker, nth, forMs)
    if (how === 'stop') {
      worker.isStill = true
      this.#takeOverAt(this.#nowMs + leaseMs + takeoverMs)
      this.simulation.at(this.#nowMs + forMs, () => {
        worker.isStill = false
        for (const come of worker.late.splice(0)) come()
        this.#wake(worker, this.#nowMs)
      })
      return
    }
    worker.isStopping = true
    this.simulation.at(this.#nowMs + graceMs, () => {
      const cut: AttemptEnd = { outcome: 'unknown', status: null, retryAfter: null }
      for (const lease of [...worker.underWay.keys()]) this.#finish(worker, lease, { end: cut, error: null })
      this.#end(worker, nth, forMs)
    })
  }

  #end(worker: Worker, nth: number, restartMs: number): void {
    worker.isAlive = false
    this.#gone.add(worker.name)
    this.simulation.at(this.#nowMs + restartMs, () => this.#startWorker(nth))
    this.#takeOverAt(this.#nowMs + takeoverMs)
  }

  #wakeAll(): void {
    for (const worker of this.#workers) this.#wake(worker, this.#nowMs + 1)
  }

  #wake(worker: Worker, atMs: number): void {
    if (atMs >= worker.lookMs || atMs === Infinity) return
    worker.lookMs = atMs
    this.simulation.at(atMs, () => {
      if (worker.lookMs !== atMs) return
      worker.lookMs = Infinity
      this.#look(worker)
    })
  }

  #look(worker: Worker): void {
    if (!worker.isAlive || worker.isStopping || worker.isStill) return
    if (this.#isAway) return void this.#wake(worker, this.#databaseAwayMs)
    const nowMs = this.#nowMs
    let { room, claimed } = this.#claim(worker)
    if (claimed.length === 0 && room.kind !== 'all') ({ room, claimed } = this.#claim(worker))
    this.oracle.claimed(claimed, nowMs)
    if (claimed.length > 0) this.#meet(worker, 'claimed')
    for (const lease of claimed) this.#begin(worker, lease, room.spare)
    if (worker.isAlive) worker.shares.judge(worker.underWay, claimed, nowMs)
    const due = [...this.store.lanes.values()].map((lane) => Math.max(this.store.nextDueMs(lane), lane.readyAtMs))
    const dueMs = Math.min(...due)
    this.#wake(worker, claimed.length > 0 ? nowMs + 5 : dueMs > nowMs ? dueMs : nowMs + 1_000)
  }

  #claim(worker: Worker) {
    const nowMs = this.#nowMs
    worker.claims = worker.claims === 'quick' ? 'slow' : 'quick'
    const room = this.#core.claimRoom(worker.underWay.values(), { nowMs, limits, kind: worker.claims })
    const o = { nowMs, room, lanes: 32, leaseMs, worker: worker.name }
    return { room, claimed: room.slots === 0 ? [] : this.store.claim(o) }
  }

  #begin(worker: Worker, lease: Lease, spare: boolean): void {
    if (!worker.isAlive) return
    const { delivery, epoch, slow } = lease
    const { id, workspaceId } = delivery.lane
    worker.underWay.set(lease, { workspaceId, subscriptionId: id, startedMs: this.#nowMs, slow, spare })
    const { afterMs, ...answer } = answerOf(this.#modes.get(delivery.lane) ?? 'ok', this.simulation)
    if (answer.end.status === 200) this.oracle.taken(delivery, epoch)
    this.simulation.at(this.#nowMs + afterMs, () => {
      if (worker.isAlive) this.#meet(worker, 'answered')
      this.#finish(worker, lease, answer)
    })
  }

  #finish(worker: Worker, lease: Lease, o: Omit<Answer, 'afterMs'>): void {
    if (!worker.isAlive || !worker.underWay.has(lease)) return
    if (worker.isStill) return void worker.late.push(() => this.#finish(worker, lease, o))
    worker.underWay.delete(lease)
    const { attempt } = lease
    const isStopping = worker.isStopping && o.end.outcome === 'unknown'
    const settlement = this.#core.settlementOf(o.end, { ...this.#given(attempt), isStopping, wasUnknown: true })
    this.#write(worker, lease, { ...o, settlement })
  }

  #given(attempt: number) {
    return { attempt, schedule: this.#core.schedule, random: this.simulation.random(), nowMs: this.#nowMs }
  }

  /** Until it can be written, as long as its worker lives. */
  #write(worker: Worker | null, lease: Lease, o: Omit<Answer, 'afterMs'> & { settlement: Settlement }): void {
    if (worker?.isAlive === false) return
    if (worker?.isStill) return void worker.late.push(() => this.#write(worker, lease, o))
    if (this.#isAway) return void this.simulation.at(this.#databaseAwayMs, () => this.#write(worker, lease, o))
    const { kind, delayMs, isGone } = o.settlement
    if (isGone) this.#disable(lease.delivery.lane)
    const ended: Ended = { kind, delayMs, status: o.end.status, error: o.error }
    const isHeld = this.store.leases.get(lease.delivery) === lease
    const isOurs = worker !== null && o.end.outcome === 'unknown'
    const isWritten = this.store.settle(lease, ended, this.#nowMs)
    this.oracle.settled(lease, { ended, end: o.end, isHeld, isOurs, isWritten, nowMs: this.#nowMs })
    this.#wakeAll()
  }

  #takeOverAt(atMs: number): void {
    if (!this.#core.takesOver || atMs >= this.#takeOverMs) return
    this.#takeOverMs = atMs
    this.simulation.at(atMs, () => {
      if (this.#takeOverMs !== atMs) return
      this.#takeOverMs = Infinity
      this.#takeOver()
    })
  }

  #takeOver(): void {
    const isAble = this.#workers.some(({ isAlive, isStill }) => isAlive && !isStill)
    if (!isAble || this.#isAway) return void this.#takeOverAt(this.#nowMs + takeoverMs)
    for (const lease of this.store.lostLeases({ nowMs: this.#nowMs, isGone: (name) => this.#gone.has(name) })) {
      const end: AttemptEnd = { outcome: 'unknown', status: null, retryAfter: null }
      const wasUnknown = lease.delivery.state.lastOutcome === 'attempt_unknown'
      const settlement = this.#core.settlementOf(end, { ...this.#given(lease.attempt), isStopping: false, wasUnknown })
      this.#write(null, lease, { end, error: null, settlement })
    }
    // What is under way may be lost once its lease ends.
    const ends = [...this.store.leases.values()].map(({ endMs }) => endMs)
    if (ends.length > 0) this.#takeOverAt(Math.max(Math.min(...ends), this.#nowMs) + takeoverMs)
  }
}
