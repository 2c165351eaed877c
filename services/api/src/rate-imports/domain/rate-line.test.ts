// Which lines of a file are rates.
import { describe, expect, test } from '@jest/globals'
import { checkRateLine } from './rate-line.ts'

const line = { date: '2026-11-20', base: 'EUR', quote: 'USD', rate: '1.1172' }
const check = (more: Partial<typeof line>) => checkRateLine({ ...line, ...more }, '2026-11-24')

describe('a line', () => {
  test.each([
    ['units for one euro', {}, { currency: 'USD', isInverse: false, rate: '1.1172' }],
    [
      'euros for one unit',
      { base: 'USD', quote: 'EUR', rate: '0.9' },
      { currency: 'USD', isInverse: true, rate: '0.9' },
    ],
    ['a currency without decimals', { quote: 'JPY', rate: '175' }, { currency: 'JPY', isInverse: false, rate: '175' }],
    ['a rate of 12 and 12 digits', { rate: '999999999999.000000000001' }, { rate: '999999999999.000000000001' }],
    ['the last day', { date: '2026-11-24' }, { day: '2026-11-24' }],
    ['the first day', { date: '2000-01-01' }, { day: '2000-01-01' }],
  ])('may be of %s', (_, more, wanted) => {
    expect(check(more)).toMatchObject({ ok: true, line: wanted })
  })

  test.each([
    [{ date: '' }, 'missing_required', 'date'],
    [{ rate: '' }, 'missing_required', 'rate'],
    [{ date: '20/11/2026' }, 'bad_date', 'date'],
    [{ date: '2026-02-29' }, 'bad_date', 'date'],
    [{ date: '2026-11-25' }, 'date_in_future', 'date'],
    [{ date: '1999-12-31' }, 'date_too_old', 'date'],
    [{ quote: 'XXQ' }, 'unknown_currency', 'quote'],
    [{ base: 'usd' }, 'unknown_currency', 'base'],
    [{ base: 'USD', quote: 'GBP' }, 'not_against_euro', 'quote'],
    [{ quote: 'EUR' }, 'not_against_euro', 'quote'],
    ...['0', '0.000', '-1', '1e3', '1,5', '.5', '1.', '1234567890123', '1.0000000000001', 'NaN', ' 1'].map(
      (rate) => [{ rate }, 'bad_rate', 'rate'] as const,
    ),
  ] as const)('%j is refused as %s of %s', (more, code, field) => {
    expect(check(more)).toMatchObject({ ok: false, code, field })
  })
})
