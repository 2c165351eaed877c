// For tests: the same steps in the tables and in `LaneStore`, one after the other, and what differs.
import { randomUUID } from 'node:crypto'
import { Simulation } from '@wds/decider/simulation'
import { withTransaction } from '@wds/postgres/transaction'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { command, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { endLastBatch } from '../lanes/store-parked.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { endedAttempt } from './ended-attempt.fixture.ts'
import { type Delivery, type Ended, type Lane, LaneStore, type Lease } from './lane-store.fixture.ts'
import type { ClaimedAttempt, ClaimStore } from './ports.ts'
import { createClaimStore } from './store.ts'

interface Held {
  row: ClaimedAttempt
  lease: Lease
}

const ends: Ended[] = [
  { kind: 'attempt_succeeded', status: 200, error: null, delayMs: null },
  { kind: 'attempt_failed', status: 500, error: 'http_status', delayMs: 0 },
  { kind: 'attempt_failed', status: null, error: 'timeout', delayMs: 0 },
  { kind: 'attempt_failed', status: null, error: 'timeout', delayMs: 3_600_000 },
  { kind: 'attempt_failed', status: null, error: 'connection_refused', delayMs: 0 },
  { kind: 'attempt_unknown', status: null, error: null, delayMs: 0 },
  { kind: 'attempt_released', status: null, error: null, delayMs: 0 },
]
const exhausted: Ended = { kind: 'attempt_failed', status: 500, error: 'http_status', delayMs: null }

/** Both, and the steps that a seed chooses. The model's time is the number of the step: delays are none or beyond the end. */
export class Lockstep {
  readonly #engine: Engine
  readonly #store: ClaimStore
  readonly #fanOut
  readonly #model = new LaneStore(defaultSchedule)
  readonly #random: Simulation
  readonly #lanes: Lane[] = []
  readonly #byId = new Map<string, Delivery>()
  readonly #held: Held[] = []
  readonly #late: Held[] = []
  #now = 0
  #turns = 0

  /** `breaker`: of the tables, where it is another one than the model's. */
  constructor(engine: Engine, o: { seed: number; breaker?: number }) {
    const { seed, ...settings } = o
    this.#engine = engine
    this.#store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined, ...settings })
    this.#fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    this.#random = new Simulation({ seed, startMs: 0 })
  }

  /** Two workspaces with three lanes each; whatever else there is, is parked. */
  async #prepare(): Promise<void> {
    await this.#engine.admin.query("update delivery.lanes set ready_at = 'infinity'")
    for (const workspaceId of [newId('wsp'), newId('wsp')]) {
      for (const maxInFlight of [1, 3, 8]) {
        const id = await seedSubscription(this.#engine, { workspaceId, maxInFlight })
        const lane = this.#model.addLane({ id, workspaceId, maxInFlight, rate: null })
        this.#lanes.push(lane)
        await this.#takeTurn(lane)
      }
    }
  }

  /** Lanes that one claim served have one instant, and any of them may be the next: here each has its own. */
  async #takeTurn(lane: Lane): Promise<void> {
    this.#turns += 1
    lane.lastServedMs = this.#turns
    const sql = 'update delivery.lanes set last_served = to_timestamp($2) where subscription_id = $1'
    await this.#engine.admin.query(sql, [lane.id, this.#turns])
  }

  /** The first step after which they differ, and in what; null: they never did. */
  async run(steps: number): Promise<{ step: number; differences: string[] } | null> {
    await this.#prepare()
    for (let step = 1; step <= steps; step += 1) {
      const differences = await this.#step()
      if (differences.length > 0) return { step, differences }
    }
    return null
  }

  /** One step in both; resolves with what differs afterwards, in words. */
  async #step(): Promise<string[]> {
    this.#now += 1
    const dice = this.#random.integer(1, 20)
    const told = await (dice <= 5
      ? this.#publish()
      : dice <= 10
        ? this.#claim()
        : dice <= 16
          ? this.#settle()
          : dice <= 17
            ? this.#settleLate()
            : dice <= 18
              ? this.#replay()
              : this.#toggle())
    return [...told, ...(await this.#differences())]
  }

  async #publish(): Promise<string[]> {
    const { workspaceId } = this.#random.pick(this.#lanes)
    const [eventId] = await seedEvents(this.#engine, { workspaceId, count: 1 })
    while (await this.#fanOut.turn());
    const { rows } = await this.#engine.admin.query<{ id: string; lane: string }>(
      'select delivery_id as id, subscription_id as lane from delivery.deliveries where event_id = $1',
      [eventId],
    )
    const made = new Map(rows.map(({ id, lane }) => [lane, id]))
    return this.#lanes
      .filter((lane) => lane.workspaceId === workspaceId)
      .flatMap((lane) => {
        const id = made.get(lane.id)
        const delivery = this.#model.schedule(lane, id ?? '', this.#now)
        if (delivery !== null && id !== undefined) this.#byId.set(id, delivery)
        return (delivery === null) === (id === undefined) ? [] : [`a delivery for ${lane.id}: ${id ?? 'none'}`]
      })
  }

  async #claim(): Promise<string[]> {
    const random = this.#random
    const room = {
      slots: random.integer(1, 6),
      share: random.integer(1, 4),
      busy: this.#lanes.slice(0, 1).map(({ workspaceId }) => ({ workspaceId, used: random.integer(0, 2) })),
      slowLanes: this.#lanes.filter(() => random.chance(0.2)).map(({ id }) => id),
      slowRoom: random.integer(0, 2),
    }
    const lanes = random.integer(1, 4)
    const rows = await this.#store.claim({ ...room, claimId: randomUUID(), lanes, leaseMs: 3_600_000 })
    const leases = this.#model.claim({ nowMs: this.#now, room, lanes, leaseMs: 3_600_000, worker: 'w' })
    for (const lane of new Set(leases.map(({ delivery }) => delivery.lane))) await this.#takeTurn(lane)
    for (const row of rows) {
      const lease = leases.find(({ delivery }) => delivery.id === row.deliveryId)
      if (lease !== undefined) this.#held.push({ row, lease })
    }
    const wanted = leases.map(({ delivery, epoch, attempt, slow }) => `${delivery.id} ${epoch}.${attempt} ${slow}`)
    const got = rows.map(({ deliveryId, epoch, attempt, slow }) => `${deliveryId} ${epoch}.${attempt} ${slow}`)
    return unlike('claimed', got.sort(), wanted.sort())
  }

  async #settle(): Promise<string[]> {
    const [one] = this.#held.splice(this.#random.integer(0, Math.max(0, this.#held.length - 1)), 1)
    if (one === undefined) return []
    if (this.#random.chance(0.3)) this.#late.push(one)
    const ended = one.row.attempt >= 6 ? exhausted : this.#random.pick(ends)
    return this.#settleBoth(one, ended)
  }

  #settleLate(): Promise<string[]> {
    const one = this.#late.pop()
    return one === undefined ? Promise.resolve([]) : this.#settleBoth(one, exhausted)
  }

  async #settleBoth({ row, lease }: Held, ended: Ended): Promise<string[]> {
    const { kind, status, error: errorCode, delayMs } = ended
    const settled = await this.#store.settle([endedAttempt(row, { kind, status, errorCode, delayMs })])
    const isWritten = this.#model.settle(lease, ended, this.#now)
    return unlike('settled', [settled.size === 1], [isWritten])
  }

  async #replay(): Promise<string[]> {
    if (this.#byId.size === 0) return []
    const [id, delivery] = this.#random.pick([...this.#byId])
    const { rows } = await this.#engine.admin.query<{ day: string }>(
      'select event_day::text as day from delivery.deliveries where delivery_id = $1',
      [id],
    )
    const values = [delivery.lane.workspaceId, [rows[0]?.day], [id], 0, 'api_key:key_test']
    const { rowCount } = await this.#engine.worker.query('select replay($1, $2::date[], $3, $4::smallint, $5)', values)
    return unlike('replayed', [rowCount === 1], [this.#model.replay(delivery, this.#now)])
  }

  /** Disables a lane and ends what waits in it, or enables it. */
  async #toggle(): Promise<string[]> {
    const lane = this.#random.pick(this.#lanes)
    const { id, workspaceId } = lane
    if (lane.readyAtMs === Infinity) {
      await command(this.#engine.worker, { workspaceId, id }, { type: 'enable', isEnding: false })
      return unlike('enabled', [true], [this.#model.reopen(lane)])
    }
    const failing = { failing_since: null, failed_deliveries: 0 }
    await command(this.#engine.worker, { workspaceId, id }, { type: 'disable', reason: 'user', failing })
    await withTransaction(this.#engine.worker, { workspaceId }, async (tx) => {
      await lockWorkspace(tx, workspaceId)
      await endLastBatch(tx, id)
    })
    this.#model.park(lane)
    this.#model.endOpen(lane, this.#now)
    return []
  }

  async #differences(): Promise<string[]> {
    const mine = this.#lanes.map(({ id }) => id)
    const { rows: lanes } = await this.#engine.admin.query<{ text: string }>(
      `select concat_ws(' ', subscription_id, cap, in_flight, failures, timed_out, ready_at = 'infinity') as text
         from delivery.lanes where subscription_id = any($1)`,
      [mine],
    )
    const { rows: deliveries } = await this.#engine.admin.query<{ text: string }>(
      `select concat_ws(' ', d.delivery_id, d.status, d.epoch, d.attempt, d.attempts_total, coalesce(d.last_outcome, '-'),
                        coalesce(d.dead_reason, '-'), d.seq, (select count(*) from delivery.due w where w.delivery_id = d.delivery_id),
                        (select count(*) from delivery.leases e where e.delivery_id = d.delivery_id)) as text
         from delivery.deliveries d where subscription_id = any($1)`,
      [mine],
    )
    const wantedLanes = this.#lanes.map((one) => {
      const { id, cap, inFlight, failures, timedOut, readyAtMs } = one
      return [id, cap, inFlight, failures, asText(timedOut), asText(readyAtMs === Infinity)].join(' ')
    })
    const wanted = [...this.#byId].map(([id, delivery]) => {
      const { status, epoch, attempt, attemptsTotal, lastOutcome, deadReason, seq } = delivery.state
      const places = [this.#model.due.has(delivery), this.#model.leases.has(delivery)].map(Number)
      return [id, status, epoch, attempt, attemptsTotal, lastOutcome ?? '-', deadReason ?? '-', seq, ...places].join(
        ' ',
      )
    })
    const textsOf = (rows: { text: string }[]) => rows.map(({ text }) => text).sort()
    return [
      ...unlike('lanes', textsOf(lanes), wantedLanes.sort()),
      ...unlike('deliveries', textsOf(deliveries), wanted.sort()),
    ]
  }
}

/** As Postgres writes it. */
const asText = (is: boolean): string => (is ? 't' : 'f')

function unlike<T>(what: string, inTables: T[], inModel: T[]): string[] {
  const [tables, model] = [JSON.stringify(inTables), JSON.stringify(inModel)]
  return tables === model ? [] : [`${what}: the tables say ${tables}, the model ${model}`]
}
