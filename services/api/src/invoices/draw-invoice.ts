// Draws up what an invoice bills: its lines from the numbers of its days, and what it bills of each (domain.md 3.7). It reads; the
// aggregate writes.
import { workspaceOf } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { datesOf } from '../calendar/domain/calendar.ts'
import { readSettings } from '../settings/read-settings.ts'
import { findSource } from '../stats/find-source.ts'
import { readAbsentDays, readDays } from '../stats-calendar/store-finality.ts'
import type { InvoiceLine } from './domain/amounts.ts'
import { correctionsOf } from './domain/corrections.ts'
import { type DrawnLine, drawLines } from './domain/draw-lines.ts'
import type { BilledDay, InvoiceCommand, InvoiceFields } from './domain/invoice-parts.ts'
import { type Billing, billedCampaignsMax, readBilled, readCarried, readCommissions } from './store-billing.ts'

export interface Drawn {
  lines: InvoiceLine[]
  billed: BilledDay[]
  /** Days of the period that are not final yet, in their order. */
  open: string[]
}

/** Days whose numbers are not final are drawn as they are now. `timeZone`: the workspace's. */
export async function drawInvoice(
  tx: Transaction,
  o: Billing & { period: { from: string; to: string }; timeZone: string; nowMs: number },
): Promise<Drawn> {
  const { period, timeZone } = o
  const workspaceId = workspaceOf(tx)
  // Revisions are read before the numbers: one that comes between is compared again by the next invoice.
  const known = new Map((await readDays(tx, { workspaceId, ...period })).map((day) => [day.day, day]))
  const absent = await readAbsentDays(tx, { workspaceId, timeZone, ...period })
  const billedBefore = await readBilled(tx, o)
  const source = await findSource(tx, {
    workspaceId,
    workspaceZone: timeZone,
    timeZone,
    range: period,
    finalOnly: false,
    cut: null,
  })
  const { campaigns, days } = await readCommissions(tx, source, o)
  const carried = await readCarried(tx, o)
  if (campaigns.length + carried.length > billedCampaignsMax)
    throw new Problem('result_too_large', { detail: `An invoice bills at most 1,000 campaigns.` })
  const ofPeriod = datesOf(period)
  // A final day is one whose rollup was read, by the zone that the invoice names.
  const settled = new Set([...source.finality.finalDays, ...absent])
  const corrections = correctionsOf(billedBefore, period)
  const revisionOf = (day: string) => known.get(day)?.revision ?? 0
  const drawn = drawLines({ campaigns, carried, corrections, revision: Math.max(...ofPeriod.map(revisionOf)) })
  return {
    lines: drawn.map((line) => toLine(line, o.nowMs)),
    open: ofPeriod.filter((day) => !settled.has(day)),
    billed: [
      ...ofPeriod.map((day) => ({ day, amount: String(days.get(day) ?? 0n), revision: revisionOf(day) })),
      ...corrections.map(({ day, amount, revision }) => ({ day, amount: String(amount), revision })),
    ],
  }
}

/** A draft of the numbers that are there now, and what it was made of. `own`: lines that people add. */
export async function draftInvoice(
  tx: Transaction,
  o: Billing & {
    period: { from: string; to: string }
    nowMs: number
    own: InvoiceLine[]
    notes: Pick<InvoiceFields, 'due' | 'memo' | 'metadata'>
  },
): Promise<{ command: Extract<InvoiceCommand, { type: 'create' }>; drawn: Drawn }> {
  const { brandSlug: brand_slug, currency, period, own } = o
  const { time_zone: timeZone } = await readSettings(tx)
  const drawn = await drawInvoice(tx, { ...o, timeZone })
  const place = { kind: 'invoice', brand_slug, currency, period, time_zone: timeZone, replaces: null } as const
  const fields = { ...place, ...o.notes, lines: [...drawn.lines, ...own] }
  return { command: { type: 'create', fields }, drawn }
}

function toLine({ amount, quantity, unit_amount, ...line }: DrawnLine, nowMs: number): InvoiceLine {
  const toNumber = (value: bigint | null) => (value === null ? null : moneyOf(value))
  const numbers = { amount: moneyOf(amount), quantity: toNumber(quantity), unit_amount: toNumber(unit_amount) }
  return { id: newId('ili', nowMs), ...line, ...numbers }
}

/** Within the range of money (domain.md M1). */
function moneyOf(value: bigint): number {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) throw new Problem('amount_overflow')
  return amount
}
