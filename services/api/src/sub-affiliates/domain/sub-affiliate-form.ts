// Decides what of a sub-affiliate's fields a JSON Schema cannot see (domain.md 3.8), and how an e-mail address is masked.
import { isCountry } from '@wds/contracts/countries'
import { isCurrency } from '@wds/contracts/currencies'
import type { FieldFault } from '@wds/contracts/field-fault'
import { dayNumber, timeZoneName } from '../../calendar/domain/calendar.ts'
import { metadataFaults } from '../../metadata/domain/metadata.ts'
import type { SubAffiliateFields } from './sub-affiliate.ts'

export function subAffiliateFaults(fields: Omit<SubAffiliateFields, 'plan_history'>): FieldFault[] {
  const faults: FieldFault[] = []
  if (fields.country !== null && !isCountry(fields.country))
    faults.push({ pointer: '/country', code: 'invalid_value', detail: 'Must be an ISO 3166-1 alpha-2 code.' })
  if (timeZoneName(fields.time_zone) === null)
    faults.push({ pointer: '/time_zone', code: 'unknown_time_zone', detail: 'Must be an IANA time zone.' })
  if (!isCurrency(fields.payout_currency))
    faults.push({ pointer: '/payout_currency', code: 'unknown_currency', detail: 'The currency is not in ISO 4217.' })
  if (fields.minimum_payout.currency !== fields.payout_currency) {
    const detail = `Must be in the payout currency, ${fields.payout_currency}.`
    faults.push({ pointer: '/minimum_payout/currency', code: 'invalid_value', detail })
  }
  faults.push(...metadataFaults(fields.metadata))
  return faults
}

export function effectiveFaults(effectiveFrom: string): FieldFault[] {
  if (dayNumber(effectiveFrom) !== null) return []
  return [{ pointer: '/effective_from', code: 'invalid_format', detail: 'Must be a date, YYYY-MM-DD.' }]
}

/** One address and nothing around it: no blanks, no angle brackets, one @ with a name and a host. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text)
}

/** `j***@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}***${email.slice(at)}`
}
