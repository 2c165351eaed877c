// Decides what of a payout's days and instants a JSON Schema cannot see (domain.md 3.9).
import type { FieldFault } from '@wds/contracts/field-fault'
import { dayNumber, daysBetween, toInstant } from '../../calendar/domain/calendar.ts'

/** Days ahead for which a payout is scheduled. */
const aheadDaysMax = 366

/** `today`: of the workspace. */
export function scheduledFaults(scheduledFor: string, today: string): FieldFault[] {
  const pointer = '/scheduled_for'
  if (dayNumber(scheduledFor) === null)
    return [{ pointer, code: 'invalid_format', detail: 'Must be a date, YYYY-MM-DD.' }]
  const days = daysBetween(today, scheduledFor) - 1
  if (days >= 0 && days <= aheadDaysMax) return []
  return [{ pointer, code: 'out_of_range', detail: `Must be today, ${today}, or at most ${aheadDaysMax} days later.` }]
}

/**
 * What the bank did lies in the past, and not before what it did first. `atMs`: null where the text is no instant of the calendar;
 * `paidMs`: of what comes back, when it was paid.
 */
export function pastFaults(
  pointer: string,
  o: { atMs: number | null; paidMs: number | null; nowMs: number },
): FieldFault[] {
  if (o.atMs === null)
    return [{ pointer, code: 'invalid_format', detail: 'Must be an instant, as 2026-01-31T08:00:00Z.' }]
  const fault = (detail: string): FieldFault[] => [{ pointer, code: 'out_of_range', detail }]
  if (o.atMs > o.nowMs) return fault('Must not lie in the future.')
  if (o.paidMs === null || o.atMs >= o.paidMs) return []
  return fault(`Must not lie before it was paid, ${toInstant(o.paidMs)}.`)
}
