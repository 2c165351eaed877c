// Invoices as their shell runs them (routes.ts, draw-invoice.ts, fall-overdue.ts), in memory and in virtual time: a transaction is there as a
// whole or not at all, and is judged by the oracle. For the simulation alone.
import { Simulation } from '@wds/decider/simulation'
import { addDays, datesOf, daysBetween, localDate } from '../../calendar/domain/calendar.ts'
import type { InvoiceLine } from './amounts.ts'
import { invoiceDecider, totalsOfInvoice, withManualLines } from './invoice.ts'
import { type Act, type Core, days, periods, type Single } from './invoice-acts.fixture.ts'
import { type Db, judge, zone } from './invoice-oracle.fixture.ts'
import type { InvoiceCommand, InvoiceFields, InvoiceState } from './invoice-parts.ts'
import { about, amountOf, campaigns, live, readBilled, readCarried } from './invoice-store.fixture.ts'
import { invoicePublicEvent } from './public-events.ts'

const line = (o: Pick<InvoiceLine, 'kind' | 'amount' | 'origin'>): InvoiceLine => ({
  id: 'ili_1',
  description: 'x',
  campaign_id: null,
  quantity: null,
  unit_amount: null,
  stats_revision: null,
  ...o,
})
const manual = (amount: number) => (amount === 0 ? [] : [line({ kind: 'adjustment', amount, origin: 'manual' })])

export class Model {
  readonly simulation = new Simulation({ seed: 1, startMs: Date.parse('2026-12-20T08:00:00Z') })
  readonly sequence = new Map<string, number>()
  readonly core: Core
  db: Db = { invoices: new Map(), days: new Map(), numbers: new Map(), due: new Map(), told: [] }
  payments = 0
  /** Which refusals were met. */
  readonly refused = new Set<string>()

  constructor(core: Core) {
    this.core = core
    for (const day of days) this.db.days.set(day, { revision: 0, rows: new Map() })
  }

  act(one: Act): void {
    if (one.do === 'restate') this.restate(one)
    if (one.do === 'restate') return
    const { call, lost, repeated } = one
    const first: Single = call.do === 'bill' ? { do: 'draft', period: call.period, manual: 0 } : call
    const known = this.db.invoices.size
    this.call(first, { lost, repeated })
    const isNew = this.db.invoices.size > known
    if (isNew && call.do !== 'draft') this.call({ do: 'generate', which: known }, { lost, repeated })
  }

  private call(call: Single, one: { lost: number; repeated: number }): void {
    const command = this.commandOf(call)
    if (command === null) return
    const seen = this.db.invoices.get(command.id)?.events.length ?? 0
    for (let nth = 0; nth < one.lost; nth += 1) this.transact(command, seen, 'lost')
    for (let nth = 0; nth <= one.repeated; nth += 1) this.transact(command, seen, 'kept')
  }

  /** A day becomes final, or final again. */
  private restate({ day, campaign, cpa, revshare }: Extract<Act, { do: 'restate' }>): void {
    const known = this.db.days.get(days[day] ?? '')
    if (known === undefined) throw new Error('no day')
    known.rows.set(campaign, { cpa, revshare })
    known.revision += 1
  }

  /** Which invoice, and what the transaction asks of it; null where there is none. */
  private commandOf(call: Single): Work | null {
    const ids = [...this.db.invoices.keys()]
    const fresh = `inv_${ids.length + 1}`
    if (call.do === 'draft') {
      const period = periods[call.period] ?? { from: '', to: '' }
      return { id: fresh, prepare: (db) => ({ type: 'create', fields: this.fieldsOf(db, period, call.manual) }) }
    }
    const id = ids[call.which % ids.length]
    const seen = id === undefined ? undefined : this.db.invoices.get(id)?.state
    if (id === undefined || seen === undefined || seen.fields === null) return null
    const { fields } = seen
    const atMs = this.simulation.nowMs
    const today = localDate(atMs, zone)
    switch (call.do) {
      case 'generate':
        return { id, prepare: (db) => this.generate(db, id) }
      case 'send':
        return { id, prepare: () => ({ type: 'send', channel: 'manual', atMs }) }
      case 'dispute':
        return { id, prepare: () => ({ type: 'dispute', reason: 'amount', note: null, atMs }) }
      case 'resolve_dispute':
        return { id, prepare: () => ({ type: 'resolve_dispute' }) }
      case 'void':
        return { id, prepare: () => ({ type: 'void', atMs }) }
      case 'pay': {
        const { amount_due } = totalsOfInvoice(seen)
        const amount = Math.sign(amount_due) * Math.ceil((Math.abs(amount_due) * call.percent) / 100) || 1
        const payment = {
          id: `ipm_${this.payments++}`,
          amount,
          received: today,
          method: 'bank',
          reference: `r${call.reference}`,
        }
        return { id, prepare: () => ({ type: 'record_payment', payment, atMs }) }
      }
      case 'credit': {
        // As draftCreditNote: an invoice without payments is made void.
        if (fields.kind !== 'invoice' || seen.payments.length === 0) return null
        const amount = -Math.ceil((totalsOfInvoice(seen).total * call.percent) / 100)
        const lines = [line({ kind: 'adjustment', amount, origin: 'manual' })]
        return { id: fresh, prepare: () => ({ type: 'create', fields: { ...fields, ...note, replaces: id, lines } }) }
      }
      case 'move_due':
        return { id, prepare: () => ({ type: 'update', patch: { due: addDays(today, call.days) }, today }) }
      case 'edit':
        return { id, prepare: () => ({ type: 'update', patch: { lines: manual(call.manual) }, today }) }
    }
  }

  /** One transaction by the version that the caller saw. A credit note and the invoice that it corrects change together. */
  transact({ id, prepare }: Work, seen: number, end: 'lost' | 'kept'): void {
    const db = copyOf(this.db)
    if ((db.invoices.get(id)?.events.length ?? 0) !== seen) {
      this.refused.add('version_conflict')
      return
    }
    const command = prepare(db)
    if (command === null || !this.append(db, id, command)) return
    const state = db.invoices.get(id)?.state
    const corrected = state?.fields?.replaces ?? null
    if (corrected !== null && state !== undefined && state.number !== null) {
      const credit = { id, amount: totalsOfInvoice(state).total }
      if (command.type === 'generate') this.append(db, corrected, { type: 'note_credit', credit })
      if (command.type === 'void') this.append(db, corrected, { type: 'withdraw_credit', id })
    }
    if (end === 'lost') return
    judge(this.db, db, { id, command, nowMs: this.simulation.nowMs })
    this.db = db
  }

  private append(db: Db, id: string, command: InvoiceCommand): boolean {
    const known = db.invoices.get(id) ?? { state: invoiceDecider.initialState, events: [] }
    const decision = this.core.decide(known.state, command)
    if (!decision.accepted) {
      this.refused.add(decision.rejection.code)
      return false
    }
    const state = decision.events.reduce(invoiceDecider.evolve, known.state)
    const atMs = this.simulation.nowMs
    const events = [...known.events, ...decision.events.map((event) => ({ event, atMs }))]
    db.invoices.set(id, { state, events })
    for (const event of decision.events) {
      const told = invoicePublicEvent(id, state, event)
      if (told !== null && told.onceKey !== null) db.told.push(`${told.type} ${told.onceKey}`)
    }
    this.followDue(db, id, state)
    return true
  }

  private followDue(db: Db, id: string, state: InvoiceState): void {
    const atMs = this.core.overdueAtMs(state)
    if (atMs === null) db.due.delete(id)
    else if (db.due.get(id) !== atMs) {
      db.due.set(id, atMs)
      this.simulation.at(atMs, () => this.fallOverdue(id))
    }
  }

  /** As fall-overdue.ts: somebody may have paid it, or moved its due date. */
  private fallOverdue(id: string): void {
    const known = this.db.invoices.get(id)
    const { due = null } = known?.state.fields ?? {}
    if (known === undefined || due === null || (this.db.due.get(id) ?? Infinity) > this.simulation.nowMs) return
    const today = localDate(this.simulation.nowMs, zone)
    const daysOverdue = daysBetween(due, today) - 1
    this.transact({ id, prepare: () => ({ type: 'mark_overdue', today, daysOverdue }) }, known.events.length, 'kept')
  }

  private generate(db: Db, id: string): InvoiceCommand | null {
    const fields = db.invoices.get(id)?.state.fields ?? null
    if (fields === null || db.invoices.get(id)?.state.status !== 'draft') return null
    const atMs = this.simulation.nowMs
    const today = localDate(atMs, zone)
    const numbers = this.core.numbersOf(db, this.sequence)
    const year = today.slice(0, 4)
    const last = (numbers.get(year) ?? 0) + 1
    numbers.set(year, last)
    const given = {
      type: 'generate' as const,
      number: `${year}-${String(last).padStart(6, '0')}`,
      due: fields.due ?? addDays(today, 30),
      timeZone: zone,
      issuer: null,
      billTo: { name: 'Acme', legal: null },
      creditable: null,
      atMs,
    }
    if (fields.replaces !== null) {
      const corrected = db.invoices.get(fields.replaces)?.state
      if (corrected === undefined) throw new Error('a credit note of nothing')
      return { ...given, creditable: this.core.creditableOf(corrected), lines: fields.lines, billed: [] }
    }
    if (
      this.core.isTaken(
        live(db).map(({ period }) => period),
        fields.period,
      )
    )
      return this.refuse('already_exists')
    const ofPeriod = datesOf(fields.period)
    if (!ofPeriod.every((day) => this.core.isFinal(db.days.get(day)?.revision ?? 0)))
      return this.refuse('period_not_final')
    const { lines, billed } = this.draw(db, fields.period)
    const own = fields.lines.filter(({ origin }) => origin === 'manual')
    return { ...given, lines: withManualLines(lines, own), billed }
  }

  private refuse(code: string): null {
    this.refused.add(code)
    return null
  }

  private fieldsOf(db: Db, period: { from: string; to: string }, amount: number): InvoiceFields {
    return {
      kind: 'invoice',
      brand_slug: 'acme',
      period,
      time_zone: zone,
      currency: 'EUR',
      replaces: null,
      due: null,
      memo: null,
      metadata: {},
      lines: [...this.draw(db, period).lines, ...manual(amount)],
    }
  }

  /** As draw-invoice.ts, of what store-billing.ts reads. */
  private draw(db: Db, period: { from: string; to: string }) {
    const ofPeriod = datesOf(period)
    const revisionOf = (day: string) => db.days.get(day)?.revision ?? 0
    const corrections = this.core.correctionsOf(readBilled(db, period), period)
    const sums = campaigns.map((campaignId) => {
      const rows = ofPeriod.flatMap((day) => db.days.get(day)?.rows.get(campaignId) ?? [])
      const sum = (measure: 'cpa' | 'revshare') => rows.reduce((total, row) => total + BigInt(row[measure]), 0n)
      return { ...about(campaignId), qualifiedFtds: null, cpa: sum('cpa'), revshare: sum('revshare'), other: 0n }
    })
    const drawn = this.core.drawLines({ campaigns: sums, carried: readCarried(db), corrections, revision: 1 })
    const lines = drawn.map((one): InvoiceLine => {
      return { ...one, id: 'ili_1', amount: Number(one.amount), quantity: null, unit_amount: null }
    })
    const own = ofPeriod.map((day) => ({ day, amount: String(amountOf(db, day)), revision: revisionOf(day) }))
    const corrected = corrections.map((one) => ({ ...one, amount: String(one.amount) }))
    return { lines, billed: [...own, ...corrected] }
  }
}

/** States, lists of events and days are never changed in place by a transaction. */
function copyOf({ invoices, days: known, numbers, due, told }: Db): Db {
  const maps = { invoices: new Map(invoices), numbers: new Map(numbers), due: new Map(due) }
  return { ...maps, days: known, told: [...told] }
}

interface Work {
  id: string
  prepare: (db: Db) => InvoiceCommand | null
}
const note = { kind: 'credit_note', due: null, memo: null } as const
