// Which rate a day takes, and that a conversion is exact.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { divideHalfEven } from '../../stats/domain/round-half-even.ts'
import { readReferenceRates } from '../reference-rates.ts'
import { conversionsTo, parseEcbRates } from './rate-set.ts'

const set = parseEcbRates(
  'test',
  `Date,USD,JPY,KWD
2026-03-20,1.25,N/A,0.4
2026-03-13,1.1,160,0.5
2026-03-06,2,100,0.3
`,
)

function convert(amount: bigint, from: string, to: string, day = '2026-03-13'): bigint | null {
  const found = conversionsTo(to, set, { from: day, to: day }).find(({ currency }) => currency === from)
  return found === undefined ? null : divideHalfEven(amount * found.numerator, found.denominator)
}

describe('the rate of a day', () => {
  test.each([
    ['its own', '2026-03-13', 'USD', 110n],
    ['the nearest earlier one', '2026-03-19', 'USD', 110n],
    ['never a later one', '2026-03-12', 'USD', 200n],
    ['that of the 7th day before', '2026-03-27', 'USD', 125n],
    ['none beyond the 7th day before', '2026-03-28', 'USD', null],
    ['the nearest earlier one where the day has it for others only', '2026-03-20', 'JPY', 160n],
    ['none where the day before it is too far back', '2026-03-21', 'JPY', null],
    ['none before the first', '2026-03-05', 'USD', null],
    ['one to one of the same currency, always', '2020-01-01', 'EUR', 100n],
    ['none of a currency that is not in the set', '2026-03-13', 'SEK', null],
  ] as const)('%s', (_, day, to, wanted) => {
    expect(convert(100n, 'EUR', to, day)).toBe(wanted)
  })
})

describe('a conversion', () => {
  test.each([
    ['2 to 0 decimals', 12_345n, 'EUR', 'JPY', 19_752n],
    ['0 to 2 decimals', 19_752n, 'JPY', 'EUR', 12_345n],
    ['2 to 3 decimals', 12_345n, 'EUR', 'KWD', 61_725n],
    ['3 to 0 decimals, across the base', 1_000n, 'KWD', 'JPY', 320n],
    ['a half, to even', 5n, 'KWD', 'EUR', 1n],
    ['a half of a cent down to even', 25n, 'KWD', 'EUR', 5n],
    ['half a yen down', -1n, 'KWD', 'JPY', 0n],
  ])('%s', (_, amount, from, to, wanted) => {
    expect(convert(amount, from, to)).toBe(wanted)
  })

  test('halves go to the even neighbour, with either sign', () => {
    const halves = parseEcbRates('halves', 'Date,USD\n2026-01-01,0.5\n')
    const [found] = conversionsTo('USD', halves, { from: '2026-01-01', to: '2026-01-01' }).filter(
      ({ currency }) => currency === 'EUR',
    )
    const half = (amount: bigint) => divideHalfEven(amount * (found?.numerator ?? 0n), found?.denominator ?? 1n)
    expect([1n, 3n, 5n, -1n, -3n, -5n].map(half)).toEqual([0n, 2n, 2n, 0n, -2n, -2n])
  })

  test('there and back again differs by no more than what rounding can do, for any two currencies of the reference rates', () => {
    const [rates] = readReferenceRates()
    const day = '2025-06-16'
    const currencies = [...(rates.days.get(day)?.keys() ?? [])]
    expect(currencies.length).toBeGreaterThan(25)
    const pair = fc.tuple(fc.constantFrom(...currencies), fc.constantFrom(...currencies))
    const amounts = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n })
    fc.assert(
      fc.property(pair, amounts, ([a, b], amount) => {
        const rate = (from: string, to: string) =>
          conversionsTo(to, rates, { from: day, to: day }).find(({ currency }) => currency === from)
        const [there, back] = [rate(a, b), rate(b, a)]
        if (there === undefined || back === undefined) throw new Error('no rate')
        // The two fractions are each other's inverse, exactly.
        expect(there.numerator * back.numerator).toBe(there.denominator * back.denominator)
        const away = divideHalfEven(amount * there.numerator, there.denominator)
        const again = divideHalfEven(away * back.numerator, back.denominator)
        // Half a unit of b, in units of a, and half a unit of a.
        const apart = again > amount ? again - amount : amount - again
        expect(2n * apart * back.denominator <= back.numerator + back.denominator).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the file of the ECB', () => {
  test('has no gap that a day could not look across', () => {
    const [{ days }] = readReferenceRates()
    const sorted = [...days.keys()].sort()
    const range = { from: sorted[0] ?? '', to: sorted.at(-1) ?? '' }
    const dollars = conversionsTo('EUR', { id: 'x', days }, range).filter(({ currency }) => currency === 'USD')
    expect([range.from, range.to, dollars.length]).toEqual(['2024-01-02', '2026-10-30', 1033])
  })

  test.each([
    ['no date', 'Date,USD\nyesterday,1\n'],
    ['a day twice', 'Date,USD\n2026-01-01,1\n2026-01-01,1\n'],
    ['a cell too few', 'Date,USD,JPY\n2026-01-01,1\n'],
    ['a rate of 0', 'Date,USD\n2026-01-01,0.00\n'],
    ['a negative rate', 'Date,USD\n2026-01-01,-1\n'],
    ['a rate in exponents', 'Date,USD\n2026-01-01,1e3\n'],
    ['another file', 'day,USD\n2026-01-01,1\n'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseEcbRates('bad', text)).toThrow('rate set bad')
  })
})
