// Decides when an invoice falls overdue (domain.md 3.7, T4).
import { boundsOfDay } from '../../calendar/domain/workspace-day.ts'
import type { InvoiceState } from './invoice-parts.ts'

/** The first instant of the day after it is due, in its zone; null for one that nobody waits for. */
export function overdueAtMs({ status, fields }: InvoiceState): number | null {
  const waits = status === 'generated' || status === 'sent'
  if (!waits || fields === null || fields.due === null || fields.kind === 'credit_note') return null
  return boundsOfDay(fields.due, fields.time_zone).endMs
}
