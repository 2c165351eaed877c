// Decides what a party of an invoice is, its issuer or the brand that it bills, and which of it a JSON Schema cannot see (domain.md 3.1).
import { isCountry } from '@wds/contracts/countries'
import type { FieldFault } from '@wds/contracts/field-fault'

/** A company as an invoice names it. */
export interface Party {
  legal_name: string
  /** Lines of its postal address without the country. */
  address: string[]
  /** ISO 3166-1 alpha-2. */
  country: string
  /** As a VAT number. */
  tax_id: string | null
}

/** Who issues invoices, and where they are paid to. */
export interface Issuer extends Party {
  /** Without blanks. */
  iban: string | null
  bic: string | null
  /** Of a bank that has no IBAN: as it is written there. */
  bank_account: string | null
}

/** Whom an invoice bills: the name of the brand, and its company where that is known. */
export interface BillTo {
  name: string
  legal: Party | null
}

const nobody: Party = { legal_name: '', address: [], country: '', tax_id: null }

/** With null for what is left out. */
export function wholeParty(given: Partial<Party>): Party {
  return { ...nobody, ...given }
}

/** With null for what is left out; IBAN and BIC as banks compare them. */
export function wholeIssuer(given: Partial<Issuer>): Issuer {
  const whole: Issuer = { ...nobody, iban: null, bic: null, bank_account: null, ...given }
  return { ...whole, iban: compact(whole.iban), bic: compact(whole.bic) }
}

const compact = (code: string | null) => (code === null ? null : code.replaceAll(' ', '').toUpperCase())

/** `at`: where it stands, as `/legal`. */
export function partyFaults(at: string, party: Party): FieldFault[] {
  const { legal_name, address, country, tax_id } = party
  const faults = [
    ...(legal_name === '' ? [required(`${at}/legal_name`)] : lineFaults(`${at}/legal_name`, legal_name)),
    ...(address.length === 0 ? [required(`${at}/address`)] : []),
    ...address.flatMap((line, n) => lineFaults(`${at}/address/${n}`, line)),
    ...lineFaults(`${at}/tax_id`, tax_id),
  ]
  if (country === '') return [...faults, required(`${at}/country`)]
  if (isCountry(country)) return faults
  return [...faults, invalid(`${at}/country`, 'Must be an ISO 3166-1 alpha-2 code.')]
}

export function issuerFaults(at: string, issuer: Issuer): FieldFault[] {
  const { iban, bic, bank_account } = issuer
  const faults = [...partyFaults(at, issuer), ...lineFaults(`${at}/bank_account`, bank_account)]
  if (iban !== null && !isIban(iban))
    faults.push(invalid(`${at}/iban`, 'Must be an IBAN; its check digits do not fit.'))
  if (bic !== null && !/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic))
    faults.push(invalid(`${at}/bic`, 'Must be a BIC, of 8 or 11 characters.'))
  return faults
}

/** ISO 13616: the country, two check digits, and with the digits of all letters a remainder of 1 by 97 (ISO 7064). */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) || !isCountry(iban.slice(0, 2))) return false
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/** Text of one line that shows something. */
function lineFaults(pointer: string, text: string | null): FieldFault[] {
  if (text === null || (/\S/u.test(text) && !/\p{Cc}/u.test(text))) return []
  return [{ pointer, code: 'invalid_format', detail: 'Must be one line of text.' }]
}

const required = (pointer: string): FieldFault => ({ pointer, code: 'required', detail: 'This field is required.' })
const invalid = (pointer: string, detail: string): FieldFault => ({ pointer, code: 'invalid_value', detail })
