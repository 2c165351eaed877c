// That the code is HMAC-SHA-256, whatever is signed before and beside it.
import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createMacKey, macOf } from './mac.ts'

const keys = fc.uint8Array({ maxLength: 64 })
const heads = fc.stringMatching(/^[\w.-]{0,150}$/)

test('the code is that of the HMAC of the runtime, in any order of keys and lengths', () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(140_000).map((length) => new Uint8Array(length).fill(length)),
  )
  const made = fc.array(fc.tuple(keys, heads, bodies), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(made, (all) => {
      const ready = all.map(([key]) => createMacKey(key))
      for (const form of ['hex', 'base64'] as const) {
        for (const [nth, [key, head, body]] of all.entries()) {
          const expected = createHmac('sha256', key).update(head).update(body).digest(form)
          expect(macOf(ready[nth] as (typeof ready)[number], { head, body }, form)).toBe(expected)
        }
      }
    }),
  )
})

test('around the length from which a text gets memory of its own', () => {
  const key = new Uint8Array(38).fill(7)
  for (let length = 65_536 - 70; length < 65_536 + 5; length += 1) {
    const body = new Uint8Array(length).fill(length)
    const expected = createHmac('sha256', key).update('1.').update(body).digest('hex')
    expect(macOf(createMacKey(key), { head: '1.', body }, 'hex')).toBe(expected)
  }
})

test('a key that is longer than a block is refused', () => {
  expect(() => createMacKey(new Uint8Array(65))).toThrow(RangeError)
})
