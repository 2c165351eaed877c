// What the shells of the ledger write of days and months (post-day.ts, close-month.ts, keep-ledger-sums.sql), in memory and within a
// transaction. For the simulation alone.
import type { Simulation } from '@wds/decider/simulation'
import { monthAfter } from '../ledger/domain/month.ts'
import { planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { type Core, termsOf } from './ledger-acts.fixture.ts'
import { type Db, type Entry, isEarned, postedOf, sum } from './ledger-judge.fixture.ts'

export const hourMs = 3_600_000

export class Postings {
  readonly #core: Core
  readonly #simulation: Simulation

  constructor(core: Core, simulation: Simulation) {
    this.#core = core
    this.#simulation = simulation
  }

  /** As post-day.ts. */
  post(db: Db, day: string, month = this.#monthOf(db, day)): void {
    const plan = planOn({ plan_history: db.history }, day)
    if (plan === null) return
    const rows = db.finals.get(day)?.values() ?? []
    const now = [...rows].map((row) => ({
      integrationId: 'int_1',
      campaignId: row.campaign || null,
      currency: row.currency,
      qualifiedFtds: BigInt(row.ftds),
      commission: BigInt(row.commission),
      ngr: 0n,
    }))
    const posted = postedOf(db, day)
    const terms = termsOf(Number(plan.plan_id))
    const ofMonth = [...db.finals].filter(([one]) => one.slice(0, 7) === day.slice(0, 7) && one <= day)
    const ftds = ofMonth.flatMap(([, own]) => [...own.values()].map((row) => BigInt(row.ftds)))
    const fresh = this.#core.storedTerms(posted, plan.plan_id) ?? {
      plan_id: plan.plan_id,
      base: terms.base,
      rate_bps: this.#core.rateOf(terms, sum(ftds)),
      cpa: terms.cpa,
    }
    const found = this.#core.postingsOf({
      now,
      posted,
      fresh,
      rateSet: 'ecb',
      rate: (from) => {
        if (from === 'EUR') return null
        return db.unrated.has(day) ? 'missing' : { numerator: '4', denominator: '5' }
      },
    })
    for (const { kind, amount, nth, ...about } of found.postings) {
      const key = `stats_day ${day}/${about.campaignId}/${about.rowCurrency}/${nth}`
      this.append(db, { kind, amount, month, about: { ...about, day }, key })
    }
    if (found.isWhole) db.due.delete(day)
    else db.due.set(day, this.#simulation.nowMs + hourMs)
  }

  #openFrom(db: Db, month: string): string {
    return this.#core.firstOpenMonth({ closed: this.#core.endedMonths(db), days: db.finals.keys() }, month)
  }

  /** As monthOfDay. */
  #monthOf(db: Db, day: string): string {
    const month = day.slice(0, 7)
    return this.#core.isInClose(db.closing.get(month), day) ? month : this.#openFrom(db, month)
  }

  /** As close-month.ts. */
  close(db: Db, month: string): void {
    db.closed.add(month)
    for (const day of this.#core.waitingDays(db.due.keys(), month)) this.post(db, day, month)
    this.endAccount(db, month)
  }

  endAccount(db: Db, month: string): void {
    const next = this.#openFrom(db, monthAfter(month))
    const total = sum(db.entries.filter((one) => isEarned(one) && one.month === month).map(({ amount }) => amount))
    const plan = planOn({ plan_history: db.history }, `${month}-32`)
    for (const end of this.#core.monthEnd(total, termsOf(Number(plan?.plan_id)))) {
      const key = `stats_month ${month}/${end.reason ?? end.kind}/${end.month}`
      this.append(db, { ...end, month: end.month === 'this' ? month : next, about: null, key })
    }
  }

  /** As keep-ledger-sums.sql; what makes an entry makes it once. */
  append(db: Db, entry: Omit<Entry, 'number'>): void {
    if (db.entries.some(({ key }) => key === entry.key)) throw new Error(`${entry.key}: posted twice`)
    const { kind, amount, month, about, key } = entry
    db.entries.push({ kind, amount, month, about, key, number: db.entries.length + 1 })
  }
}
