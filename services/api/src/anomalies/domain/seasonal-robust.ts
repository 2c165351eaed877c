// Decides whether a value of a series left its baseline: the method `seasonal_robust_v1` (domain.md 8.2). Floating point: nothing here
// is money that is kept. It never decides which series are watched, nor how many anomalies are told (8.3).
import { medianOf, weekdayFactors } from './robust-statistics.ts'

/** A final day of a series. `number`: days since any origin; weekdays are told apart by it modulo 7. */
export interface SeriesDay {
  number: number
  value: number
}

export type SeriesKind =
  | { type: 'count' }
  /** `minAbs`: the least difference that counts, 50 major units of the base currency. */
  | { type: 'money'; minAbs: number }

export interface Judgement {
  expected: number
  lower: number
  upper: number
  score: number
  direction: 'spike' | 'drop'
  severity: 'low' | 'medium' | 'high'
  baselineDays: number
  isFlagged: boolean
}

/** Why a day is not judged. */
export type NotJudged = 'insufficient_history' | 'no_variation'

const historyDays = 56
const historyDaysMin = 28
const levelDays = 28
const weekDays = 7
/** Steps 5 to 7: how far is far, and how much is much. */
// minAbs: 0 where 6 are expected is by chance one day in 400 of every such series (Poisson), 0 where 8 are one in 3,000.
const countRules = { k: 5, minAbs: 8, hasCountFloor: true }
const moneyRules = { k: 6, hasCountFloor: false }
const weekRules = { k: 4, minAbs: 10, hasCountFloor: true }
const shareMin = 0.3

/** The days of the history of day `number`: those of the 56 before it. `days` in their order. */
function historyOf(days: readonly SeriesDay[], number: number): SeriesDay[] {
  return days.filter((day) => day.number < number && day.number >= number - historyDays)
}

/** The test of one day against the final days before it (steps 1 to 7, 9). */
export function judgeDay(days: readonly SeriesDay[], today: SeriesDay, kind: SeriesKind): Judgement | NotJudged {
  const history = historyOf(days, today.number)
  if (history.length < historyDaysMin) return 'insufficient_history'
  if (history.every(({ value }) => value === 0)) return 'no_variation'
  const scale = kind.type === 'money' ? medianOf(history.map(({ value }) => Math.abs(value))) : 1
  if (scale === 0) return 'no_variation'
  const isMoney = kind.type === 'money'
  const curve = isMoney ? signedCurve(scale) : countCurve
  const y = history.map(({ value }) => curve.to(value))
  const factorOf = weekdayFactors(history.map(({ number }, at) => ({ weekday: weekdayOf(number), y: y[at] as number })))
  const rest = history.map(({ number }, at) => (y[at] as number) - factorOf(weekdayOf(number)))
  const rules = isMoney ? { ...moneyRules, minAbs: kind.minAbs } : countRules
  const factor = factorOf(weekdayOf(today.number))
  return judge({ rest, factor, value: today.value, curve, rules, baselineDays: history.length })
}

/** The weekly test of a count series of low volume (step 8); null where its volume is not low. */
export function judgeWeek(days: readonly SeriesDay[], number: number): Judgement | NotJudged | null {
  const known = new Map(days.map((day) => [day.number, day.value]))
  const sumEnding = (at: number): number | null => {
    let sum = 0
    for (let day = at - weekDays + 1; day <= at; day += 1) {
      const value = known.get(day)
      if (value === undefined) return null
      sum += value
    }
    return sum
  }
  const value = sumEnding(number)
  const sums: number[] = []
  for (let end = number - historyDays + weekDays - 1; end <= number - weekDays; end += 1) {
    const sum = sumEnding(end)
    if (sum !== null) sums.push(sum)
  }
  if (value === null || sums.length < historyDaysMin) return 'insufficient_history'
  if (sums.every((sum) => sum === 0)) return 'no_variation'
  const rest = sums.map(countCurve.to)
  return judge({ rest, factor: 0, value, curve: countCurve, rules: weekRules, baselineDays: sums.length })
}

/** Expected counts below this have the weekly test besides. */
export const lowVolumeBelow = 30

function judge(o: {
  /** The history without its weekdays, in the order of days. */
  rest: readonly number[]
  factor: number
  value: number
  curve: Curve
  rules: { k: number; minAbs: number; hasCountFloor: boolean }
  baselineDays: number
}): Judgement {
  const { rest, factor, value, curve, rules } = o
  const level = medianOf(rest.slice(-levelDays))
  const errors = rest.map((r) => r - level)
  const expected = curve.from(level + factor)
  const middle = medianOf(errors)
  const spread = 1.4826 * medianOf(errors.map((e) => Math.abs(e - middle)))
  const floor = rules.hasCountFloor ? 1 / Math.sqrt(Math.max(expected, 0) + 1) : 0
  const sigma = Math.max(spread, 0.05, floor)
  const score = Math.abs(curve.to(value) - factor - level) / sigma
  const difference = Math.abs(value - expected)
  return {
    expected,
    lower: curve.from(level + factor - rules.k * sigma),
    upper: curve.from(level + factor + rules.k * sigma),
    score,
    direction: value < expected ? 'drop' : 'spike',
    severity: score <= 8 ? 'low' : score <= 15 ? 'medium' : 'high',
    baselineDays: o.baselineDays,
    isFlagged: score > rules.k && difference >= Math.max(shareMin * Math.abs(expected), rules.minAbs),
  }
}

interface Curve {
  to(value: number): number
  from(y: number): number
}

const countCurve: Curve = { to: (value) => Math.log(value + 1), from: (y) => Math.exp(y) - 1 }

function signedCurve(scale: number): Curve {
  return { to: (value) => Math.asinh(value / scale), from: (y) => scale * Math.sinh(y) }
}

function weekdayOf(number: number): number {
  return ((number % weekDays) + weekDays) % weekDays
}
