// What must hold of the ledger and its payouts (domain.md 3.9; decisions 67 and 78), and what its tables say. For the simulation alone.
import { monthAfter } from '../ledger/domain/month.ts'
import { type PayoutState, paidAmountOf } from '../payouts/domain/payout.ts'
import type { PlanFrom } from '../sub-affiliates/domain/sub-affiliate.ts'
import type { Posted, Posting } from './domain/postings.ts'
import { months, type Oracle, type Row } from './ledger-oracle.fixture.ts'

export interface Entry {
  number: number
  kind: string
  amount: bigint
  month: string
  about:
    | (Pick<Posting, 'integrationId' | 'campaignId' | 'rowCurrency' | 'rowAmount' | 'terms'> & { day: string })
    | null
  key: string
}
export interface Db {
  entries: Entry[]
  payouts: Map<string, { state: PayoutState; version: number }>
  finals: Map<string, Map<string, Row>>
  closed: Set<string>
  /** By month that is closing, what was done last: of its days, then of its accounts. */
  closing: Map<string, string>
  history: PlanFrom[]
  unrated: Set<string>
  suspended: boolean
  /** Requests that were answered. */
  keys: Set<string>
  due: Map<string, number>
}

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
export const isEarned = ({ kind }: Entry) => !kind.startsWith('payout')

/** As store-ledger.ts: less what open months come to. */
export function availableOf(db: Db): bigint {
  const pending = db.entries.filter((one) => isEarned(one) && !db.closed.has(one.month))
  return sum(db.entries.map(({ amount }) => amount)) - sum(pending.map(({ amount }) => amount))
}

/** After each transaction. `sealed`: what a month came to when it was closed. */
export function judge(db: Db, { oracle, sealed }: { oracle: Oracle; sealed: Map<string, bigint> }): void {
  const hold = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what)
  }
  for (const month of months) {
    const total = sum(db.entries.filter((one) => isEarned(one) && one.month === month).map(({ amount }) => amount))
    if (db.closed.has(month)) {
      hold((sealed.get(month) ?? total) === total, 'a closed month changed')
      hold(total >= 0n, 'a closed month is less than nothing')
      sealed.set(month, total)
    }
    hold(total === BigInt(oracle.sumOf((one) => one === month)), 'a month is not what rows and terms say')
  }
  const costs = new Map([...oracle.costs].filter(([, cost]) => cost !== 0))
  for (const { about } of db.entries) {
    if (about === null) continue
    const key = `${about.day} ${about.campaignId ?? ''} ${about.rowCurrency}`
    const left = (costs.get(key) ?? 0) - Number(about.rowAmount)
    if (left === 0) costs.delete(key)
    else costs.set(key, left)
  }
  hold(costs.size === 0, 'a cost is not what rows and terms say')
  hold(availableOf(db) >= 0n, 'paid more than was available')
  hold(availableOf(db) === BigInt(oracle.available), 'what is available is not what was earned less payouts')
  const states = [...db.payouts.values()].map(({ state }) => state)
  hold(states.reduce((paid, state) => paid + paidAmountOf(state), 0) === oracle.paidTotal, 'paid another total')
  const shown = states.map(({ status, returned_ms }) => (returned_ms === null ? status : 'returned'))
  hold(shown.join() === oracle.payouts.map(({ state }) => state).join(), 'payouts are in other states')
}

/** What store-sums.ts reads. */
export function postedOf(db: Db, day: string): Posted[] {
  const own = Map.groupBy(
    db.entries.filter(({ about }) => about?.day === day),
    ({ about }) => `${about?.campaignId} ${about?.rowCurrency}`,
  )
  return [...own.values()].flatMap((entries): Posted[] => {
    const last = entries.at(-1)
    if (last?.about == null) return []
    const { integrationId, campaignId, rowCurrency: currency, terms } = last.about
    const amount = sum(entries.map((one) => one.amount))
    const rowAmount = sum(entries.map((one) => one.about?.rowAmount ?? 0n))
    const { number } = last
    return [{ integrationId, campaignId, currency, amount, rowAmount, entries: entries.length, terms, number }]
  })
}

/** What was earned first is paid first: up to its last month there is enough, up to the one before there is not. */
export function judgeCovered(
  closed: readonly { month: string; amount: bigint }[],
  o: { period: { from: string; to: string }; paid: bigint; amount: bigint },
): void {
  const earnedBefore = (month: string) => sum(closed.filter((one) => one.month < month).map(({ amount }) => amount))
  const [from, to] = [o.period.from.slice(0, 7), o.period.to.slice(0, 7)]
  const isEnough = earnedBefore(monthAfter(to)) >= o.paid + o.amount && earnedBefore(to) < o.paid + o.amount
  const isFirst = earnedBefore(from) <= o.paid && earnedBefore(monthAfter(from)) > o.paid
  if (!isEnough || !isFirst) throw new Error('a payout of other months than were earned')
}
