// Anomalies in virtual time (reliability.md 6): days that become final late and in any order, spikes that are restated away or stay, looks
// that come late, twice or are lost with their transaction, and people who act meanwhile. First safety, after each look; then all
// faults stop, and every anomaly whose cause is gone must be over.
import { expect, test } from '@jest/globals'
import { Simulation } from '@wds/decider/simulation'
import { storiesToTell } from '@wds/decider/stories.fixture'
import fc from 'fast-check'
import { addDays, dayNumber } from '../../calendar/domain/calendar.ts'
import { type AnomalyCommand, type AnomalyEvent, type AnomalyState, anomalyDecider } from './anomaly.ts'
import type { SeriesDay } from './seasonal-robust.ts'
import { type KnownAnomaly, type Look, lookAtSeries } from './watched-series.ts'

const dayMs = 86_400_000
const judgedForMs = 7 * dayMs
const level = 400
const firstDate = '2026-03-01'
const firstNumber = dayNumber(firstDate) ?? 0
/** Days of quiet history, then days on which anything may happen, then quiet ones that end what is left. */
const [historyDays, storyDays, quietDays] = [56, 20, 9]
const totalDays = historyDays + storyDays + quietDays

interface Kept {
  state: AnomalyState
  events: AnomalyEvent[]
  day: number
  createdMs: number
}

class Model {
  readonly simulation: Simulation
  readonly values = new Map<number, SeriesDay & { isFinal: boolean }>()
  readonly dues = new Set<number>()
  readonly kept: Kept[] = []
  faults = true

  constructor(seed: number) {
    this.simulation = new Simulation({ seed, startMs: 0 })
    for (let at = 0; at < historyDays; at += 1) this.put(at, this.ordinary(), true)
  }

  ordinary(): number {
    return level + this.simulation.integer(-8, 8)
  }

  put(at: number, value: number, isFinal: boolean): void {
    this.values.set(at, { number: firstNumber + at, value, isFinal })
  }

  /** A day that becomes final, or is restated: the mark is there with it. */
  change(at: number, value: number): void {
    this.put(at, value, true)
    this.mark(at)
  }

  mark(at: number): void {
    const { simulation } = this
    this.dues.add(at)
    const lateMs = this.faults && simulation.chance(0.1) ? 2 * dayMs : 60_000
    simulation.at(simulation.nowMs + simulation.integer(0, lateMs), () => this.look(at))
    // Two processes take the same mark: the second one finds it gone, or marked anew.
    if (simulation.chance(0.2)) simulation.at(simulation.nowMs + simulation.integer(0, lateMs), () => this.look(at))
  }

  known(): KnownAnomaly[] {
    return this.kept.map(({ state: { finding, status }, day, createdMs }, index) => ({
      id: String(index),
      brandSlug: 'acme',
      campaignId: null,
      campaignIds: [],
      metric: 'clicks',
      day,
      windowDays: finding?.window_days === 7 ? 7 : 1,
      direction: finding?.direction ?? 'spike',
      isOpen: status === 'open' || status === 'acknowledged',
      isRecent: createdMs > this.simulation.nowMs - judgedForMs,
    }))
  }

  look(at: number): void {
    const day = this.values.get(at)
    if (!this.dues.has(at) || day === undefined) return
    const { nowMs } = this.simulation
    const endMs = (at + 1) * dayMs
    const days = [...this.values.values()].filter(
      (one) => (one.isFinal || one.number === day.number) && one.number <= day.number + 3,
    )
    const look: Look = {
      number: day.number,
      date: addDays(firstDate, at),
      timeZone: 'UTC',
      currency: 'EUR',
      isFinal: day.isFinal,
      isJudged: endMs <= nowMs && nowMs - endMs <= judgedForMs,
      series: [
        { brandSlug: 'acme', campaignId: null, metric: 'clicks', days: days.sort((a, b) => a.number - b.number) },
      ],
      known: this.known(),
    }
    const { found, resolved } = lookAtSeries(look)
    // The transaction is lost with its process: nothing of it is there, the mark still is.
    if (this.faults && this.simulation.chance(0.15)) {
      this.mark(at)
      return
    }
    this.dues.delete(at)
    if (look.isFinal && look.isJudged && (day.value === 0 || day.value > 2 * level))
      hold(found.length > 0 || isDamped(look, day.value), at, 'left its baseline, and nobody was told')
    for (const { id, resolution } of resolved) this.act(Number(id), { type: 'resolve', resolution, note: null })
    for (const finding of found) {
      const { direction, observed, lower, upper } = finding
      hold(observed < Number(lower) || observed > Number(upper), at, 'found within its band')
      hold(look.isJudged, at, 'found though it ended long ago')
      hold(!look.known.some((one) => one.day === day.number), at, 'a day was found twice')
      const same = look.known.filter((one) => one.direction === direction && !resolved.some(({ id }) => id === one.id))
      hold(!same.some((one) => one.isOpen || one.isRecent), at, 'found beside one of the same direction')
      this.kept.push({ state: anomalyDecider.initialState, events: [], day: day.number, createdMs: nowMs })
      this.act(this.kept.length - 1, { type: 'detect', finding })
    }
  }

  act(index: number, command: AnomalyCommand): void {
    const one = this.kept[index]
    if (one === undefined) throw new Error('an anomaly that is none')
    const decision = anomalyDecider.decide(one.state, command)
    if (!decision.accepted) throw new Error(`${command.type} of an anomaly that is ${one.state.status}`)
    one.events.push(...decision.events)
    one.state = decision.events.reduce(anomalyDecider.evolve, one.state)
  }

  /** Somebody acts on one that is not ended. */
  person(): void {
    const open = this.kept.flatMap(({ state }, index) => (state.status === 'open' ? [index] : []))
    if (open.length === 0) return
    const command = this.simulation.pick([
      { type: 'acknowledge', note: null },
      { type: 'acknowledge', note: null },
      { type: 'dismiss', reason: 'expected', note: null },
      { type: 'resolve', resolution: 'user', note: null },
    ] as const)
    this.act(this.simulation.pick(open), command)
  }
}

/** One of the day itself is known, or one of its direction that is open or recent. */
function isDamped({ known, number }: Look, value: number): boolean {
  const direction = value > level ? 'spike' : 'drop'
  return known.some((one) => one.day === number || (one.direction === direction && (one.isOpen || one.isRecent)))
}

function hold(holds: boolean, at: number, what: string): void {
  if (!holds) throw new Error(`${addDays(firstDate, at)}: ${what}`)
}

/** Runs the story of a seed to its end and gives the model. */
function simulate(seed: number): Model {
  const model = new Model(seed)
  const { simulation } = model
  const storyEndMs = (historyDays + storyDays) * dayMs
  for (let at = historyDays; at < totalDays; at += 1) {
    const endMs = (at + 1) * dayMs
    const inStory = at < historyDays + storyDays
    const isOdd = inStory && simulation.chance(0.15)
    const value = isOdd ? simulation.pick([0, level * 4]) : model.ordinary()
    simulation.at(endMs, () => {
      model.put(at, value, false)
      model.mark(at)
    })
    const finalMs = endMs + 1 + simulation.integer(0, inStory ? 2 * dayMs : 3_600_000)
    simulation.at(finalMs, () => model.change(at, value))
    // Taken back, or odd the other way; or odd so late that nobody is told any more.
    const restated = isOdd ? simulation.pick([model.ordinary(), model.ordinary(), level * 4]) : level * 4
    const afterMs = isOdd ? simulation.integer(1, 4 * dayMs) : 9 * dayMs
    if (inStory && simulation.chance(isOdd ? 0.5 : 0.05))
      simulation.at(finalMs + afterMs, () => model.change(at, restated))
  }
  for (let atMs = historyDays * dayMs; atMs < storyEndMs; atMs += dayMs)
    simulation.at(atMs + simulation.integer(0, dayMs), () => simulation.chance(0.2) && model.person())
  simulation.at(storyEndMs, () => {
    model.faults = false
  })
  simulation.runUntil((totalDays + 1) * dayMs, { stepsMax: 20_000 })
  return model
}

function judgeEnd(model: Model): void {
  expect(model.dues.size).toBe(0)
  for (const { state, events } of model.kept) {
    // Told once each, and folding what was told gives what is kept.
    expect(new Set(events.map(({ type }) => type)).size).toBe(events.length)
    expect(events.reduce(anomalyDecider.evolve, anomalyDecider.initialState)).toEqual(state)
    // Days of quiet have followed: each is over.
    expect(state.status).toMatch(/^(resolved|dismissed)$/)
  }
}

const stories = storiesToTell(fc.defaultReportMessage)

test(`in ${stories.numRuns} stories each anomaly is found once, beside none of its kind, and is over when its cause is`, () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => judgeEnd(simulate(seed))),
    { ...stories, endOnFailure: true },
  )
})

test('the stories contain what they are about', () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let seed = 1; seed <= 40; seed += 1)
    for (const { state, events } of simulate(seed).kept) {
      for (const { type } of events) count(type)
      count(`resolution ${state.resolution}`)
      count(`direction ${state.finding?.direction}`)
      count(`final ${state.finding?.is_final_day}`)
    }
  const whats =
    'AnomalyDetected AnomalyAcknowledged AnomalyResolved AnomalyDismissed,resolution restated,resolution recovered,resolution user,resolution null,direction spike,direction drop,final true,final false'
      .split(',')
      .flatMap((part) => (part.startsWith('Anomaly') ? part.split(' ') : [part]))
  expect([...seen.keys()].sort()).toEqual(whats.sort())
  expect(Math.min(...seen.values())).toBeGreaterThan(3)
})
