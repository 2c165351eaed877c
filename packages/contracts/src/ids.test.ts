// Proves the form and the order of ids (domain.md 2, api-conventions.md 1).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { edgeId, idDay, idPattern, idPrefixes, idTimeMs, isId, makeId, nextId } from './ids.ts'

const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
const instants = fc.integer({ min: 0, max: lastMs })
const randoms = fc.uint8Array({ minLength: 10, maxLength: 10 })
const zeros = new Uint8Array(10)
const ones = new Uint8Array(10).fill(255)

describe('makeId', () => {
  test('encodes the ULID of the specification', () => {
    expect(makeId('evt', 1_469_918_176_385, zeros)).toBe('evt_01ARYZ6S410000000000000000')
    expect(makeId('evt', 0, ones)).toBe('evt_0000000000ZZZZZZZZZZZZZZZZ')
    expect(makeId('evt', 1, new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, 0, 31]))).toBe('evt_0000000001000000010000000Z')
  })

  test('every id matches the pattern and gives its instant and day back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...idPrefixes), instants, randoms, (prefix, ms, random) => {
        const id = makeId(prefix, ms, random)
        expect(id).toMatch(new RegExp(idPattern))
        expect(isId(prefix, id)).toBe(true)
        expect(idTimeMs(id)).toBe(ms)
        expect(idDay(id)).toBe(new Date(ms).toISOString().slice(0, 10))
      }),
    )
  })

  test('ids of different milliseconds sort as text like their instants', () => {
    fc.assert(
      fc.property(instants, instants, randoms, randoms, (a, b, first, second) => {
        fc.pre(a !== b)
        expect(makeId('evt', a, first) < makeId('evt', b, second)).toBe(a < b)
      }),
    )
  })

  test('the random part sorts like its bytes, so no bit is lost', () => {
    fc.assert(
      fc.property(randoms, randoms, (a, b) => {
        expect(Math.sign(Buffer.compare(a, b))).toBe(compareText(makeId('evt', 7, a), makeId('evt', 7, b)))
      }),
    )
  })

  test('a fraction of a millisecond is cut off', () => {
    expect(makeId('evt', 5.9, zeros)).toBe(makeId('evt', 5, zeros))
  })

  test('an instant before 1970 or after 9999, no number, and another number of bytes are refused', () => {
    for (const ms of [-1, lastMs + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => makeId('evt', ms, zeros)).toThrow(RangeError)
    }
    expect(() => makeId('evt', 1, new Uint8Array(9))).toThrow(RangeError)
  })
})

describe('nextId', () => {
  test('without a previous id or in a later millisecond it is a fresh id', () => {
    expect(nextId('evt', null, 5, ones)).toBe(makeId('evt', 5, ones))
    expect(nextId('evt', makeId('evt', 4, ones), 5, zeros)).toBe(makeId('evt', 5, zeros))
  })

  test('in the same or an earlier millisecond it is the previous id raised by one', () => {
    const previous = makeId('evt', 5, zeros)
    for (const ms of [5, 4, 0]) expect(nextId('dlv', previous, ms, ones)).toBe('dlv_00000000050000000000000001')
  })

  test('a carry moves through the random part', () => {
    const previous = makeId('evt', 5, new Uint8Array([0, 0, 0, 0, 1, 255, 255, 255, 255, 255]))
    expect(nextId('evt', previous, 5, zeros)).toBe(makeId('evt', 5, new Uint8Array([0, 0, 0, 0, 2, 0, 0, 0, 0, 0])))
  })

  test('an overflow of the random part goes on in the next millisecond', () => {
    expect(nextId('evt', makeId('evt', 5, ones), 5, zeros)).toBe(makeId('evt', 6, zeros))
  })

  test('ids of one chain rise whatever the clock does', () => {
    const clock = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), randoms), { minLength: 2, maxLength: 50 })
    fc.assert(
      fc.property(clock, (ticks) => {
        let previous: string | null = null
        for (const [ms, random] of ticks) {
          const id: string = nextId('evt', previous, ms, random)
          if (previous !== null) expect(id > previous).toBe(true)
          previous = id
        }
      }),
    )
  })
})

describe('isId', () => {
  test('another prefix, another alphabet, another length and a day after 9999 are no ids', () => {
    const ulid = '01JD3Q8ZK5M7N9P2R4T6V8W0XY'
    expect(isId('evt', `evt_${ulid}`)).toBe(true)
    const wrong = [
      `int_${ulid}`,
      ulid,
      `evt_${ulid}0`,
      `evt_${ulid.slice(1)}`,
      `evt_${ulid.toLowerCase()}`,
      `evt-${ulid}`,
    ]
    const outside = [
      `evt_${ulid.slice(1)}U`,
      `evt_${ulid}\n`,
      'evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      `evt_Z${ulid.slice(1)}`,
      '',
    ]
    for (const text of [...wrong, ...outside]) expect([text, isId('evt', text)]).toEqual([text, false])
  })

  test('what is not an id has no instant and no day', () => {
    expect(() => idTimeMs('evt_')).toThrow(RangeError)
    expect(() => idTimeMs('evt_UUUUUUUUUU0000000000000000')).toThrow(RangeError)
    expect(() => idDay('evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toThrow(RangeError)
  })
})

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

test('edgeId encloses every id of the instant, and takes any instant', () => {
  fc.assert(
    fc.property(instants, randoms, (atMs, random) => {
      const id = makeId('evt', atMs, random)
      expect(edgeId('evt', atMs, 'first') <= id && id <= edgeId('evt', atMs, 'last')).toBe(true)
    }),
  )
  expect(edgeId('evt', -1, 'first')).toBe(edgeId('evt', 0, 'first'))
  expect(edgeId('evt', lastMs + 1, 'last')).toBe(edgeId('evt', lastMs, 'last'))
})
