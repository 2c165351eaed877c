// What must hold of invoices after every transaction (domain.md 3.7; I18 of reliability.md), worked out a second time from their events, the
// numbers of days and arithmetic alone. For the simulation alone.
import { localDate } from '../../calendar/domain/calendar.ts'
import { totalsOfInvoice } from './invoice.ts'
import type { InvoiceCommand, InvoiceEvent, InvoiceState } from './invoice-parts.ts'

export const zone = 'Europe/Malta'

export interface Stored {
  state: InvoiceState
  events: { event: InvoiceEvent; atMs: number }[]
}
export interface Day {
  revision: number
  rows: Map<string, { cpa: number; revshare: number }>
}
export interface Db {
  invoices: Map<string, Stored>
  days: Map<string, Day>
  numbers: Map<string, number>
  /** When it falls overdue. */
  due: Map<string, number>
  told: string[]
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** Throws what does not hold. `id`: of the invoice that the transaction was about. */
export function judge(before: Db, after: Db, o: { id: string; command: InvoiceCommand; nowMs: number }): void {
  const hold = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`${o.id}, ${o.command.type}: ${what}`)
  }
  for (const [id, one] of after.invoices) {
    if (one.events.length !== (before.invoices.get(id)?.events.length ?? 0)) judgeInvoice(one, after, hold)
  }
  judgeNumbers(after, hold)
  hold(new Set(after.told).size === after.told.length, 'told twice')
  if (o.command.type === 'generate' && after.invoices.get(o.id)?.state.fields?.kind === 'invoice')
    judgeBilled(before, after, { id: o.id, hold })
}

type Hold = (holds: boolean, what: string) => void

function judgeInvoice({ events, state }: Stored, db: Db, hold: Hold): void {
  let [total, paid, due, kind] = [0, 0, null as string | null, '']
  let [isGenerated, isPaid, isVoid, isDisputed] = [false, false, false, false]
  const references = new Set<string>()
  for (const { event, atMs } of events) {
    hold(!isVoid, 'changed after its end')
    hold(!isPaid || event.type === 'InvoiceReplaced' || event.type === 'ReplacementWithdrawn', 'changed after its end')
    switch (event.type) {
      case 'InvoiceDrafted':
        kind = event.data.fields.kind
        break
      case 'InvoiceUpdated':
        hold(!isGenerated || event.data.patch.lines === undefined, 'changed what it bills')
        if (event.data.patch.due !== undefined) {
          hold(!isGenerated || due === null || (event.data.patch.due ?? '') >= due, 'was due earlier')
          due = event.data.patch.due
        }
        break
      case 'InvoiceGenerated':
        hold(!isGenerated, 'generated twice')
        isGenerated = true
        total = sum(event.data.lines.map(({ amount }) => amount))
        due = event.data.due
        hold(kind === 'credit_note' || total >= 0, 'of less than nothing')
        for (const { revision } of event.data.billed) hold(revision > 0, 'billed a day that is not final')
        break
      case 'PaymentRecorded': {
        const { amount, reference } = event.data.payment
        hold(!references.has(reference), 'took a payment twice')
        references.add(reference)
        paid += amount
        hold(Math.sign(amount) === Math.sign(total) && Math.abs(paid) <= Math.abs(total), 'took more than was due')
        break
      }
      case 'InvoicePaid':
        hold(isGenerated && paid === total, 'paid though something is due')
        isPaid = true
        break
      case 'InvoiceFellOverdue':
        hold(kind === 'invoice' && due !== null && localDate(atMs, zone) > due, 'overdue before its day ended')
        break
      case 'InvoiceDisputed':
      case 'DisputeResolved':
        hold(isDisputed === (event.type === 'DisputeResolved'), 'disputed twice, or resolved twice')
        isDisputed = !isDisputed
        break
      case 'InvoiceVoided':
        hold(paid === 0 && references.size === 0, 'void though paid')
        isVoid = true
        break
    }
  }
  if (!isGenerated) return
  hold(isVoid || isPaid === (paid === total), 'not paid though nothing is due')
  const { total: shown, amount_paid, amount_due } = totalsOfInvoice(state)
  hold(shown === total && amount_paid === paid && amount_due === total - paid, 'shows other amounts')
  const notes = [...db.invoices.values()].filter(({ state: { fields, status, number } }) => {
    return (
      fields?.replaces !== null &&
      db.invoices.get(fields?.replaces ?? '')?.state === state &&
      number !== null &&
      status !== 'void'
    )
  })
  const given = sum(notes.map((one) => Math.min(0, totalsOfInvoice(one.state).total)))
  hold(notes.length === 0 || -given <= total, 'gave back more than it billed')
}

/** 1, 2, 3 … in each year, in the order in which they were given. */
function judgeNumbers(db: Db, hold: Hold): void {
  const given = [...db.invoices.values()].flatMap(({ state: { number, issuedMs } }) =>
    number === null ? [] : [{ number, issuedMs: issuedMs ?? 0 }],
  )
  const byYear = Map.groupBy(
    given.sort((a, b) => (a.number < b.number ? -1 : 1)),
    ({ number }) => number.slice(0, 4),
  )
  for (const [year, ofYear] of byYear)
    for (const [at, { number, issuedMs }] of ofYear.entries()) {
      hold(number === `${year}-${String(at + 1).padStart(6, '0')}`, 'numbers with a gap')
      hold(issuedMs >= (ofYear[at - 1]?.issuedMs ?? 0), 'numbers out of their order')
      hold(localDate(issuedMs, zone).slice(0, 4) === year, 'a number of another year')
    }
}

/** What was earned in the days that are billed is billed, still carried, or was dropped by the deal: each cent once. */
function judgeBilled(before: Db, db: Db, { id, hold }: { id: string; hold: Hold }): void {
  const [was, counted] = [countedOf(before), countedOf(db)]
  const covered = (day: string) => counted.filter(({ period }) => day >= period.from && day <= period.to).length
  const of = (fields: typeof counted, kind: string, campaign: string) =>
    sum(drawnOf(fields).flatMap((one) => (one.kind === kind && one.campaign_id === campaign ? [one.amount] : [])))
  let earned = 0
  let revshare = 0
  const { from, to } = db.invoices.get(id)?.state.fields?.period ?? { from: '', to: '' }
  for (const [day, { rows }] of db.days) {
    hold(covered(day) <= 1, 'billed a day twice')
    if (covered(day) === 1) earned += sum([...rows.values()].map((row) => row.cpa + row.revshare))
    if (day >= from && day <= to) revshare += rows.get('cmp_carried')?.revshare ?? 0
  }
  const [carriedBefore, carried] = [of(was, 'carryover', 'cmp_carried'), of(counted, 'carryover', 'cmp_carried')]
  const dropped = of(counted, 'adjustment', 'cmp_dropped')
  const billed = sum(drawnOf(counted).map(({ amount }) => amount))
  hold(billed - carried - dropped === earned, 'billed other than what was earned')
  const isByDeal = of(counted, 'adjustment', 'cmp_carried') === 0 && of(counted, 'carryover', 'cmp_dropped') === 0
  hold(isByDeal && carried === Math.max(0, carriedBefore - revshare), 'carried over other than the deal says')
}

const countedOf = (db: Db) =>
  [...db.invoices.values()].flatMap(({ state: { fields, status } }) =>
    fields?.kind === 'invoice' && status !== 'draft' && status !== 'void' ? [fields] : [],
  )
const drawnOf = (fields: ReturnType<typeof countedOf>) =>
  fields.flatMap(({ lines }) => lines.filter(({ origin }) => origin === 'stats'))
