// What the form of an API key guarantees.

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { apiKeyPattern, makeApiKey, parseApiKey } from './api-key.ts'

describe('api key', () => {
  test('every issued key has 47 characters, matches the published pattern and is accepted', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(255)), (stream) => {
        const key = makeApiKey((length) => Uint8Array.from({ length }, () => stream.next().value as number))
        expect(key).toHaveLength(47)
        expect(`key=${key};`).toMatch(new RegExp(apiKeyPattern))
        expect(parseApiKey(key)).toEqual({
          ok: true,
          digest: createHash('sha256').update(key).digest(),
          prefix: key.slice(0, 13),
          last4: key.slice(-4),
        })
      }),
    )
  })

  test('a changed character is refused by the checksum, wherever it stands', () => {
    const key = makeApiKey(randomBytes)
    fc.assert(
      fc.property(fc.nat(46), fc.constantFrom(...'0Az_ é'), (at, character) => {
        fc.pre(key[at] !== character)
        expect(parseApiKey(key.slice(0, at) + character + key.slice(at + 1))).toEqual({ ok: false })
      }),
    )
  })

  test('other lengths, the reserved prefix and any other text are refused', () => {
    const key = makeApiKey(randomBytes)
    for (const text of [
      '',
      key.slice(0, -1),
      `${key}0`,
      `${key}\n`,
      ` ${key}`,
      key.toLowerCase(),
      key.replace('_live_', '_test_'),
    ]) {
      expect(parseApiKey(text)).toEqual({ ok: false })
    }
    fc.assert(fc.property(fc.string(), (text) => !parseApiKey(text).ok))
  })

  test('each character is as likely as the next: bytes that would favour some are drawn again', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const counts = new Map<string, number>()
    for (let from = 0; from < 256; from += 32) {
      const fair = [...bytes.subarray(from, from + 32)].filter((byte) => byte < 248)
      const key = makeApiKey((length) => Uint8Array.from({ length }, (_, index) => fair[index % fair.length] as number))
      for (const character of key.slice(9, 9 + fair.length)) counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 62 }, () => 4))
  })

  test('a source without usable bytes ends in an error, not in a loop', () => {
    expect(() => makeApiKey((length) => new Uint8Array(length).fill(255))).toThrow('no usable bytes')
  })
})
