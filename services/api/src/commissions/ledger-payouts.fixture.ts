// The payouts of a sub-affiliate as their shells run them (payouts/routes.ts, begin-processing.ts), in memory and within a transaction. For
// the simulation alone.
import type { Simulation } from '@wds/decider/simulation'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import { type PayoutCommand, payoutDecider } from '../payouts/domain/payout.ts'
import { type Core, present } from './ledger-acts.fixture.ts'
import { availableOf, type Db, isEarned, judgeCovered, sum } from './ledger-judge.fixture.ts'
import { type Ending, months, type Oracle, type Told } from './ledger-oracle.fixture.ts'
import type { Postings } from './ledger-postings.fixture.ts'

export class Payouts {
  readonly #core: Core
  readonly #simulation: Simulation
  readonly #oracle: Oracle
  readonly #postings: Postings
  /** Codes of what was refused. */
  readonly #refused: Set<string>

  constructor(o: { core: Core; simulation: Simulation; oracle: Oracle; postings: Postings; refused: Set<string> }) {
    this.#core = o.core
    this.#simulation = o.simulation
    this.#oracle = o.oracle
    this.#postings = o.postings
    this.#refused = o.refused
  }

  /** As createPayout: all that is available at most. */
  pay(db: Db, { percent, inDays }: { percent: number; inDays: number }): Told | null {
    const available = availableOf(db)
    const amount = (available * BigInt(percent) + 99n) / 100n || 1n
    const refusal = db.suspended ? 'suspended' : this.#core.amountRefusal({ amount, available, minimum: 50n })
    if (refusal !== null) {
      this.#refused.add(refusal)
      return null
    }
    const closed = months.flatMap((month) => {
      const own = db.entries.filter((one) => isEarned(one) && one.month === month)
      const total = sum(own.map((one) => one.amount))
      return db.closed.has(month) ? [{ month, amount: total, entries: own.length }] : []
    })
    const earned = sum(closed.map((one) => one.amount))
    const covered = this.#core.coveredMonths(closed, { paid: earned - available, amount })
    judgeCovered(closed, { ...covered, paid: earned - available, amount })
    const id = `pyo_${db.payouts.size}`
    const today = localDate(this.#simulation.nowMs, 'UTC')
    const fields = {
      sub_affiliate_id: 'sub_1',
      amount: Number(amount),
      currency: 'EUR',
      ...covered,
      scheduled_for: addDays(today, inDays),
      time_zone: 'UTC',
    }
    return this.command(db, id, { type: 'create', fields })
      ? () => this.#oracle.payouts.push({ id, amount: Number(amount), state: 'scheduled' })
      : null
  }

  end(db: Db, id: string, how: Ending | 'hold' | 'release'): Told | null {
    const paidMs = this.#simulation.nowMs
    const commands: Record<typeof how, PayoutCommand> = {
      cancel: { type: 'cancel' },
      'mark-paid': { type: 'mark_paid', paidMs, reference: null, isSuspended: db.suspended },
      'mark-failed': { type: 'mark_failed', code: 'limit' },
      'record-return': { type: 'record_return', returnedMs: paidMs },
      hold: { type: 'hold', hold: { by_rule_id: null, reason: 'other' } },
      release: { type: 'release' },
    }
    if (!this.command(db, id, commands[how])) return null
    const which = this.#oracle.payouts.findIndex((one) => one.id === id)
    return () => {
      if (how === 'hold' || how === 'release') return
      if (!this.#oracle.end(which, how)) throw new Error(`${id}: ${how} in a state that has no such end`)
    }
  }

  /** As the aggregate: decided, folded, posted. False where it is refused. */
  command(db: Db, id: string, command: PayoutCommand): boolean {
    const known = db.payouts.get(id) ?? { state: payoutDecider.initialState, version: 0 }
    const decision = this.#core.decide(known.state, command)
    if (!decision.accepted) {
      this.#refused.add(decision.rejection.code)
      return false
    }
    const goesOut = command.type === 'process' || (command.type === 'mark_paid' && known.state.status === 'scheduled')
    if (goesOut && (known.state.held !== null || db.suspended)) throw new Error(`${id}: paid though it is held`)
    const state = decision.events.reduce(payoutDecider.evolve, known.state)
    db.payouts.set(id, { state, version: known.version + decision.events.length })
    for (const event of decision.events) {
      const sign = this.#core.postingOf(event)
      if (sign === 0) continue
      const kind = sign < 0 ? 'payout' : 'payout_reversal'
      const amount = BigInt(sign * (state.fields?.amount ?? 0))
      this.#postings.append(db, { kind, amount, month: present, about: null, key: `${kind} ${id}` })
    }
    const atMs = this.#core.dueMs(state)
    if (atMs === null) db.due.delete(id)
    else db.due.set(id, Math.max(atMs, this.#simulation.nowMs))
    return true
  }

  /** Whose return has the payouts looked at that waited. */
  suspend(db: Db, suspended: boolean): Told | null {
    db.suspended = suspended
    for (const [id, { state }] of db.payouts) {
      const atMs = this.#core.dueMs(state)
      if (!suspended && atMs !== null) db.due.set(id, Math.max(atMs, this.#simulation.nowMs))
    }
    return () => {}
  }
}
