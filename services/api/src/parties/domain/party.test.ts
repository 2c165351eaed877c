// Who an invoice names (domain.md 3.1).
import { expect, test } from '@jest/globals'
import { type Issuer, issuerFaults, partyFaults, wholeIssuer, wholeParty } from './party.ts'

const acme = wholeParty({ legal_name: 'Acme Ltd', address: ['1 Main Street', 'Sliema SLM 1234'], country: 'MT' })
const pointers = (faults: { pointer: string; code: string }[]) => faults.map(({ pointer, code }) => [pointer, code])

test('a party has a name, an address and a country; what else is left out is null', () => {
  expect(acme).toEqual({ ...acme, tax_id: null })
  expect(partyFaults('/legal', acme)).toEqual([])
  expect(pointers(partyFaults('/legal', wholeParty({ tax_id: ' ' })))).toEqual([
    ['/legal/legal_name', 'required'],
    ['/legal/address', 'required'],
    ['/legal/tax_id', 'invalid_format'],
    ['/legal/country', 'required'],
  ])
  const odd = { ...acme, legal_name: 'Acme\nLtd', address: ['fine', '\t'], country: 'ZZ' }
  expect(pointers(partyFaults('/legal', odd))).toEqual([
    ['/legal/legal_name', 'invalid_format'],
    ['/legal/address/1', 'invalid_format'],
    ['/legal/country', 'invalid_value'],
  ])
})

// Examples of the registry of IBANs.
test.each(['DE89 3704 0044 0532 0130 00', 'mt84malt011000012345mtlcast001s', 'NO9386011117947'])(
  'the IBAN %s is taken, in one form',
  (iban) => {
    const issuer = wholeIssuer({ ...acme, iban, bic: 'cobadeffxxx' })
    expect(issuerFaults('/issuer', issuer)).toEqual([])
    expect([issuer.iban, issuer.bic]).toEqual([iban.replaceAll(' ', '').toUpperCase(), 'COBADEFFXXX'])
  },
)

test.each<[keyof Issuer, string, string]>([
  ['iban', 'DE88370400440532013000', 'invalid_value'],
  ['iban', 'ZZ89370400440532013000', 'invalid_value'],
  ['iban', 'DE89', 'invalid_value'],
  ['iban', `DE89${'0'.repeat(31)}`, 'invalid_value'],
  ['bic', 'COBADEFFX', 'invalid_value'],
  ['bic', '12345678', 'invalid_value'],
  ['bank_account', '12\u000034', 'invalid_format'],
])('%s %j is refused', (name, value, code) => {
  expect(pointers(issuerFaults('/issuer', wholeIssuer({ ...acme, [name]: value })))).toEqual([
    [`/issuer/${name}`, code],
  ])
})
