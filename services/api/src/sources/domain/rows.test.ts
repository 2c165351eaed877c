// Rows from cells: each rejection code of domain.md 4.5, amounts, sums, ratios, the demo provider and the retry schedule.
import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { combineRow } from '../../stats/domain/combine-rows.ts'
import { largestValue, noMeasures, noSums } from '../../stats/domain/measures.ts'
import { divideHalfEven, ratio } from '../../stats/domain/round-half-even.ts'
import { metricOf } from '../../stats/domain/stats-metrics.ts'
import { nextAttemptMs } from '../../sync-runs/domain/retry-schedule.ts'
import { checkRow, type RowRules } from './check-row.ts'
import { demoDefaults, demoRow, demoRows, uniform } from './demo-generator.ts'
import { isDoomed, judgeIngest } from './ingest-limits.ts'
import { parseAmount } from './parse-amount.ts'
import { bindHeader, type MappingEntry } from './row-mapping.ts'

const rules: RowRules = {
  granularity: 'day',
  zone: 'UTC',
  currency: 'EUR',
  onUnknownCampaign: 'create',
  knowsCampaign: () => false,
  today: '2026-03-01',
}

function check(row: Record<string, string>, o: Partial<RowRules> = {}, mapping: MappingEntry[] | null = null) {
  const bound = bindHeader(Object.keys(row), o.granularity ?? 'day', mapping)
  if (!bound.ok) throw new Error(JSON.stringify(bound.faults))
  return checkRow(Object.values(row), bound.entries, { ...rules, ...o })
}

const day = { date: '2026-01-01' }
test.each([
  ['missing_required', { date: '', clicks: '1' }, {}],
  ['hour_missing', { hour: '', clicks: '1' }, { granularity: 'hour' as const }],
  ['bad_date', { date: '2026-02-30', clicks: '1' }, {}],
  ['date_in_future', { date: '2026-03-02', clicks: '1' }, {}],
  ['date_too_old', { date: '1999-12-31', clicks: '1' }, {}],
  ['bad_number', { ...day, clicks: '1e3' }, {}],
  ['bad_number', { ...day, ngr: 'NaN' }, {}],
  ['fraction_not_allowed', { ...day, clicks: '1.5' }, {}],
  ['negative_value', { ...day, clicks: '-1' }, {}],
  ['negative_value', { ...day, deposits_amount: '-1' }, {}],
  ['unknown_currency', { ...day, currency: 'XYZ', clicks: '1' }, {}],
  ['amount_overflow', { ...day, ngr: '90071992547409.92' }, {}],
  ['bad_country', { ...day, country: 'Germany', clicks: '1' }, {}],
  ['unknown_campaign', { ...day, campaign: 'c', clicks: '1' }, { onUnknownCampaign: 'reject' as const }],
])('a row is rejected with %s: %j', (code, row, o) => {
  expect(check(row, o)).toMatchObject({ ok: false, code })
})

test('too_many_decimals and duplicate_key come with round and combine reject', () => {
  const mapping: MappingEntry[] = [
    { to: 'date', from: 'date' },
    { to: 'ngr', from: 'ngr', round: 'reject' },
  ]
  expect(check({ ...day, ngr: '1.005' }, {}, mapping)).toMatchObject({ ok: false, code: 'too_many_decimals' })
  expect(combineRow(noMeasures(), noMeasures(), 'reject')).toMatchObject({ ok: false, error: 'duplicate_key' })
})

test('regression: rows whose sum is out of range are rejected with amount_overflow of the measure that is', () => {
  const ngr = { ...noMeasures(), clicks: 1n, ngr: -largestValue }
  expect(combineRow(ngr, ngr, 'sum')).toEqual({ ok: false, error: 'amount_overflow', field: 'ngr' })
})

describe('a kept row', () => {
  test('regression: is of the day that its instant has in the source, at 45 minutes from UTC as well', () => {
    const at = (hour: string) => check({ hour, clicks: '1' }, { zone: 'Asia/Kathmandu' })
    expect(at('2026-02-27T18:14:59Z')).toMatchObject({ row: { day: '2026-02-27' } })
    expect(at('2026-02-27T18:15:00Z')).toMatchObject({ row: { day: '2026-02-28' } })
  })

  test('has null for what the file does not supply, 0 for an empty cell, null for ZZ', () => {
    const checked = check({ ...day, clicks: '', country: 'ZZ' })
    expect(checked).toMatchObject({
      ok: true,
      row: { country: null, values: { clicks: 0n, ngr: null }, currency: 'EUR' },
    })
  })

  test('warns of an NGR that does not add up and of a sub-affiliate nobody knows', () => {
    const money = { ggr: '10', bonuses_amount: '1', fees_amount: '1', chargebacks_amount: '0', ngr: '7' }
    expect(check({ ...day, ...money, sub_id: 's1' })).toMatchObject({
      warnings: ['ngr_mismatch', 'unknown_sub_affiliate'],
    })
  })

  test('is a sub-affiliate’s where the mapping says so of its campaign', () => {
    const from = 'Campaign'
    const mapping: MappingEntry[] = [
      ...[
        { to: 'date', from: 'date' },
        { to: 'clicks', from: 'clicks' },
        { to: 'campaign', from },
      ],
      { to: 'sub_id', from, values: { spring: 'jane' } },
    ]
    const rowOf = (Campaign: string) =>
      check({ ...day, clicks: '1', Campaign }, { knowsSubAffiliate: (id) => id === 'jane' }, mapping)
    expect(rowOf('spring')).toMatchObject({
      row: { campaignExternalId: 'spring', subAffiliateId: 'jane' },
      warnings: [],
    })
    expect(rowOf('other')).toMatchObject({ row: { subAffiliateId: null }, warnings: ['unknown_sub_affiliate'] })
  })

  test('sums the columns of a mapping, translates values and negates money', () => {
    const mapping: MappingEntry[] = [
      { to: 'date', from: 'Day', format: 'DD/MM/YYYY' },
      { to: 'country', from: 'Land', values: { Germany: 'DE' } },
      { to: 'ngr', from: ['A', 'B'], negate: true },
    ]
    const checked = check(
      { Day: '31/01/2026', Land: 'Germany', A: '1.10', B: '2', Extra: 'jane@example.com' },
      {},
      mapping,
    )
    expect(checked).toMatchObject({ ok: true, row: { day: '2026-01-31', country: 'DE', values: { ngr: -310n } } })
  })
})

describe('amounts', () => {
  test('M1: decimals of the currency count, half-even beyond them', () => {
    expect(parseAmount('15.005', 2, 'half_even')).toEqual({ ok: true, value: 1500n })
    expect(parseAmount('15.015', 2, 'half_even')).toEqual({ ok: true, value: 1502n })
    expect(parseAmount('-0.0051', 2, 'half_even')).toEqual({ ok: true, value: -1n })
    expect(parseAmount('7', 0, 'half_even')).toEqual({ ok: true, value: 7n })
    expect(parseAmount('1.2345', 3, 'half_even')).toEqual({ ok: true, value: 1234n })
  })

  test('a printed amount of any currency reads back', () => {
    const amount = fc.bigInt({ min: -largestValue, max: largestValue })
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 4 }), (value, digits) => {
        const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0')
        const whole = text.slice(0, text.length - digits)
        const printed = `${value < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
        expect(parseAmount(printed, digits, 'reject')).toEqual({ ok: true, value })
      }),
    )
  })

  test('half-even rounding is off by at most a half, and even at a half', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
        const error = 2n * (divideHalfEven(numerator, denominator) * denominator - numerator)
        const size = error < 0n ? -error : error
        expect(size <= denominator).toBe(true)
        if (size === denominator) expect(divideHalfEven(numerator, denominator) % 2n).toBe(0n)
      }),
    )
  })

  test('a ratio has 6 places and is null without a denominator', () => {
    expect([ratio(465_000n, 4210n), ratio(1n, 0n), ratio(null, 1n), ratio(-100n, 7n)]).toEqual([
      110.451306,
      null,
      null,
      -14.285714,
    ])
    expect(metricOf('epc', { ...noSums(), clicks: 4n, cpa_commission: 1n, other_commission: 1n })).toBe(0.5)
    expect(metricOf('commission', noSums())).toBeNull()
  })

  test('a margin is null without a commission or a cost, and may be negative', () => {
    const marginOf = (sums: object) => metricOf('margin', { ...noSums(), ...sums })
    expect([marginOf({ cpa_commission: 1n }), marginOf({ sub_affiliate_cost: 0n })]).toEqual([null, null])
    expect(marginOf({ revshare_commission: 0n, other_commission: -1n, sub_affiliate_cost: 2n })).toBe(-3n)
  })
})

describe('the demo provider', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest()
  const asked = {
    settings: demoDefaults,
    window: { from: '2026-01-01', to: '2026-01-01' },
    zone: 'UTC',
    currency: 'EUR',
    sha256,
  }
  const endMs = Date.parse('2026-01-02T00:00:00Z')

  test('is a pure function of its settings, and yields only hours that have ended', () => {
    const all = [...demoRows({ ...asked, nowMs: endMs })]
    expect(all).toHaveLength(24 * 4 * 3)
    expect([...demoRows({ ...asked, nowMs: endMs })]).toEqual(all)
    expect([...demoRows({ ...asked, nowMs: endMs - 1 })]).toEqual(all.slice(0, 23 * 12))
  })

  test('follows the formula of domain.md 4.3', () => {
    const startMs = Date.parse('2026-01-03T05:00:00Z')
    const row = demoRow({ ...asked, startMs, day: '2026-01-03', campaign: 'demo-2', country: 'SE', nowMs: endMs * 2 })
    const u = (k: number) => {
      const digest = sha256(`1|2026-01-03T05:00:00.000Z|demo-2|SE|${k}`)
      return digest.readUIntBE(0, 6) / 2 ** 48
    }
    expect(uniform(sha256, '1|2026-01-03T05:00:00.000Z|demo-2|SE', 1)).toBe(u(1))
    // A Saturday: factor 1.25.
    const clicks = Math.floor((400 / 24 / 3) * 1.25 * (0.85 + 0.3 * u(1)) + u(2))
    const signups = Math.min(clicks, Math.floor(clicks * (0.06 + 0.03 * u(3)) + u(4)))
    expect(row.values).toMatchObject({
      clicks: BigInt(clicks),
      impressions: BigInt(25 * clicks),
      signups: BigInt(signups),
    })
  })
})

test('more than a fifth of 20 rows rejected, or nothing where rows are stored, ends an attempt', () => {
  const base = { lines: 20, rejected: 4, accepted: 16, storedInWindow: true, allowEmpty: false }
  expect(judgeIngest(base)).toBeNull()
  expect(judgeIngest({ ...base, rejected: 5 })).toBe('too_many_rejects')
  expect(judgeIngest({ ...base, lines: 19, rejected: 19, accepted: 0 })).toBe('empty_window')
  expect(judgeIngest({ ...base, lines: 0, rejected: 0, accepted: 0, allowEmpty: true })).toBeNull()
})

test('the next attempt is never early and at most 5 % late', () => {
  const jitter = fc.double({ min: 0, max: 0.999999, noNaN: true })
  fc.assert(
    fc.property(jitter, fc.integer({ min: 1, max: 3 }), (value, failedAttempt) => {
      const delaysMs = [60_000, 300_000, 900_000]
      const waited = nextAttemptMs({ endedMs: 0, failedAttempt, delaysMs, jitter: value })
      const planned = delaysMs[failedAttempt - 1] ?? 0
      expect(waited >= planned && waited <= planned * 1.05).toBe(true)
    }),
  )
})

test('an upload is doomed before its end only if whatever follows leaves it with too many rejects', () => {
  const counts = fc.record({ good: fc.nat(200), bad: fc.nat(200), left: fc.nat(200), leftBad: fc.nat(200) })
  fc.assert(
    fc.property(counts, ({ good, bad, left, leftBad }) => {
      const [lines, end] = [good + bad, { storedInWindow: false, allowEmpty: false }]
      const rejected = bad + Math.min(left, leftBad)
      const doomed = isDoomed({ lines, rejected: bad, linesMax: lines + left })
      const judged = judgeIngest({ lines: lines + left, rejected, accepted: lines + left - rejected, ...end })
      if (doomed) expect(judged).toBe('too_many_rejects')
      const atBest = judgeIngest({ lines: lines + left, rejected: bad, accepted: good + left, ...end })
      if (lines >= 20) expect(doomed).toBe(atBest === 'too_many_rejects')
    }),
  )
})
