// What happens to the invoices of the simulation, and what their shell asks of the core.
import { datesOf } from '../../calendar/domain/calendar.ts'
import { correctionsOf } from './corrections.ts'
import { drawLines } from './draw-lines.ts'
import { creditableOf, invoiceDecider } from './invoice.ts'
import type { Db } from './invoice-oracle.fixture.ts'
import type { campaigns } from './invoice-store.fixture.ts'
import { overdueAtMs } from './overdue.ts'

export const hourMs = 3_600_000
/** Two that meet, one over both, one apart: the year ends while they are billed. */
export const periods = [
  { from: '2026-12-01', to: '2026-12-04' },
  { from: '2026-12-05', to: '2026-12-08' },
  { from: '2026-12-03', to: '2026-12-06' },
  { from: '2026-12-09', to: '2026-12-12' },
]
export const days = datesOf({ from: '2026-12-01', to: '2026-12-12' })
/** What the shell asks. A mutant changes one. */
export const core = {
  decide: invoiceDecider.decide,
  correctionsOf,
  drawLines,
  creditableOf,
  overdueAtMs,
  isFinal: (revision: number) => revision > 0,
  isTaken: (periodsTaken: readonly { from: string; to: string }[], { from, to }: { from: string; to: string }) =>
    periodsTaken.some((one) => one.from <= to && one.to >= from),
  /** Numbers of the transaction, or those that no transaction gives back. */
  numbersOf: (db: Db, _sequence: Map<string, number>) => db.numbers,
}
export type Core = typeof core

export type Call =
  | { do: 'draft'; period: number; manual: number }
  | { do: 'generate' | 'send' | 'dispute' | 'resolve_dispute' | 'void'; which: number }
  /** A draft of the period that is generated at once, as a credit note is. */
  | { do: 'bill'; period: number }
  | { do: 'pay'; which: number; percent: number; reference: number }
  | { do: 'credit'; which: number; percent: number }
  | { do: 'move_due'; which: number; days: number }
  | { do: 'edit'; which: number; manual: number }
/** What one transaction is asked for. */
export type Single = Exclude<Call, { do: 'bill' }>
export type Act = { afterHours: number } & (
  | { do: 'restate'; day: number; campaign: (typeof campaigns)[number]; cpa: number; revshare: number }
  /** `lost`: so many transactions end without a commit. `repeated`: the answer is lost, and it is sent again. */
  | { do: 'call'; call: Call; lost: number; repeated: number }
)
