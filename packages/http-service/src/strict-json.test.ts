import { describe, expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { MalformedJson, nestingMax, parseStrictJson, valuesMax } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text, 'utf8'))

/** Whether JSON.parse makes a number of it that is too large for a float, which the strict reader refuses. */
function holdsInfinity(text: string): boolean {
  let holds = false
  try {
    JSON.parse(text, (_key, value) => {
      holds ||= value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
      return value
    })
  } catch {
    return false
  }
  return holds
}

describe('the strict reader', () => {
  test('agrees with JSON.parse on every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('C07: refuses whatever JSON.parse refuses, without any other error', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e9',
      'null',
      'tru',
      ' ',
      '\\u00',
      '\n',
      '\v',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const outcome = (read: () => unknown) => {
          try {
            return JSON.stringify(read())
          } catch (error) {
            return error instanceof MalformedJson || error instanceof SyntaxError ? 'refused' : error
          }
        }
        const ours = outcome(() => parse(text))
        if (ours !== 'refused') expect(ours).toBe(outcome(() => JSON.parse(text)))
        else
          expect(/"a".*"a"/s.test(text) || holdsInfinity(text) || outcome(() => JSON.parse(text)) === 'refused').toBe(
            true,
          )
      }),
      // What a run of CI found: JSON.parse makes Infinity of it.
      { numRuns: 2_000, examples: [[['1', 'e9', '0', '1']]] },
    )
  })

  test('C07: takes 32 levels and refuses 33', () => {
    expect(() => parse('['.repeat(nestingMax) + ']'.repeat(nestingMax))).not.toThrow()
    expect(() => parse('['.repeat(nestingMax + 1) + ']'.repeat(nestingMax + 1))).toThrow(MalformedJson)
    expect(() => parse('{"a":'.repeat(100_000))).toThrow(MalformedJson)
  })

  test.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"\\u0061":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    ['"\\udc00"'],
    ['"\\ud83dx"'],
    ['01'],
    ['+1'],
    ['1.'],
    ['.5'],
    ['1e400'],
    ['Infinity'],
    ["{'a':1}"],
    ['[1,]'],
    ['{"a":1,}'],
    ['"\t"'],
    ['nul'],
    ['// x'],
    [' '],
  ])('C07: refuses %s', (text) => {
    expect(() => parse(text)).toThrow(MalformedJson)
  })

  test('C08: __proto__ is an ordinary key at any depth', () => {
    const value = parse('{"a":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}') as { a: object }
    expect(Object.keys(value.a)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('C07: takes 10,000 values and refuses one more', () => {
    const values = (n: number) => `[${Array.from({ length: n - 1 }, () => '1').join(',')}]`
    expect(parse(values(valuesMax))).toHaveLength(valuesMax - 1)
    expect(() => parse(values(valuesMax + 1))).toThrow(MalformedJson)
  })

  test.each([
    ['keys', '{', (at: number) => `"${at}":${at}`, '}'],
    ['numbers', '[', () => '1', ']'],
    ['empty objects', '[', () => '{}', ']'],
    ['escapes', '["', () => '\\n\\"\\u0041', '"]'],
    ['backslashes', '["', () => '\\\\', '"]'],
    ['a string that does not end', '["', () => '\\"', ''],
  ])('XT08: 1 MiB of %s does not hold the event loop', async (_what, open, item, close) => {
    const items: string[] = []
    for (let length = 0; length < 1_000_000; length += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length))
    const text = open + items.join(',') + close
    await holdsLoopAtMost(150, () => {
      try {
        parse(text)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedJson)
      }
    })
  })

  test('escapes are read as JSON.parse reads them', () => {
    for (const text of ['"\\\\"', '"\\\\\\""', '"a\\u0041\\/\\n"', '{"\\"":"\\\\"}'])
      expect(parse(text)).toEqual(JSON.parse(text))
    for (const text of ['"\\x"', '"\\u00g0"', '"\\', '"\\"', '"\\n\t"'])
      expect(() => parse(text)).toThrow(MalformedJson)
  })
})

describe('canonical text', () => {
  test('does not depend on the order of members', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}')
    const shuffled = fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((value) => [value, Object.fromEntries(Object.entries(value).reverse())])
    fc.assert(fc.property(shuffled, ([value, other]) => expect(canonicalJson(value)).toBe(canonicalJson(other))))
  })
})
