// What of an answer's body may be shown: bounded, redacted, safe text.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { makeExcerpt } from './response-excerpt.ts'

const excerpt = (text: string): string | null => makeExcerpt(Buffer.from(text), null, 1_024, 65_536)

describe('makeExcerpt', () => {
  test('any bytes give well-formed text of at most 1,024 bytes without control or direction characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (bytes) => {
        const text = makeExcerpt(Buffer.from(bytes), null, 1_024, 65_536) ?? ''
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}]/u)
      }),
    )
  })

  test('a character of several bytes is not cut', () => {
    expect(excerpt('\u20ac'.repeat(1_000))).toBe('\u20ac'.repeat(341))
  })

  test('XB06: terminal escapes and direction marks are taken out', () => {
    expect(excerpt('a\u001b[31mred\u0000\r\n\u202eb')).toBe('a[31mred\nb')
  })

  test('secrets, tokens and e-mail addresses are redacted, also where the text ends', () => {
    const secrets = [
      `wdk_live_${'a1'.repeat(19)}`,
      `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      'Bearer abcdef1234567890',
      'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      'sk_live_abcdefgh12345678',
      'AKIAABCDEFGHIJKLMNOP',
      'someone@acme.io',
      `v1=${'ab'.repeat(32)}`,
      '"password":"hunter2hunter2"',
      'client_secret=verysecretvalue',
    ]
    for (const secret of secrets) {
      const value =
        secret
          .split(/[=:" ]+/)
          .filter(Boolean)
          .at(-1) ?? secret
      for (const text of [secret, `x ${secret} y`, `{"echo": "${secret}"}`, `${'z '.repeat(400)}${secret}`]) {
        expect(excerpt(text)).not.toContain(value)
        expect(excerpt(text)).toContain('[redacted]')
      }
    }
  })

  test('XP09: hostile text takes no longer than ordinary text', () => {
    for (const part of ['a', 'a.', '@', 'a@', '"password":', 'eyJ', 'v1=', '-----BEGIN ', 'bearer ', ' ', '\\', 'a-']) {
      const body = Buffer.from(part.repeat(65_536 / part.length))
      // The quickest of five: what the machine does beside it is not the text's doing.
      const times = Array.from({ length: 5 }, () => {
        const startedMs = performance.now()
        makeExcerpt(body, null, 1_024, 65_536)
        return performance.now() - startedMs
      })
      expect(Math.min(...times)).toBeLessThan(50)
    }
  })

  test('an empty body is an empty text', () => {
    expect(excerpt('')).toBe('')
  })
})
