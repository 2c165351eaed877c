// What goes to the server as the text of an array.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import pg from 'pg'
import { toSendable } from './array-text.ts'

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

test('texts and nulls are written as pg writes them', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'NULL', '"', '\\', '\\"{},', '{}'))
  fc.assert(
    fc.property(fc.array(fc.option(texts)), (values) => {
      expect(toSendable(values)).toBe(prepareValue(values))
    }),
  )
  expect(toSendable([undefined, 'a'])).toBe('{NULL,"a"}')
})

test('numbers and truth values need no quotes', () => {
  expect(toSendable([1, -2.5, 1e21, Number.NaN, 3n, true, false, null])).toBe('{1,-2.5,1e+21,NaN,3,true,false,NULL}')
})

test('everything else is left to pg', () => {
  const values = [
    [],
    [[1, 2], ['a']],
    ['a', Buffer.from('bytes')],
    [new Uint8Array([1, 2])],
    [{ a: 1 }],
    [new Date(0)],
    'text',
    7,
    null,
    undefined,
    { a: [1] },
    Buffer.from('bytes'),
  ]
  for (const value of values) expect(toSendable(value)).toEqual(prepareValue(value))
})
