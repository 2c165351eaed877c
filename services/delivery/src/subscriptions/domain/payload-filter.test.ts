// Which events a payload filter lets through, and which filters are refused (delivery.md 4.1).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { compileFilter, type FilterCondition, faultsOfFilter, type PayloadFilter } from './payload-filter.ts'

const event = {
  id: 'evt_1',
  type: 'invoice.paid',
  created: '2026-11-18T09:30:00.000Z',
  data: { amount: 1_250, currency: 'EUR', memo: null, final: true, 'a/b': { '~': 'x' }, ids: ['int_1', 'int_2'] },
}
const lets = (...all: FilterCondition[]) => compileFilter({ all })(event)

describe('a condition', () => {
  test.each<[boolean, FilterCondition]>([
    [true, { pointer: '/data/currency', op: 'eq', value: 'EUR' }],
    [false, { pointer: '/data/currency', op: 'eq', value: 'eur' }],
    [false, { pointer: '/data/amount', op: 'eq', value: '1250' }],
    [true, { pointer: '/data/memo', op: 'eq', value: null }],
    [false, { pointer: '/data/missing', op: 'eq', value: null }],
    [true, { pointer: '/type', op: 'neq', value: 'invoice.sent' }],
    [false, { pointer: '/type', op: 'neq', value: 'invoice.paid' }],
    [true, { pointer: '/data/missing', op: 'neq', value: 'x' }],
    [true, { pointer: '/data/currency', op: 'in', value: ['SEK', 'EUR'] }],
    [false, { pointer: '/data/currency', op: 'in', value: ['SEK', null] }],
    [true, { pointer: '/data/amount', op: 'gt', value: 1_249.5 }],
    [false, { pointer: '/data/amount', op: 'gt', value: 1_250 }],
    [true, { pointer: '/data/amount', op: 'lt', value: 2_000 }],
    [false, { pointer: '/data/amount', op: 'lt', value: '2000' }],
    [true, { pointer: '/created', op: 'gt', value: '2026-11-18' }],
    [false, { pointer: '/data/missing', op: 'lt', value: 1 }],
    [true, { pointer: '/data/memo', op: 'exists', value: true }],
    [false, { pointer: '/data/memo', op: 'exists', value: false }],
    [true, { pointer: '/data/missing/deeper', op: 'exists', value: false }],
    [true, { pointer: '/data/ids/1', op: 'eq', value: 'int_2' }],
    [false, { pointer: '/data/ids/01', op: 'exists', value: true }],
    [false, { pointer: '/data/ids/length', op: 'exists', value: true }],
    [true, { pointer: '/data/a~1b/~0', op: 'eq', value: 'x' }],
    [false, { pointer: '/data', op: 'eq', value: 'x' }],
  ])('%s: %j', (expected, condition) => {
    expect(lets(condition)).toBe(expected)
  })

  test('all of them must hold', () => {
    const [yes, no]: FilterCondition[] = [
      { pointer: '/data/amount', op: 'gt', value: 1 },
      { pointer: '/data/amount', op: 'gt', value: 9_999 },
    ]
    expect([lets(yes as FilterCondition), lets(yes as FilterCondition, no as FilterCondition)]).toEqual([true, false])
  })

  test('what every object inherits is no member of an event', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
      expect(lets({ pointer: `/data/${name}`, op: 'exists', value: true })).toBe(false)
  })

  test('any filter without faults gives an answer for any body', () => {
    const condition = fc.record({ pointer: fc.string(), op: fc.string(), value: fc.jsonValue() })
    const filters = fc.array(condition, { maxLength: 12 }).map((all) => ({ all }))
    fc.assert(
      fc.property(filters, fc.jsonValue(), (filter, body) => {
        if (faultsOfFilter(filter).length > 0) return
        expect(typeof compileFilter(filter as PayloadFilter)(body)).toBe('boolean')
      }),
    )
  })

  test('neq is the opposite of eq for any body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('x', 1, null, true), (body, value) => {
        const [eq, neq] = (['eq', 'neq'] as const).map((op) =>
          compileFilter({ all: [{ pointer: '/a', op, value }] })(body),
        )
        expect(eq).toBe(!neq)
      }),
    )
  })
})

describe('a filter is refused', () => {
  const good = { pointer: '/data/amount', op: 'gt', value: 1 }
  test.each<[string, object[], string]>([
    ['without conditions', [], '/all'],
    ['with 11', Array.from({ length: 11 }, () => good), '/all'],
    ['by a pointer without a slash', [good, { ...good, pointer: 'data' }], '/all/1/pointer'],
    ['by the empty pointer', [{ ...good, pointer: '' }], '/all/0/pointer'],
    ['by an escape that is none', [{ ...good, pointer: '/a~2' }], '/all/0/pointer'],
    ['by a pointer 6 deep', [{ ...good, pointer: '/a/b/c/d/e/f' }], '/all/0/pointer'],
    ['by a pointer of 256 characters', [{ ...good, pointer: `/${'a'.repeat(255)}` }], '/all/0/pointer'],
    ['by an unknown operator', [{ ...good, op: 'matches' }], '/all/0/op'],
    ['by a name that every object has', [{ ...good, op: 'constructor' }], '/all/0/op'],
    ['by a list where a scalar belongs', [{ ...good, op: 'eq', value: [1] }], '/all/0/value'],
    ['by an object', [{ ...good, op: 'eq', value: {} }], '/all/0/value'],
    ['by a scalar where a list belongs', [{ ...good, op: 'in', value: 1 }], '/all/0/value'],
    ['by an empty list', [{ ...good, op: 'in', value: [] }], '/all/0/value'],
    ['by a list of 51', [{ ...good, op: 'in', value: Array(51).fill(1) }], '/all/0/value'],
    ['by gt with null', [{ ...good, value: null }], '/all/0/value'],
    ['by exists with a text', [{ ...good, op: 'exists', value: 'yes' }], '/all/0/value'],
    ['without a value', [{ pointer: '/a', op: 'eq' }], '/all/0/value'],
    ['by a text of 256 characters', [{ ...good, op: 'eq', value: 'a'.repeat(256) }], '/all/0/value'],
  ])('%s', (_, all, at) => {
    expect(faultsOfFilter({ all: all as never }).map((fault) => fault.at)).toEqual([at])
  })

  test('5 deep, 10 conditions, 50 values are allowed', () => {
    const all = Array.from({ length: 10 }, () => ({ pointer: '/a/b/c/d/e', op: 'in', value: Array(50).fill('a') }))
    expect(faultsOfFilter({ all })).toEqual([])
  })
})
