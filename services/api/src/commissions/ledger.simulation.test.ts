// The ledger and its payouts in virtual time (reliability.md 6): days that become final in any order, are restated and wait for rates, plans
// that change, months that close, payouts that are held, fail, come back, and a suspension; transactions that are lost with their process,
// requests that are sent again. First safety, after each transaction; then faults stop, and what is owed can be paid. A story is a list, so
// that a failing one is printed as the shortest that fails. Mutants of the core show that each rule of safety is looked at.
import { expect, test } from '@jest/globals'
import { storiesToTell } from '@wds/decider/stories.fixture'
import fc from 'fast-check'
import { type Act, type Core, core } from './ledger-acts.fixture.ts'
import { availableOf } from './ledger-judge.fixture.ts'
import { Model } from './ledger-model.fixture.ts'
import { days, plans, type Row } from './ledger-oracle.fixture.ts'
import { hourMs } from './ledger-postings.fixture.ts'

const day = fc.nat(days.length - 1)
const row: fc.Arbitrary<Row> = fc.record({
  campaign: fc.constantFrom('c1', 'c2'),
  currency: fc.constantFrom('EUR', 'USD'),
  ftds: fc.nat(5),
  commission: fc.integer({ min: -6_000, max: 9_000 }),
})
const often = { afterHours: fc.oneof(fc.constant(0), fc.nat(40)), lost: fc.nat(1), repeated: fc.nat(1) }
const which = fc.nat(6)
const hows = ['cancel', 'mark-paid', 'mark-paid', 'mark-failed', 'record-return', 'hold', 'release'] as const
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('day'),
      day,
      rows: fc.array(row, { minLength: 1, maxLength: 3 }),
      closes: fc.boolean(),
      inTurns: fc.boolean(),
      ...often,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('plan'), plan: fc.nat(plans.length - 1), from: day, ...often }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rates'), day, ...often }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust'), amount: fc.constantFrom(-700, -1, 1, 700), ...often }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay'),
      percent: fc.constantFrom(1, 30, 60, 100, 120),
      inDays: fc.nat(3),
      ...often,
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('payout'), which, how: fc.constantFrom(...hows), ...often }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('suspend', 'reactivate', 'reactivate'), ...often }) },
) as fc.Arbitrary<Act>
interface Story {
  /** Days without a rate of dollars at first. */
  unrated: number[]
  acts: Act[]
}
const story: fc.Arbitrary<Story> = fc.record({
  unrated: fc.uniqueArray(day, { maxLength: 2 }),
  acts: fc.array(act, { minLength: 30, maxLength: 80 }),
})
const stepsMax = 10_000

function tell({ unrated, acts }: Story, using: Core = core): Model {
  const model = new Model(using, unrated)
  for (const one of acts) {
    // At once: before the worker has come to what is due.
    if (one.afterHours > 0) model.simulation.runUntil(model.simulation.nowMs + one.afterHours * hourMs, { stepsMax })
    model.act(one)
  }
  return model
}

/** Liveness: rates come, nothing is held any more; then each payout goes out and ends, and all that is available can be paid. */
function judgeEnd(model: Model): void {
  const { simulation } = model
  const now = { afterHours: 0, lost: 0, repeated: 0 }
  const settle = () => simulation.runUntil(simulation.nowMs + 5 * 24 * hourMs, { stepsMax })
  for (const at of days.keys()) model.act({ do: 'rates', day: at, ...now })
  model.act({ do: 'reactivate', ...now })
  for (const which of [...model.db.payouts.keys()].keys()) model.act({ do: 'payout', which, how: 'release', ...now })
  settle()
  expect(model.db.due.size).toBe(0)
  model.act({ do: 'pay', percent: 100, inDays: 1, ...now })
  settle()
  const states = () => [...model.db.payouts.values()].map(({ state }) => state)
  expect(states().filter(({ status }) => status === 'scheduled')).toEqual([])
  for (const which of states().keys()) model.act({ do: 'payout', which, how: 'mark-paid', ...now })
  expect(states().filter(({ status }) => status === 'processing')).toEqual([])
  expect(availableOf(model.db) < 50n).toBe(true)
}

const at = { afterHours: 0, lost: 0, repeated: 0 }
const of = (commission: number, more: Partial<Row> = {}): Row => ({
  campaign: 'c1',
  currency: 'EUR',
  ftds: 3,
  commission,
  ...more,
})
/** The later one of the past months closes first: its days are 2 and 3. */
test.each<[string, Story, number]>([
  [
    'a plan from a day of an earlier, open month on does not hold for a day of it that is restated',
    {
      unrated: [],
      acts: [
        { do: 'day', day: 2, rows: [of(1_000)], closes: true, ...at },
        { do: 'plan', plan: 2, from: 0, ...at },
        { do: 'day', day: 2, rows: [of(1_100)], closes: false, ...at, afterHours: 1 },
      ],
    },
    122,
  ],
  [
    'nor for one that waits for a rate, of which a part was posted or nothing',
    {
      unrated: [2, 3],
      acts: [
        { do: 'day', day: 3, rows: [of(1_000, { currency: 'USD' })], closes: false, ...at },
        { do: 'day', day: 2, rows: [of(1_000), of(1_000, { campaign: 'c2', currency: 'USD' })], closes: true, ...at },
        { do: 'plan', plan: 2, from: 0, ...at },
        { do: 'rates', day: 2, ...at, afterHours: 2 },
        { do: 'rates', day: 3, ...at, afterHours: 2 },
      ],
    },
    // By the tiers of the first plan: 1,111 basis points of ten euros and of ten dollars, and 3,333 of ten dollars.
    111 + 89 + 267,
  ],
  [
    'a change of plan that waits while its month closes counts in it',
    {
      unrated: [],
      acts: [
        { do: 'day', day: 2, rows: [of(1_000)], closes: false, ...at },
        { do: 'plan', plan: 2, from: 2, ...at },
        { do: 'day', day: 3, rows: [of(0)], closes: true, ...at },
      ],
    },
    500,
  ],
])('regression: in a month that is closed, %s', (_title, story, earned) => {
  const model = tell(story)
  model.simulation.runUntil(model.simulation.nowMs + 3 * hourMs, { stepsMax })
  expect(Number(model.db.entries.reduce((all, { amount }) => all + amount, 0n))).toBe(earned)
})

const stories = storiesToTell(fc.defaultReportMessage)

test(`in ${stories.numRuns} stories the ledger is what rows and terms say, a closed month never changes, no more is paid than was earned; what is owed ends`, () => {
  fc.assert(
    fc.property(story, (one) => judgeEnd(tell(one))),
    stories,
  )
})

test('the stories contain what they are about', () => {
  const seen = new Set<string>()
  for (const one of fc.sample(story, { numRuns: 100, seed: 1 })) {
    const { db, refused } = tell(one)
    for (const code of refused) seen.add(code)
    for (const { kind } of db.entries) seen.add(kind)
    for (const { state } of db.payouts.values()) seen.add(state.returned_ms === null ? state.status : 'returned')
    for (const { key } of db.entries) if (key.startsWith('stats_month')) seen.add(key.split('/')[1] ?? '')
    for (const { about } of db.entries) if (about?.terms.rate_bps === 3_333) seen.add('the highest tier')
  }
  expect([...seen].sort()).toEqual(
    [
      ...[
        'accrual',
        'adjustment',
        'carryover',
        'payout',
        'payout_reversal',
        'negative_floor',
        'cap',
        'the highest tier',
      ],
      ...['scheduled', 'processing', 'paid', 'returned', 'failed', 'canceled', 'period_closed', 'below_minimum'],
      ...['insufficient_balance', 'invalid_state', 'suspended'],
    ].sort(),
  )
})

const ofMonth = 'a month is not what rows and terms say'
test.each<[string, Partial<Core>, string]>([
  [
    'a restatement at the rate of now',
    {
      storedTerms: () => null,
      postingsOf: (o) => {
        const posted = o.posted.map((one) => ({ ...one, terms: { ...one.terms, plan_id: 'of another plan' } }))
        return core.postingsOf({ ...o, posted })
      },
    },
    ofMonth,
  ],
  [
    'a restatement that is posted whole',
    { postingsOf: (o) => core.postingsOf({ ...o, posted: o.posted.map((one) => ({ ...one, amount: 0n })) }) },
    ofMonth,
  ],
  ['a day that is posted again', { postingsOf: (o) => core.postingsOf({ ...o, posted: [] }) }, 'posted twice'],
  [
    'a cost in the payout currency',
    {
      postingsOf(o) {
        const { postings, isWhole } = core.postingsOf(o)
        return { postings: postings.map((one) => ({ ...one, rowAmount: one.amount })), isWhole }
      },
    },
    'a cost is not',
  ],
  ['dollars for euros', { postingsOf: (o) => core.postingsOf({ ...o, rate: () => null }) }, ofMonth],
  ['a tier too early', { rateOf: (plan, ftds) => core.rateOf(plan, ftds + 1n) }, ofMonth],
  [
    'a carryover that nobody takes back',
    { monthEnd: (...o) => core.monthEnd(...o).filter(({ month }) => month === 'this') },
    ofMonth,
  ],
  [
    'a month below nothing',
    { monthEnd: (...o) => core.monthEnd(...o).filter(({ reason }) => reason === 'cap') },
    'a closed month is less than nothing',
  ],
  [
    'a month without its cap',
    { monthEnd: (...o) => core.monthEnd(...o).filter(({ reason }) => reason !== 'cap') },
    ofMonth,
  ],
  [
    'a change of plan in a later month that is closed',
    { plansWith: (plans, plan) => core.plansWith(plans, plan, []) },
    ofMonth,
  ],
  ['a change of plan that is lost while its month closes', { waitingDays: () => [] }, 'is not what rows and terms say'],
  ['an entry in a closed month', { firstOpenMonth: (_, from) => from }, 'a closed month'],
  [
    'an entry in a month whose account is ended',
    { endedMonths: ({ closed }) => closed },
    'is not what rows and terms say',
  ],
  ['a change of plan in the next month, since the close has not come to it', { isInClose: () => false }, ofMonth],
  [
    'a month that is closed before its account is ended',
    { isPosted: (step) => step !== 'days' },
    'what is available is not',
  ],
  ['a month that is never closed', { isPosted: () => false }, 'what is available is not'],
  [
    'an entry in a month that never closes',
    { firstOpenMonth: ({ closed }, from) => core.firstOpenMonth({ closed, days }, from) },
    ofMonth,
  ],
  [
    'a return that brings nothing back',
    { postingOf: (event) => (event.type === 'PayoutReturned' ? 0 : core.postingOf(event)) },
    'what is available is not',
  ],
  [
    'a failure that takes once more',
    { postingOf: (event) => (event.type === 'PayoutFailed' ? -1 : core.postingOf(event)) },
    'posted twice',
  ],
  ['a payout of more than there is', { amountRefusal: () => null }, 'more than was earned'],
  [
    'a payout of months that were paid',
    { coveredMonths: (months, o) => core.coveredMonths(months, { ...o, paid: 0n }) },
    'a payout of other months',
  ],
  [
    'what is held goes out',
    {
      decide: (state, command) => core.decide(command.type === 'mark_paid' ? { ...state, held: null } : state, command),
    },
    'paid though it is held',
  ],
  [
    'a suspension that nobody looks at',
    {
      decide: (state, command) =>
        core.decide(state, command.type === 'mark_paid' ? { ...command, isSuspended: false } : command),
    },
    'paid though it is held',
  ],
  ['a day that never comes', { dueMs: () => null }, 'toEqual'],
])('a mutant is caught: %s', (_title, mutant, breach) => {
  const using = { ...core, ...mutant }
  const found = fc.check(
    fc.property(story, (one) => judgeEnd(tell(one, using))),
    { numRuns: 400, seed: 7, endOnFailure: true },
  )
  expect(String(found.errorInstance)).toContain(breach)
})
