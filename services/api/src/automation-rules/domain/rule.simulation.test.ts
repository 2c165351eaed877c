// The rule machine in virtual time (reliability.md 6): rules that trigger each other and themselves, events that are heard late, twice and by
// two at once, transactions that are lost with their process, people who change, disable and enable rules, rights that end and come back, and
// actions that fail. First safety, after each evaluation; then all faults stop, and what waits must come to its end. Mutants of the core
// show that each rule of safety is looked at.
import { expect, test } from '@jest/globals'
import { storiesToTell } from '@wds/decider/stories.fixture'
import fc from 'fast-check'
import { brakeOf, courseOf, failuresMax } from './firing.ts'
import { authority, type Core, core, dayMs, Model, minuteMs, subjects, types } from './rule-model.fixture.ts'

/** Runs the story of a seed to its end and gives the model. */
function simulate(seed: number, using: Core = core): Model {
  const model = new Model(seed, using)
  const { simulation } = model
  const startMs = simulation.nowMs
  for (let atMs = startMs; atMs < startMs + 6 * dayMs; atMs += 90 * minuteMs) {
    simulation.at(atMs + simulation.integer(0, 90 * minuteMs), () => {
      if (simulation.chance(0.2)) model.person()
      for (let nth = simulation.integer(0, 2); nth > 0; nth -= 1)
        model.tell({ type: simulation.pick(types), subject: simulation.pick(subjects), depth: 0, by: null })
    })
  }
  simulation.runUntil(startMs + 6 * dayMs, { stepsMax: 50_000 })
  // Nothing is lost any more; who was disabled is enabled, may act, and rests no more.
  model.faults = false
  simulation.runUntil(startMs + 10 * dayMs, { stepsMax: 50_000 })
  for (const rule of model.rules) {
    rule.mayAct = true
    rule.failsUntilMs = 0
    model.command(rule, { type: 'enable', authority })
  }
  return model
}

/**
 * Liveness: nothing waits, and an event of a person that finds an enabled rule at rest makes it fire, unless what others make of that event
 * comes round to it as a loop first and disables it.
 */
function judgeEnd(model: Model): void {
  expect([...model.work.keys()]).toEqual([])
  const { simulation } = model
  const [rule] = model.rules
  if (rule === undefined) throw new Error('no rule')
  const { trigger } = model.fieldsOf(rule)
  const type = trigger.type === 'event' ? trigger.event_type : ''
  const ownOf = (all: readonly { rule: string }[]) => all.filter(({ rule: id }) => id === rule.id).length
  const endings = () => ownOf(model.firings) + ownOf(model.disabled.filter(({ reason }) => reason === 'loop_detected'))
  const before = endings()
  model.tell({ type, subject: 'cmp_1', depth: 0, by: null })
  simulation.runUntil(simulation.nowMs + minuteMs, { stepsMax: 10_000 })
  expect(endings()).toBeGreaterThan(before)
  expect(model.work.size).toBe(0)
}

const stories = storiesToTell(fc.defaultReportMessage)

test(`in ${stories.numRuns} stories a rule fires once for an event, within its brakes and rights, and never at the third step; what waits ends`, () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => judgeEnd(simulate(seed))),
    { ...stories, endOnFailure: true },
  )
})

test('regression: a rule that a loop reaches ahead of the event that began it is disabled, and the story ends', () => {
  judgeEnd(simulate(-495691556))
})

test('the stories contain what they are about', () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 40; seed += 1) {
    const { firings, disabled, events } = simulate(seed)
    for (const { status } of firings) seen.add(status)
    for (const { reason } of disabled) seen.add(reason)
    for (const { depth } of events) seen.add(`depth ${depth}`)
  }
  const statuses = ['failed', 'simulated', 'succeeded', 'suppressed']
  const reasons = ['authorization_revoked', 'loop_detected', 'too_many_failures']
  expect([...seen].sort()).toEqual([...statuses, ...reasons, 'depth 0', 'depth 1', 'depth 2'].sort())
})

let keys = 0
test.each<[string, Partial<Core>, string]>([
  [
    'a rule that acts at the third step',
    { courseOf: (o) => courseOf({ ...o, depth: Math.min(o.depth, 1) }) },
    'acted at the third step',
  ],
  [
    'a cooldown that ends too early',
    { brakeOf: (fields, history, nowMs) => brakeOf(fields, history, nowMs + 4 * minuteMs) },
    'fired within its cooldown',
  ],
  [
    'a day that counts no firings',
    { brakeOf: (fields, history, nowMs) => brakeOf(fields, { ...history, firedToday: 0 }, nowMs) },
    'fired more often in a day than it may',
  ],
  [
    'a suppression that is noted each time',
    { brakeOf: (fields, history, nowMs) => brakeOf(fields, { ...history, isSuppressionKnown: false }, nowMs) },
    'noted twice that it was held back',
  ],
  ['rights that nobody asks for', { courseOf: (o) => courseOf({ ...o, mayAct: true }) }, 'acted without the right'],
  ['six failures in a row', { failuresMax: failuresMax + 1 }, 'acted after five failures'],
  ['a key that is another each time', { keyOf: () => String(keys++) }, 'fired twice'],
  ['a brake that never ends', { brakeOf: () => 'known' }, 'toBeGreaterThan'],
])('a mutant is caught: %s', (_title, mutant, breach) => {
  const breachOf = (seed: number) => {
    try {
      judgeEnd(simulate(seed, { ...core, ...mutant }))
      return []
    } catch (error) {
      return [String(error)]
    }
  }
  const breaches = Array.from({ length: 200 }, (_, seed) => breachOf(seed)).flat()
  expect(breaches.filter((text) => text.includes(breach))).not.toEqual([])
})
