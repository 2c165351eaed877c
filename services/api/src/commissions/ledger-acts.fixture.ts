// What happens to the ledger of the simulation, and what its shells ask of the core.
import type { PlanTerms } from '../commission-plans/domain/commission-plan.ts'
import { monthAfter } from '../ledger/domain/month.ts'
import { coveredMonths } from '../payouts/domain/covered-months.ts'
import { amountRefusal, dueMs, payoutDecider, postingOf } from '../payouts/domain/payout.ts'
import { plansWith } from '../sub-affiliates/domain/sub-affiliate.ts'
import { monthEnd, rateOf } from './domain/commission.ts'
import { postingsOf, storedTerms } from './domain/postings.ts'
import type { Db } from './ledger-judge.fixture.ts'
import { type Ending, months, plans, type Row } from './ledger-oracle.fixture.ts'

export const present = months[2] ?? ''

/** What the shells ask. A mutant changes one. */
export const core = {
  postingsOf,
  storedTerms,
  rateOf,
  monthEnd,
  postingOf,
  amountRefusal,
  coveredMonths,
  dueMs,
  plansWith,
  decide: payoutDecider.decide,
  /** The first integration is of the present month. */
  firstOpenMonth(o: { closed: ReadonlySet<string>; days: Iterable<string> }, from: string): string {
    const held = new Set([...o.days].map((day) => day.slice(0, 7)))
    let month = from
    while (o.closed.has(month) || (month < present && !held.has(month))) month = monthAfter(month)
    return month
  },
  /** Days of the month that wait to be posted, in their order. */
  waitingDays: (subjects: Iterable<string>, month: string) =>
    [...subjects].filter((one) => one.startsWith(month) && one.length > month.length).sort(),
  /** As monthOfDay: the close of its month has not gone past the day. */
  isInClose: (doneTo: string | undefined, day: string) => doneTo !== undefined && doneTo < day,
  /** Months in which nothing new is posted. */
  endedMonths: (db: Pick<Db, 'closed' | 'closing'>): Set<string> => new Set([...db.closed, ...db.closing.keys()]),
  /** Whether a month that is closing is closed with this transaction. */
  isPosted: (step: 'days' | 'accounts' | 'end'): boolean => step === 'end',
}
export type Core = typeof core

export type Act = {
  afterHours: number
  lost: number
  repeated: number
} /** `inTurns`: its month's close is as large as that of thousands. */ & (
  | { do: 'day'; day: number; rows: Row[]; closes: boolean; inTurns?: boolean }
  | { do: 'rates'; day: number }
  | { do: 'plan'; plan: number; from: number }
  | { do: 'adjust'; amount: number }
  | { do: 'pay'; percent: number; inDays: number }
  | { do: 'payout'; which: number; how: Ending | 'hold' | 'release' }
  | { do: 'suspend' | 'reactivate' }
)

export const termsOf = (plan: number): PlanTerms =>
  ({
    cpa: null,
    revshare_bps: null,
    tiers: [],
    base: 'commission',
    cap: null,
    ...structuredClone(plans[plan]),
  }) as unknown as PlanTerms
