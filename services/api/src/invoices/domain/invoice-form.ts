// Decides what of a new or changed invoice a JSON Schema cannot see (domain.md 3.7): dates, the currency, the range of amounts.
import { minorUnits } from '@wds/contracts/currencies'
import type { FieldFault } from '@wds/contracts/field-fault'
import { dayNumber, daysBetween } from '../../calendar/domain/calendar.ts'

/** Days that an invoice may be about, as a query of stats. */
const periodDaysMax = 366
export interface Given {
  kind?: 'invoice' | 'credit_note'
  brand_slug?: string
  period?: { from: string; to: string }
  currency?: string
  replaces?: string
  due?: string | null
  line_items?: readonly unknown[]
}

const ofInvoice = ['brand_slug', 'period', 'currency'] as const

/** A credit note has its brand, period and currency from the invoice that it corrects, and lines of its own. */
export function newInvoiceFaults(given: Given): FieldFault[] {
  const faults = given.kind === 'credit_note' ? creditNoteFaults(given) : invoiceFaults(given)
  return [...faults, ...dueFaults(given.due)]
}

function creditNoteFaults(given: Given): FieldFault[] {
  const faults: FieldFault[] = ofInvoice
    .filter((name) => given[name] !== undefined)
    .map((name) => ({
      pointer: `/${name}`,
      code: 'unknown_field',
      detail: 'A credit note has it from the invoice that it corrects.',
    }))
  if (given.replaces === undefined) faults.push(required('/replaces'))
  if (given.line_items === undefined) faults.push(required('/line_items'))
  return faults
}

function invoiceFaults(given: Given): FieldFault[] {
  const faults = ofInvoice.filter((name) => given[name] === undefined).map((name) => required(`/${name}`))
  if (given.replaces !== undefined)
    faults.push({ pointer: '/replaces', code: 'unknown_field', detail: 'Only a credit note names another invoice.' })
  if (given.currency !== undefined && minorUnits(given.currency) === null)
    faults.push({ pointer: '/currency', code: 'unknown_currency', detail: 'The currency is not in ISO 4217.' })
  return given.period === undefined ? faults : [...faults, ...periodFaults(given.period)]
}

function periodFaults({ from, to }: { from: string; to: string }): FieldFault[] {
  const bad = (['from', 'to'] as const).filter((name) => dayNumber({ from, to }[name]) === null)
  if (bad.length > 0) return bad.map((name) => notADate(`/period/${name}`))
  const days = daysBetween(from, to)
  if (days < 1) return [{ pointer: '/period/to', code: 'out_of_range', detail: 'Must not be before from.' }]
  if (days > periodDaysMax)
    return [{ pointer: '/period/to', code: 'out_of_range', detail: 'A period has at most 366 days.' }]
  return []
}

/** Of a due date, given or patched. */
export function dueFaults(due: string | null | undefined): FieldFault[] {
  return due === undefined || due === null || dayNumber(due) !== null ? [] : [notADate('/due')]
}

/** Of a payment's date. */
export function receivedFaults(received: string, today: string): FieldFault[] {
  if (dayNumber(received) === null) return [notADate('/received')]
  return received > today ? [{ pointer: '/received', code: 'out_of_range', detail: 'Lies in the future.' }] : []
}

const required = (pointer: string): FieldFault => ({ pointer, code: 'required', detail: 'This field is required.' })
const notADate = (pointer: string): FieldFault => ({
  pointer,
  code: 'invalid_format',
  detail: 'Must be a date, YYYY-MM-DD.',
})
