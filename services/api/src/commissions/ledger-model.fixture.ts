// The ledger of a sub-affiliate and its payouts as their shells run them (look-at-day.ts, close-month.ts, the loop of what is due), in memory
// and in virtual time: a transaction is there as a whole or not at all, and is compared with the oracle. For the simulation alone.
import { Simulation } from '@wds/decider/simulation'
import { type Act, type Core, present } from './ledger-acts.fixture.ts'
import { type Db, judge } from './ledger-judge.fixture.ts'
import { days, Oracle, type Told } from './ledger-oracle.fixture.ts'
import { Payouts } from './ledger-payouts.fixture.ts'
import { Postings } from './ledger-postings.fixture.ts'

const secondMs = 1_000
/** Behind all days. */
const accountId = 'sub_1'
const isDay = (subject: string) => /^\d{4}-\d\d-/.test(subject)
const isMonth = (subject: string) => /^\d{4}-\d\d$/.test(subject)
type Change = (db: Db) => Told | null

export class Model {
  readonly simulation = new Simulation({ seed: 1, startMs: Date.parse(`${present}-10T08:00:00Z`) })
  readonly oracle = new Oracle()
  readonly core: Core
  readonly #postings: Postings
  readonly #payouts: Payouts
  readonly refused = new Set<string>()
  /** What a month came to when it was closed. */
  readonly sealed = new Map<string, bigint>()
  db: Db
  #requests = 0

  constructor(core: Core, unrated: readonly number[]) {
    const { simulation, oracle, refused } = this
    this.core = core
    this.#postings = new Postings(core, simulation)
    this.#payouts = new Payouts({ core, simulation, oracle, refused, postings: this.#postings })
    const history = [{ plan_id: '0', effective_from: days[0] ?? '' }]
    const dollarless = unrated.map((at) => days[at] ?? '')
    this.db = {
      entries: [],
      payouts: new Map(),
      finals: new Map(),
      closed: new Set(),
      closing: new Map(),
      history,
      suspended: false,
      unrated: new Set(dollarless),
      keys: new Set(),
      due: new Map(),
    }
    for (const day of dollarless) this.oracle.unrated.add(day)
  }

  act(one: Act): void {
    const change = this.changeOf(one)
    for (let nth = 0; nth < one.lost; nth += 1) this.transact(change, 'lost')
    for (let nth = 0; nth <= one.repeated; nth += 1) this.transact(change, 'kept')
  }

  transact(change: Change, end: 'lost' | 'kept'): void {
    const { payouts, finals, closed, closing, unrated, keys, due, entries, ...rest } = this.db
    const maps = { payouts: new Map(payouts), finals: new Map(finals), due: new Map(due), closing: new Map(closing) }
    const sets = { closed: new Set(closed), unrated: new Set(unrated), keys: new Set(keys) }
    const db: Db = { ...rest, ...maps, ...sets, entries: [...entries] }
    const told = change(db)
    if (told === null || end === 'lost') return
    told()
    judge(db, { oracle: this.oracle, sealed: this.sealed })
    this.db = db
    for (const [subject, atMs] of db.due) if (due.get(subject) !== atMs) this.simulation.at(atMs, () => this.work())
  }

  private changeOf(one: Act): Change {
    switch (one.do) {
      case 'day':
        return (db) => this.roll(db, one)
      case 'rates':
        return (db) => this.importRates(db, days[one.day] ?? '')
      case 'plan':
        return (db) => this.changePlan(db, one)
      case 'adjust': {
        const key = `adjust ${this.#requests++}`
        return (db) =>
          this.once(db, key, () => {
            this.#postings.append(db, {
              kind: 'adjustment',
              amount: BigInt(one.amount),
              month: present,
              about: null,
              key,
            })
            return () => this.oracle.adjust(one.amount)
          })
      }
      case 'pay': {
        const key = `pay ${this.#requests++}`
        return (db) => this.once(db, key, () => this.#payouts.pay(db, one))
      }
      case 'payout': {
        const [id, seen] = [...this.db.payouts][one.which] ?? []
        return (db) =>
          id === undefined || db.payouts.get(id)?.version !== seen?.version ? null : this.#payouts.end(db, id, one.how)
      }
      default:
        return (db) => this.#payouts.suspend(db, one.do === 'suspend')
    }
  }

  /** As the kit does with an Idempotency-Key. */
  private once(db: Db, key: string, change: () => Told | null): Told | null {
    if (db.keys.has(key)) return null
    db.keys.add(key)
    return change()
  }

  /** As look-at-day.ts: the rollup, its postings, and its month where it was the last day. The same numbers again are no revision. */
  private roll(db: Db, { day: at, rows, closes, inTurns }: Extract<Act, { do: 'day' }>): Told | null {
    const day = days[at] ?? ''
    const known = db.finals.get(day)
    const now = new Map(known)
    for (const row of rows) now.set(`${row.campaign} ${row.currency}`, row)
    db.finals.set(day, now)
    this.#postings.post(db, day)
    const month = day.slice(0, 7)
    const isWhole = days.every((one) => !one.startsWith(month) || db.finals.has(one))
    const isOpen = !db.closed.has(month) && !db.closing.has(month)
    const isClosed = known === undefined && month !== present && isOpen && (closes || isWhole)
    if (isClosed && inTurns) {
      db.closing.set(month, '')
      db.due.set(month, this.simulation.nowMs)
    } else if (isClosed) this.#postings.close(db, month)
    return () => {
      this.oracle.roll(day, rows)
      if (isClosed && inTurns) this.oracle.beginClose(month)
      else if (isClosed) this.oracle.close(month)
    }
  }

  /** As closeLedgerMonth, of which each transaction does as little as it can: a day, the account, or nothing but the end. */
  private continueClose(db: Db, month: string): Told {
    const doneTo = db.closing.get(month) ?? ''
    db.due.set(month, this.simulation.nowMs + secondMs)
    const day = this.core.waitingDays(db.due.keys(), month).find((one) => one > doneTo)
    const step = day !== undefined ? 'days' : doneTo < accountId ? 'accounts' : 'end'
    if (day !== undefined) this.#postings.post(db, day, month)
    if (step === 'accounts') this.#postings.endAccount(db, month)
    db.closing.set(month, day ?? accountId)
    const isPosted = this.core.isPosted(step)
    if (isPosted) {
      db.closing.delete(month)
      db.due.delete(month)
      db.closed.add(month)
    }
    return () => {
      if (day !== undefined) this.oracle.passDay(day)
      if (step === 'accounts') this.oracle.endAccount(month)
      if (step === 'end') this.oracle.closed.add(month)
    }
  }

  private importRates(db: Db, day: string): Told | null {
    if (!db.unrated.delete(day)) return null
    for (const one of db.due.keys()) if (isDay(one)) db.due.set(one, this.simulation.nowMs)
    return () => this.oracle.unrated.delete(day)
  }

  private changePlan(db: Db, { plan, from: at }: Extract<Act, { do: 'plan' }>): Told | null {
    const from = days[at] ?? ''
    const ended = this.core.endedMonths(db)
    if (ended.has(from.slice(0, 7))) {
      this.refused.add('period_closed')
      return null
    }
    const closed = [...ended].filter((month) => month > from).sort()
    db.history = this.core.plansWith(db.history, { plan_id: String(plan), effective_from: from }, closed)
    for (const day of db.finals.keys())
      if (day >= from && !ended.has(day.slice(0, 7))) db.due.set(day, this.simulation.nowMs)
    return () => this.oracle.assign(plan, from)
  }

  /** What is due for longest, one transaction. */
  private work(): void {
    const { nowMs } = this.simulation
    const [next] = [...this.db.due]
      .filter(([, atMs]) => atMs <= nowMs)
      .sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    if (next === undefined) return
    const [subject] = next
    this.transact((db) => {
      db.due.delete(subject)
      if (isMonth(subject)) return this.continueClose(db, subject)
      if (isDay(subject)) {
        this.#postings.post(db, subject)
        return () => this.oracle.post(subject)
      }
      if (db.suspended || !this.#payouts.command(db, subject, { type: 'process' })) return () => {}
      return () => this.oracle.process(this.oracle.payouts.filter(({ id }) => id === subject))
    }, 'kept')
  }
}
