// What the PDF of an invoice says (domain.md 3.7).
import { expect, test } from '@jest/globals'
import { moneyText } from '@wds/contracts/currencies'
import { fold } from '@wds/decider/decider'
import { invoiceDecider } from './invoice.ts'
import { acme, document, documentOf, drafted, generated, issuer } from './invoice-document.fixture.ts'
import { invoiceDocument } from './invoice-document.ts'

test.each([
  [0, 'EUR', '0.00'],
  [-5, 'EUR', '-0.05'],
  [123_456, 'EUR', '1,234.56'],
  [1_234, 'JPY', '1,234'],
  [1_234, 'BHD', '1.234'],
  [-Number.MAX_SAFE_INTEGER, 'EUR', '-90,071,992,547,409.91'],
])('%i minor units of %s are %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text)
})

test('an invoice says who bills whom, for what, and how it is paid', () => {
  expect(document([generated])).toMatchObject({
    title: 'Invoice',
    mark: null,
    number: '2026-000001',
    datedMs: Date.parse('2026-11-01T23:30:00Z'),
    from: ['Affiliates GmbH', 'Weg 1', 'DE', 'Tax ID DE 1'],
    to: ['Acme Ltd', '1 Main Street', 'MT'],
    rows: [{ description: 'CPA, Spring', quantity: '1,000', unitAmount: '1.20', amount: '1,200.00' }],
    payment: [
      { name: 'IBAN', value: 'DE89 3704 0044 0532 0130 00' },
      { name: 'BIC', value: 'COBADEFF' },
      { name: 'Reference', value: '2026-000001' },
    ],
  })
  const { facts, totals } = document([generated])
  // By its zone it was issued the day after.
  expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Invoice: 2026-000001',
    'Issued: 2026-11-02',
    'Due: 2026-12-01',
    'Period: 2026-10-01 to 2026-10-31 (Europe/Malta)',
    'Currency: EUR',
  ])
  expect(totals.map(({ value }) => value)).toEqual(['1,200.00', '0.00', '1,200.00 EUR', '0.00', '1,200.00 EUR'])
})

test('a draft is marked, and dated by its last change; one that is void is marked and is not to be paid', () => {
  expect(document([])).toMatchObject({ mark: 'DRAFT', number: 'Draft', datedMs: 7 })
  const voided = document([generated, { type: 'InvoiceVoided', data: { at_ms: 9 } }])
  expect(voided).toMatchObject({ mark: 'VOID', number: '2026-000001', payment: [] })
})

test('a credit note is named one, says what it corrects, and asks for no payment', () => {
  const state = fold(invoiceDecider, [drafted({ kind: 'credit_note', replaces: 'inv_1' }), generated])
  const note = invoiceDocument({ ...documentOf([generated]), state, corrects: '2026-000009' })
  expect(note).toMatchObject({ title: 'Credit note', payment: [] })
  expect(note.facts.slice(0, 2)).toEqual([
    { name: 'Credit note', value: '2026-000001' },
    { name: 'Corrects invoice', value: '2026-000009' },
  ])
  expect(note.facts.some(({ name }) => name === 'Due')).toBe(false)
})

test('what nobody told is left out', () => {
  const told = { ...documentOf([generated]), issuer: null, billTo: { name: 'Acme', legal: null } }
  expect(invoiceDocument(told)).toMatchObject({ from: [], to: ['Acme'], payment: [] })
  const abroad = { ...issuer, iban: null, bic: null, bank_account: '12-34' }
  const of = { ...documentOf([generated]), issuer: abroad, billTo: { name: 'Acme', legal: acme } }
  expect(invoiceDocument(of).payment[0]).toEqual({ name: 'Account', value: '12-34' })
})
