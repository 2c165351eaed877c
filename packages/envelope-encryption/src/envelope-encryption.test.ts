// What encryption at rest guarantees: only the right key at the right place gives the value back.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createEnvelopeEncryption, type EnvelopePlace, keyIdOf, readKeyFile } from './envelope-encryption.ts'
import { EnvelopeError } from './envelope-error.ts'

const place: EnvelopePlace = { workspaceId: 'wsp_1', table: 'secrets', rowId: 'whk_1', column: 'secret' }
const first = { kid: 'k1', key: randomBytes(32) }
const second = { kid: 'k2', key: randomBytes(32) }
const encryption = createEnvelopeEncryption([first])

function codeOf(run: () => unknown): string | null {
  try {
    run()
  } catch (error) {
    if (error instanceof EnvelopeError) return error.code
    throw error
  }
  return null
}
const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())
const places = fc.record({ workspaceId: text, table: text, rowId: text, column: text })

describe('envelope encryption', () => {
  test('any text comes back at its place', () => {
    fc.assert(
      fc.property(text, places, (plain, aad) => encryption.decrypt(encryption.encrypt(plain, aad), aad) === plain),
    )
  })

  test('XP02: a ciphertext at any other place does not decrypt', () => {
    fc.assert(
      fc.property(places, places, (here, there) => {
        fc.pre(JSON.stringify(here) !== JSON.stringify(there))
        expect(codeOf(() => encryption.decrypt(encryption.encrypt('x', here), there))).toBe('not_authentic')
      }),
    )
  })

  test('XP02: parts moved between neighbouring fields of a place do not decrypt', () => {
    const here = { ...place, table: 'a', rowId: 'bc' }
    const there = { ...place, table: 'ab', rowId: 'c' }
    expect(codeOf(() => encryption.decrypt(encryption.encrypt('x', here), there))).toBe('not_authentic')
  })

  test('one changed character anywhere throws', () => {
    const sealed = encryption.encrypt('a secret', place)
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'z', '0', '"', ' ', '='), (at, character) => {
        fc.pre(sealed[at] !== character)
        const changed = sealed.slice(0, at) + character + sealed.slice(at + 1)
        expect(['malformed', 'unknown_key', 'not_authentic']).toContain(
          codeOf(() => encryption.decrypt(changed, place)),
        )
      }),
    )
  })

  test('the same value gives another text each time, and none contains it', () => {
    const texts = Array.from({ length: 100 }, () => encryption.encrypt('whsec_plain', place))
    expect(new Set(texts).size).toBe(100)
    expect(texts.join()).not.toContain('whsec_plain')
    expect(new Set(texts.map((sealed) => JSON.parse(sealed).key)).size).toBe(100)
  })

  test('an unknown kid throws, and so does a wrong key under a known kid', () => {
    const sealed = encryption.encrypt('x', place)
    expect(codeOf(() => createEnvelopeEncryption([second]).decrypt(sealed, place))).toBe('unknown_key')
    const wrong = createEnvelopeEncryption([{ kid: 'k1', key: second.key }])
    expect(codeOf(() => wrong.decrypt(sealed, place))).toBe('not_authentic')
  })

  test('XP03: during a rotation both keys read, and a rewrapped value needs only the new one', () => {
    const both = createEnvelopeEncryption([second, first])
    const old = encryption.encrypt('x', place)
    expect([both.decrypt(old, place), both.isOutdated(old)]).toEqual(['x', true])
    const rewrapped = both.rewrap(old, place)
    expect(both.isOutdated(rewrapped)).toBe(false)
    expect(createEnvelopeEncryption([second]).decrypt(rewrapped, place)).toBe('x')
  })

  test('any other text is malformed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        (other) => codeOf(() => encryption.decrypt(other, place)) === 'malformed',
      ),
    )
  })

  test('keys of another length, twice the same kid and no key at all are refused', () => {
    expect(codeOf(() => createEnvelopeEncryption([]))).toBe('bad_key')
    expect(codeOf(() => createEnvelopeEncryption([first, first]))).toBe('bad_key')
    expect(codeOf(() => createEnvelopeEncryption([{ kid: 'k', key: randomBytes(31) }]))).toBe('bad_key')
    expect(codeOf(() => encryption.encrypt('\ud800', place))).toBe('not_text')
  })
})

describe('key file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'wds-key-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const file = (content: string, mode = 0o600) => {
    const path = join(directory, randomBytes(6).toString('hex'))
    writeFileSync(path, content)
    chmodSync(path, mode)
    return path
  }
  const key = randomBytes(32)

  test('a private file with 32 bytes of base64 is read', () => {
    expect(readKeyFile(file(`${key.toString('base64')}\n`))).toEqual(key)
  })

  test('K70: a file that its group may read is taken, as mounted secrets are', () => {
    for (const mode of [0o440, 0o640]) expect(readKeyFile(file(key.toString('base64'), mode))).toEqual(key)
  })

  test('a file that others may read, or that group or others may change, is refused', () => {
    for (const mode of [0o604, 0o660, 0o644, 0o602, 0o610, 0o620]) {
      expect(codeOf(() => readKeyFile(file(key.toString('base64'), mode)))).toBe('bad_key_file')
    }
  })

  test('other lengths, other notations, default values and missing files are refused, without their content', () => {
    const contents = [
      '',
      'short',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      key.toString('hex'),
      Buffer.alloc(32).toString('base64'),
      'A'.repeat(5_000),
    ]
    for (const path of [...contents.map((content) => file(content)), join(directory, 'none'), directory]) {
      expect(codeOf(() => readKeyFile(path))).toBe('bad_key_file')
    }
    expect(() => readKeyFile(file('visible'))).not.toThrow('visible')
  })

  test('a key has one name, and another key another', () => {
    expect(keyIdOf(key)).toBe(keyIdOf(Buffer.from(key)))
    expect(keyIdOf(key)).not.toBe(keyIdOf(first.key))
  })
})
