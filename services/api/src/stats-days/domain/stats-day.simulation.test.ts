// The day machine in virtual time (reliability.md 6): integrations that report, fail, pause and restate, looks that come late or are lost
// with their transaction, and a workspace that changes its zone. First safety, after each look; then all faults stop, and every day
// must come to its end.
import { expect, test } from '@jest/globals'
import { Simulation } from '@wds/decider/simulation'
import { storiesToTell } from '@wds/decider/stories.fixture'
import fc from 'fast-check'
import { addDays, localDate } from '../../calendar/domain/calendar.ts'
import { boundsOfDay } from '../../calendar/domain/workspace-day.ts'
import type { Observation } from './day-wait.ts'
import {
  planDay,
  type Rollup,
  type StatsDayEvent,
  type StatsDayState,
  statsDayDecider,
  statsDayMachine,
} from './stats-day.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Around changes of clocks: days of 23, 23.5, 24.5 and 25 hours; offsets of 30 and 45 minutes; a day left out at midnight. */
const places = [
  ['UTC', '2026-06-01'],
  ['Europe/Berlin', '2026-03-28'],
  ['Europe/Berlin', '2026-10-24'],
  ['Asia/Kathmandu', '2026-06-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['America/Santiago', '2026-09-05'],
  ['Pacific/Chatham', '2026-09-26'],
] as const
const zones = [...new Set(places.map(([zone]) => zone))]

interface Member {
  id: string
  settleHours: number
  status: 'active' | 'broken' | 'paused' | 'deleted'
  required: boolean
}
interface Row {
  /** The rows of the day, as text. */
  content: string
  changedMs: number | null
  pending: Observation['pending']
}

class Model {
  readonly simulation: Simulation
  readonly states = new Map<string, StatsDayState>()
  readonly told: { date: string; event: StatsDayEvent; atMs: number }[] = []
  readonly rows = new Map<string, Row>()
  readonly dues = new Map<string, number>()
  readonly reports = new Map<string, number>()
  readonly members: Member[]
  zone: string
  readonly firstDay: string
  faults = true
  readonly restMs = 6 * hourMs
  readonly restateMs = 600_000

  constructor(seed: number) {
    const random = new Simulation({ seed, startMs: 0 })
    const [zone, firstDay] = random.pick(places)
    this.zone = zone
    this.firstDay = firstDay
    this.simulation = new Simulation({ seed, startMs: boundsOfDay(firstDay, zone).startMs + 9 * hourMs })
    this.members = Array.from({ length: this.simulation.integer(0, 3) }, (_, index) => ({
      id: `int_${index}`,
      settleHours: this.simulation.integer(0, 30),
      status: 'active' as const,
      required: this.simulation.chance(0.8),
    }))
  }

  /** The days of the story: two backfilled ones, and those since the first integration. */
  days(): string[] {
    const today = localDate(this.simulation.nowMs, this.zone)
    const days = [...this.rows.keys()].filter((day) => day < this.firstDay)
    for (let day = this.firstDay; day <= today; day = addDays(day, 1)) days.push(day)
    return days
  }

  rowOf(day: string): Row {
    const known = this.rows.get(day) ?? { content: '', changedMs: null, pending: null }
    this.rows.set(day, known)
    return known
  }

  /** A run that changes some days and reports on those of its window. */
  runSync(member: Member): void {
    const { simulation } = this
    const startedMs = simulation.nowMs
    const to = localDate(startedMs, this.zone)
    const from = addDays(to, -simulation.integer(0, 3))
    const fails = this.faults && simulation.chance(0.3)
    if (member.status === 'paused' || member.status === 'deleted' || fails) return
    simulation.at(startedMs + simulation.integer(0, 1_800_000), () => {
      for (let day = from; day <= to; day = addDays(day, 1)) {
        const key = `${member.id} ${day}`
        this.reports.set(key, Math.max(this.reports.get(key) ?? 0, startedMs))
        if (this.faults && simulation.chance(0.3)) this.change(day, member.id)
        this.wake(day)
      }
    })
  }

  change(day: string, by: string): void {
    const row = this.rowOf(day)
    // Few contents, so that rows also come back to what they were.
    const content = this.simulation.pick(['', 'x', 'y', `${by} z`])
    if (content === row.content) return
    row.content = content
    row.changedMs = this.simulation.nowMs
    const isFirst = row.pending === null
    const syncRunId = isFirst || row.pending?.syncRunId === by ? by : null
    row.pending = { sinceMs: row.pending?.sinceMs ?? row.changedMs, cause: 'sync', syncRunId }
  }

  rezone(): void {
    this.zone = this.simulation.pick(zones)
    for (const day of this.days()) {
      const row = this.rowOf(day)
      row.pending = { sinceMs: row.pending?.sinceMs ?? this.simulation.nowMs, cause: 'settings', syncRunId: null }
      if (this.simulation.chance(0.5)) row.content += '+'
      this.wake(day)
    }
  }

  /** A day has one time at which it is due. The look comes when it comes; after the faults within a minute. */
  wake(day: string, dueMs = this.simulation.nowMs): void {
    this.dues.set(day, dueMs)
    const lateMs = this.faults && this.simulation.chance(0.1) ? this.simulation.integer(0, 3 * dayMs) : 60_000
    this.simulation.at(dueMs + this.simulation.integer(0, lateMs), () => {
      if (this.dues.get(day) === dueMs) this.look(day)
    })
  }

  seen(day: string, state: StatsDayState): Observation {
    const { startMs, endMs } = boundsOfDay(day, this.zone)
    const row = this.rowOf(day)
    const counted = this.members.filter(
      ({ required, status }) => required && status !== 'paused' && status !== 'deleted',
    )
    const reported =
      state.expected.length > 0 ? state.expected.map((one) => one.integration_id) : counted.map(({ id }) => id)
    return {
      atMs: this.simulation.nowMs,
      date: day,
      timeZone: this.zone,
      startMs,
      endMs,
      isBackfilled: day < this.firstDay,
      expectable: counted.map(({ id, settleHours }) => ({ integration_id: id, settle_hours: settleHours })),
      gone: this.members.filter(({ status }) => status === 'paused' || status === 'deleted').map(({ id }) => id),
      reported: Object.fromEntries(
        reported.flatMap((id) => {
          const ms = this.reports.get(`${id} ${day}`)
          return ms === undefined ? [] : [[id, ms]]
        }),
      ),
      hasRows: row.content !== '',
      changedMs: row.changedMs,
      pending: row.pending,
      rules: { maxWaitHours: 36, restMs: this.restMs, restateMs: this.restateMs },
    }
  }

  look(day: string): void {
    this.dues.delete(day)
    const state = this.states.get(day) ?? statsDayDecider.initialState
    const seen = this.seen(day, state)
    const { rollUp, dueMs } = planDay(state, seen)
    const row = this.rowOf(day)
    const command = rollUp
      ? ({ type: 'roll_up', seen, rollup: rollupOf(row) } as const)
      : ({ type: 'look', seen } as const)
    const decision = statsDayDecider.decide(state, command)
    if (!decision.accepted) throw new Error('a planned command was refused')
    // The transaction is lost with its process: nothing of it is there, and somebody looks again.
    if (this.faults && this.simulation.chance(0.05)) {
      this.wake(day)
      return
    }
    const after = decision.events.reduce(statsDayDecider.evolve, state)
    this.judge({ before: state, after, action: command.type, seen, events: decision.events, content: row.content })
    this.states.set(day, after)
    for (const event of decision.events) this.told.push({ date: day, event, atMs: seen.atMs })
    if (rollUp) row.pending = null
    if (dueMs !== null && !rollUp) {
      if (dueMs <= seen.atMs) throw new Error(`a look at ${day} is due again at once`)
      this.wake(day, dueMs)
    }
  }

  /** Safety, after every look (I16, I17). */
  judge(o: {
    before: StatsDayState
    after: StatsDayState
    action: 'look' | 'roll_up'
    seen: Observation
    events: StatsDayEvent[]
    content: string
  }): void {
    const { before, after, seen, events } = o
    const hold = (holds: boolean, what: string) => {
      if (!holds) throw new Error(`${seen.date} at ${new Date(seen.atMs).toISOString()}: ${what}`)
    }
    const allowed: readonly string[] = statsDayMachine[before.status][o.action]
    hold(allowed.includes(after.status), `I16: ${before.status} became ${after.status} by ${o.action}`)
    hold(
      after.revisions.every(({ revision }, index) => revision === index + 1),
      'I17: revisions have a gap',
    )
    const last = after.revisions.at(-1)?.checksum
    hold(o.action === 'look' || last === checksumOf(o.content), 'I17: the checksum is not that of the rows')
    for (const event of events) this.judgeEvent(event, { ...o, hold })
  }

  judgeEvent(
    event: StatsDayEvent,
    o: { before: StatsDayState; after: StatsDayState; seen: Observation; hold(holds: boolean, what: string): void },
  ): void {
    const { before, after, seen, hold } = o
    if (event.type === 'DayDelayed') hold(seen.atMs >= event.data.deadline_ms, 'delayed before its deadline')
    if (event.type === 'DayRestated' && event.data.cause === 'sync' && before.time_zone === seen.timeZone)
      hold(seen.atMs - (seen.pending?.sinceMs ?? 0) >= this.restateMs, 'restated before its timer was over')
    if (event.type !== 'DayReady') return
    const { complete, missing } = event.data
    hold(seen.atMs >= seen.endMs, 'ready before its end')
    hold(complete === (missing.length === 0), 'complete with somebody missing')
    hold(complete || after.late, 'ready without a report, and never told late')
    const restHours = Math.max(0, ...after.expected.map(({ settle_hours }) => settle_hours))
    const restMs = after.expected.length === 0 ? this.restMs : restHours * hourMs
    const isWaitedFor = after.expected.length > 0 && seen.atMs >= seen.endMs + Math.max(36, restHours + 12) * hourMs
    hold(isWaitedFor || seen.atMs - (seen.changedMs ?? 0) >= restMs, 'ready before its rows had rested')
    const isLatest = seen.atMs >= seen.endMs + Math.max(after.max_wait_hours, 12) * hourMs
    hold(
      after.expected.length > 0 || seen.hasRows || isLatest,
      'ready without anything, before somebody could bring it',
    )
    const silent = after.expected.filter(({ integration_id: id }) => !this.reports.has(`${id} ${seen.date}`))
    hold(!complete || silent.length === 0, 'complete without the report of one of them')
  }
}

const checksumOf = (content: string) => `sha256:${content}`
function rollupOf({ content }: Row): Rollup {
  const changes = { brandSlugs: ['acme'], metrics: ['clicks'], largestChangePct: null }
  return { checksum: checksumOf(content), rowCount: content.length, integrations: [], changes }
}

/** Runs the story of a seed to its end and gives the model. */
function simulate(seed: number): Model {
  const model = new Model(seed)
  const { simulation } = model
  const startMs = simulation.nowMs
  const faultsEndMs = startMs + 8 * dayMs
  for (const back of [40, 2]) {
    const day = addDays(model.firstDay, -back)
    simulation.at(startMs, () => {
      model.change(day, 'int_back')
      model.wake(day)
    })
  }
  for (let atMs = startMs; atMs < faultsEndMs; atMs += 5 * hourMs) {
    simulation.at(atMs + simulation.integer(0, hourMs), () => {
      for (const member of model.members) model.runSync(member)
      if (simulation.chance(0.25)) model.change(simulation.pick(model.days()), 'int_upload')
      for (const day of model.days()) if (!model.states.has(day)) model.wake(day)
    })
  }
  for (const member of model.members) {
    if (!simulation.chance(0.3)) continue
    simulation.at(startMs + simulation.integer(0, 7 * dayMs), () => {
      member.status = simulation.pick(['paused', 'deleted', 'broken'])
      for (const day of model.days()) model.wake(day)
    })
  }
  if (simulation.chance(0.4)) simulation.at(startMs + simulation.integer(0, 7 * dayMs), () => model.rezone())
  simulation.runUntil(faultsEndMs, { stepsMax: 200_000 })
  // Nothing fails any more: who still works reports, and each look comes.
  model.faults = false
  for (const member of model.members) model.runSync(member)
  for (const day of model.days()) model.wake(day)
  simulation.runUntil(faultsEndMs + 9 * dayMs, { stepsMax: 400_000 })
  return model
}

function judgeEnd(model: Model): void {
  const faultsEnd = model.simulation.nowMs - 9 * dayMs
  for (const [day, state] of model.states) {
    const row = model.rowOf(day)
    const events = model.told.filter(({ date }) => date === day).map(({ event }) => event)
    const count = (type: StatsDayEvent['type']) => events.filter((event) => event.type === type).length
    expect([day, count('DayReady'), count('DayDelayed') <= 1]).toEqual([day, state.status === 'final' ? 1 : 0, true])
    expect(count('DayRestated')).toBe(Math.max(0, state.revisions.length - 1))
    // Folding what was told gives what is kept.
    expect(events.reduce(statsDayDecider.evolve, statsDayDecider.initialState)).toEqual(state)
    const hasEnded = boundsOfDay(day, model.zone).endMs <= faultsEnd
    // Before the first integration a day is there by its rows alone.
    if (!hasEnded || (state.status === 'none' && row.content === '')) continue
    expect([day, state.status]).toEqual([day, 'final'])
    expect([day, row.pending, state.revisions.at(-1)?.checksum]).toEqual([day, null, checksumOf(row.content)])
  }
}

const stories = storiesToTell(fc.defaultReportMessage)

test(`I16, I17: in ${stories.numRuns} stories every day is ready once, restated without a gap, and ends with the checksum of its rows`, () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => judgeEnd(simulate(seed))),
    { ...stories, endOnFailure: true },
  )
})

test('the stories contain what they are about', () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= 40; seed++)
    for (const { event } of simulate(seed).told) seen.set(event.type, (seen.get(event.type) ?? 0) + 1)
  const types =
    'DayOpened DayFound DayEnded DayRezoned ReportsReceived ExpectationDropped WatermarkReached DayDelayed DayReady DayRestated'
  expect([...seen.keys()].sort()).toEqual(types.split(' ').sort())
  expect(Math.min(...seen.values())).toBeGreaterThan(3)
})
