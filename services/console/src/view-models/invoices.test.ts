import { describe, expect, test } from '@jest/globals'
import {
  actionsOn,
  amountInput,
  fileNameOf,
  issuerDraft,
  issuerFields,
  lastMonth,
  minorOf,
  newInvoice,
} from './invoices.ts'

const payment = { id: 'ipm_1', amount: 1, received: '2026-11-01', method: 'bank', reference: 'r' }
const dispute = { reason: 'amount', opened: '2026-11-01T00:00:00.000Z', note: null } as const

test.each([
  ['draft', { dispute: null, payments: [] }, ['generate', 'void']],
  ['generated', { dispute: null, payments: [] }, ['record_payment', 'send', 'dispute', 'void']],
  ['overdue', { dispute, payments: [payment] }, ['record_payment', 'send', 'resolve_dispute']],
  ['paid', { dispute: null, payments: [payment] }, []],
  ['void', { dispute: null, payments: [] }, []],
] as const)('what is offered on one that is %s', (status, rest, actions) => {
  expect(actionsOn({ status, ...rest, payments: [...rest.payments] })).toEqual(actions)
})

describe('an amount that is typed', () => {
  test.each([
    ['1250', 'EUR', 125_000],
    [' 1,250.5 ', 'EUR', 125_050],
    ['-0.05', 'EUR', -5],
    ['1,250,000', 'EUR', 125_000_000],
    ['12,50', 'EUR', null],
    ['1.250,00', 'EUR', null],
    ['1250,000', 'EUR', null],
    ['1250', 'JPY', 1_250],
    ['1250.5', 'JPY', null],
    ['1.255', 'EUR', null],
    ['0', 'EUR', null],
    ['', 'EUR', null],
    ['12 or so', 'EUR', null],
    ['99999999999999999', 'EUR', null],
  ])('%j of %s is %p minor units', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor)
  })

  test('what is due is offered in the same form', () => {
    for (const [minor, currency] of [
      [125_050, 'EUR'],
      [-5, 'EUR'],
      [7, 'JPY'],
      [-1_234, 'BHD'],
    ] as const)
      expect(minorOf(amountInput(minor, currency), currency)).toBe(minor)
  })
})

test('a new one is about the month before', () => {
  expect(lastMonth('2026-11-23')).toEqual({ from: '2026-10-01', to: '2026-10-31' })
  expect(lastMonth('2026-01-01')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  const period = lastMonth('2028-03-31')
  expect(period.to).toBe('2028-02-29')
  const draft = { brand: 'acme', currency: 'EUR', ...period, due: '', memo: ' ' }
  expect(newInvoice(draft)).toEqual({ kind: 'invoice', brand_slug: 'acme', currency: 'EUR', period })
  expect(newInvoice({ ...draft, due: '2028-05-01', memo: 'x ' })).toMatchObject({ due: '2028-05-01', memo: 'x' })
})

test('an issuer that is typed leaves out what is empty', () => {
  const nothing = {
    legal_name: null,
    address: null,
    country: null,
    tax_id: null,
    iban: null,
    bic: null,
    bank_account: null,
  }
  expect(issuerFields(issuerDraft(null))).toEqual(nothing)
  const issuer = { ...nothing, legal_name: 'A', address: ['B'], country: 'MT', iban: 'X' }
  expect(issuerFields(issuerDraft(issuer))).toEqual(issuer)
})

test('files are named as the API names them', () => {
  expect(fileNameOf({ number: '2026-000001', id: 'inv_1' }, 'pdf')).toBe('invoice-2026-000001.pdf')
  expect(fileNameOf({ number: null, id: 'inv_1' }, 'csv')).toBe('invoice-inv_1.csv')
})
