// Proves the closed lists of words: scopes, states, error classes, topics and currencies.
import { describe, expect, test } from '@jest/globals'
import { currencyCodes, isCurrency, minorUnits } from './currencies.ts'
import { attemptErrorCodes, isPermanent, rowRejectionCodes, syncErrorCodes } from './error-classes.ts'
import { isScope, scopes } from './scopes.ts'
import { brokenReasons, deliveryStatuses } from './states.ts'
import { isCompacted, topicDefinitions, topics } from './topics.ts'

describe('scopes', () => {
  test('are the eight of the specification', () => {
    expect(scopes).toHaveLength(8)
    expect(new Set(scopes).size).toBe(8)
    expect(['stats:read', 'stats:write', 'webhooks:manage', ''].map(isScope)).toEqual([true, false, true, false])
  })
})

describe('states of a delivery', () => {
  test('are the five words of settled-points.md 3', () => {
    expect(deliveryStatuses).toEqual(['pending', 'retry', 'replay', 'delivered', 'dead'])
  })
})

describe('error classes', () => {
  test('an attempt has the 14 classes of delivery.md', () => {
    expect(new Set(attemptErrorCodes).size).toBe(14)
  })

  test('a sync run has the codes of domain.md 4.6: 11 of them permanent', () => {
    const permanent = Object.values(syncErrorCodes).filter((definition) => definition.permanent)
    expect([Object.keys(syncErrorCodes).length, permanent.length]).toEqual([21, 11])
  })

  test("only the service's own faults break no integration, and only they are tried again for an upload", () => {
    const codes = Object.keys(syncErrorCodes) as (keyof typeof syncErrorCodes)[]
    const own = codes.filter((code) => syncErrorCodes[code].brokenReason === null)
    expect(own).toEqual(['worker_lost', 'internal_error'])
    expect(codes.filter((code) => !isPermanent(code, true))).toEqual(own)
  })

  test('every reason to be broken has a code that leads to it', () => {
    const reached = new Set(Object.values(syncErrorCodes).map(({ brokenReason }) => brokenReason))
    expect(brokenReasons.filter((reason) => !reached.has(reason))).toEqual([])
  })

  test('a row has the 16 rejection codes of domain.md 4.5, the 2 of JSON lines, the 2 that name what was misread, the one of folds, the 2 of rates, the 4 of payments and the 3 of campaigns', () => {
    const codes = Object.keys(rowRejectionCodes)
    expect([codes.length, codes.slice(16)]).toEqual([
      30,
      [
        'malformed_json',
        'unknown_field',
        'wrong_column_count',
        'text_too_long',
        'hour_too_large',
        'not_against_euro',
        'bad_rate',
        'unknown_invoice',
        'not_payable',
        'overpayment',
        'other_currency',
        'bad_value',
        'campaign_archived',
        'limit_reached',
      ],
    ])
  })
})

describe('topics', () => {
  test('only the event catalog is compacted', () => {
    expect(topicDefinitions.filter(({ compacted }) => compacted).map(({ name }) => name)).toEqual([
      'catalog.event-types',
    ])
    expect(topicDefinitions.map(({ name }) => name)).toEqual(Object.values(topics))
    expect([isCompacted('catalog.event-types'), isCompacted('auth.events'), isCompacted('other')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('currencies', () => {
  test.each([
    ['JPY', 0],
    ['EUR', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['ISK', 0],
    ['XXX', null],
    ['XAU', null],
    ['eur', null],
    ['', null],
    ['constructor', null],
  ])('M1: %s has %s decimals', (code, decimals) => {
    expect(minorUnits(code)).toBe(decimals)
    expect(isCurrency(code)).toBe(decimals !== null)
  })

  test('the table has 165 codes of three capital letters, each once', () => {
    expect(new Set(currencyCodes).size).toBe(165)
    expect(currencyCodes).toHaveLength(165)
    expect(currencyCodes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  })
})
