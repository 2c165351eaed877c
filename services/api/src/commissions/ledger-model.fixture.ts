// The ledger of a sub-affiliate and its payouts as their shells run them (post-day.ts, close-month.ts, payouts/routes.ts, begin-processing.ts),
// in memory and in virtual time: a transaction is there as a whole or not at all, and is compared with the oracle. For the simulation alone.
import { Simulation } from '@wds/decider/simulation'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import { monthAfter } from '../ledger/domain/month.ts'
import { type PayoutCommand, payoutDecider } from '../payouts/domain/payout.ts'
import { planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { type Act, type Core, present, termsOf } from './ledger-acts.fixture.ts'
import {
  availableOf,
  type Db,
  type Entry,
  isEarned,
  judge,
  judgeCovered,
  postedOf,
  sum,
} from './ledger-judge.fixture.ts'
import { days, type Ending, months, Oracle } from './ledger-oracle.fixture.ts'

export const hourMs = 3_600_000
const secondMs = 1_000
/** Behind all days. */
const accountId = 'sub_1'
const isDay = (subject: string) => /^\d{4}-\d\d-/.test(subject)
const isMonth = (subject: string) => /^\d{4}-\d\d$/.test(subject)
/** What the oracle is told once the transaction is kept. */
type Told = () => void
type Change = (db: Db) => Told | null

export class Model {
  readonly simulation = new Simulation({ seed: 1, startMs: Date.parse(`${present}-10T08:00:00Z`) })
  readonly oracle = new Oracle()
  readonly core: Core
  readonly refused = new Set<string>()
  /** What a month came to when it was closed. */
  readonly sealed = new Map<string, bigint>()
  db: Db
  #requests = 0

  constructor(core: Core, unrated: readonly number[]) {
    this.core = core
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
            this.append(db, { kind: 'adjustment', amount: BigInt(one.amount), month: present, about: null, key })
            return () => this.oracle.adjust(one.amount)
          })
      }
      case 'pay': {
        const key = `pay ${this.#requests++}`
        return (db) => this.once(db, key, () => this.pay(db, one))
      }
      case 'payout': {
        const [id, seen] = [...this.db.payouts][one.which] ?? []
        return (db) =>
          id === undefined || db.payouts.get(id)?.version !== seen?.version ? null : this.end(db, id, one.how)
      }
      default:
        return (db) => this.suspend(db, one.do === 'suspend')
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
    this.post(db, day)
    const month = day.slice(0, 7)
    const isWhole = days.every((one) => !one.startsWith(month) || db.finals.has(one))
    const isOpen = !db.closed.has(month) && !db.closing.has(month)
    const isClosed = known === undefined && month !== present && isOpen && (closes || isWhole)
    if (isClosed && inTurns) {
      db.closing.set(month, '')
      db.due.set(month, this.simulation.nowMs)
    } else if (isClosed) this.close(db, month)
    return () => {
      this.oracle.roll(day, rows)
      if (isClosed && inTurns) this.oracle.beginClose(month)
      else if (isClosed) this.oracle.close(month)
    }
  }

  /** As post-day.ts. */
  private post(db: Db, day: string, month = this.monthOf(db, day)): void {
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
    const fresh = this.core.storedTerms(posted, plan.plan_id) ?? {
      plan_id: plan.plan_id,
      base: terms.base,
      rate_bps: this.core.rateOf(terms, sum(ftds)),
      cpa: terms.cpa,
    }
    const found = this.core.postingsOf({
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
    else db.due.set(day, this.simulation.nowMs + hourMs)
  }

  private openFrom(db: Db, month: string): string {
    return this.core.firstOpenMonth({ closed: this.core.endedMonths(db), days: db.finals.keys() }, month)
  }

  /** As monthOfDay. */
  private monthOf(db: Db, day: string): string {
    const month = day.slice(0, 7)
    return this.core.isInClose(db.closing.get(month), day) ? month : this.openFrom(db, month)
  }

  /** As close-month.ts. */
  private close(db: Db, month: string): void {
    db.closed.add(month)
    for (const day of this.core.waitingDays(db.due.keys(), month)) this.post(db, day, month)
    this.endAccount(db, month)
  }

  /** As closeLedgerMonth, of which each transaction does as little as it can: a day, the account, or nothing but the end. */
  private continueClose(db: Db, month: string): Told {
    const doneTo = db.closing.get(month) ?? ''
    db.due.set(month, this.simulation.nowMs + secondMs)
    const day = this.core.waitingDays(db.due.keys(), month).find((one) => one > doneTo)
    const step = day !== undefined ? 'days' : doneTo < accountId ? 'accounts' : 'end'
    if (day !== undefined) this.post(db, day, month)
    if (step === 'accounts') this.endAccount(db, month)
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

  private endAccount(db: Db, month: string): void {
    const next = this.openFrom(db, monthAfter(month))
    const total = sum(db.entries.filter((one) => isEarned(one) && one.month === month).map(({ amount }) => amount))
    const plan = planOn({ plan_history: db.history }, `${month}-32`)
    for (const end of this.core.monthEnd(total, termsOf(Number(plan?.plan_id)))) {
      const key = `stats_month ${month}/${end.reason ?? end.kind}/${end.month}`
      this.append(db, { ...end, month: end.month === 'this' ? month : next, about: null, key })
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

  /** As createPayout: all that is available at most. */
  private pay(db: Db, { percent, inDays }: { percent: number; inDays: number }): Told | null {
    const available = availableOf(db)
    const amount = (available * BigInt(percent) + 99n) / 100n || 1n
    const refusal = db.suspended ? 'suspended' : this.core.amountRefusal({ amount, available, minimum: 50n })
    if (refusal !== null) {
      this.refused.add(refusal)
      return null
    }
    const closed = months.flatMap((month) => {
      const own = db.entries.filter((one) => isEarned(one) && one.month === month)
      const total = sum(own.map((one) => one.amount))
      return db.closed.has(month) ? [{ month, amount: total, entries: own.length }] : []
    })
    const earned = sum(closed.map((one) => one.amount))
    const covered = this.core.coveredMonths(closed, { paid: earned - available, amount })
    judgeCovered(closed, { ...covered, paid: earned - available, amount })
    const id = `pyo_${db.payouts.size}`
    const today = localDate(this.simulation.nowMs, 'UTC')
    const fields = {
      sub_affiliate_id: 'sub_1',
      amount: Number(amount),
      currency: 'EUR',
      ...covered,
      scheduled_for: addDays(today, inDays),
      time_zone: 'UTC',
    }
    return this.command(db, id, { type: 'create', fields })
      ? () => this.oracle.payouts.push({ id, amount: Number(amount), state: 'scheduled' })
      : null
  }

  private end(db: Db, id: string, how: Ending | 'hold' | 'release'): Told | null {
    const paidMs = this.simulation.nowMs
    const commands: Record<typeof how, PayoutCommand> = {
      cancel: { type: 'cancel' },
      'mark-paid': { type: 'mark_paid', paidMs, reference: null, isSuspended: db.suspended },
      'mark-failed': { type: 'mark_failed', code: 'limit' },
      'record-return': { type: 'record_return', returnedMs: paidMs },
      hold: { type: 'hold', hold: { by_rule_id: null, reason: 'other' } },
      release: { type: 'release' },
    }
    if (!this.command(db, id, commands[how])) return null
    const which = this.oracle.payouts.findIndex((one) => one.id === id)
    return () => {
      if (how === 'hold' || how === 'release') return
      if (!this.oracle.end(which, how)) throw new Error(`${id}: ${how} in a state that has no such end`)
    }
  }

  /** As the aggregate: decided, folded, posted. False where it is refused. */
  private command(db: Db, id: string, command: PayoutCommand): boolean {
    const known = db.payouts.get(id) ?? { state: payoutDecider.initialState, version: 0 }
    const decision = this.core.decide(known.state, command)
    if (!decision.accepted) {
      this.refused.add(decision.rejection.code)
      return false
    }
    const goesOut = command.type === 'process' || (command.type === 'mark_paid' && known.state.status === 'scheduled')
    if (goesOut && (known.state.held !== null || db.suspended)) throw new Error(`${id}: paid though it is held`)
    const state = decision.events.reduce(payoutDecider.evolve, known.state)
    db.payouts.set(id, { state, version: known.version + decision.events.length })
    for (const event of decision.events) {
      const sign = this.core.postingOf(event)
      if (sign === 0) continue
      const kind = sign < 0 ? 'payout' : 'payout_reversal'
      const amount = BigInt(sign * (state.fields?.amount ?? 0))
      this.append(db, { kind, amount, month: present, about: null, key: `${kind} ${id}` })
    }
    const atMs = this.core.dueMs(state)
    if (atMs === null) db.due.delete(id)
    else db.due.set(id, Math.max(atMs, this.simulation.nowMs))
    return true
  }

  /** Whose return has the payouts looked at that waited. */
  private suspend(db: Db, suspended: boolean): Told | null {
    db.suspended = suspended
    for (const [id, { state }] of db.payouts) {
      const atMs = this.core.dueMs(state)
      if (!suspended && atMs !== null) db.due.set(id, Math.max(atMs, this.simulation.nowMs))
    }
    return () => {}
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
        this.post(db, subject)
        return () => this.oracle.post(subject)
      }
      if (db.suspended || !this.command(db, subject, { type: 'process' })) return () => {}
      return () => this.oracle.process(this.oracle.payouts.filter(({ id }) => id === subject))
    }, 'kept')
  }

  /** As keep-ledger-sums.sql; what makes an entry makes it once. */
  private append(db: Db, entry: Omit<Entry, 'number'>): void {
    if (db.entries.some(({ key }) => key === entry.key)) throw new Error(`${entry.key}: posted twice`)
    const { kind, amount, month, about, key } = entry
    db.entries.push({ kind, amount, month, about, key, number: db.entries.length + 1 })
  }
}
