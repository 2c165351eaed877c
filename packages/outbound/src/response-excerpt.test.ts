// What of an answer's body may be shown: bounded, redacted, safe text.
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import fc from 'fast-check'
import { makeExcerpt } from './response-excerpt.ts'

const excerpt = (text: string): string | null => makeExcerpt(Buffer.from(text), null, 1_024)

/** Twenty runs take less than `limitMs`, for a machine that is not slow: the kernel counts CPU time in steps of milliseconds. */
function twentyTakeLessThan(limitMs: number, work: () => void): Promise<void> {
  return holdsLoopAtMost(limitMs, () => {
    for (let run = 0; run < 20; run += 1) work()
  })
}

describe('makeExcerpt', () => {
  test('any bytes give well-formed text of at most 1,024 bytes without control or direction characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (bytes) => {
        const text = makeExcerpt(Buffer.from(bytes), null, 1_024) ?? ''
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

  test('XP09: hostile text takes no longer than ordinary text', async () => {
    const parts = ['a', 'a.', '@', 'a@', '"password":', 'eyJ', 'v1=', '-----BEGIN ', 'bearer ', ' ', '\\', 'a-']
    const bodies = parts.map((part) => Buffer.from(part.repeat(65_536 / part.length)))
    for (const body of bodies) await twentyTakeLessThan(200, () => makeExcerpt(body, null, 1_024))
  })

  test('regression: F30: an answer in any content coding costs next to nothing and has no excerpt', async () => {
    const zeros = Buffer.alloc(4_000_000)
    const large = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
    const stacked = brotliCompressSync(gzipSync(large))
    const hostile: [string, Buffer][] = [
      ['br', large],
      ['BR', brotliCompressSync('x', { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })],
      ['gzip', gzipSync(zeros)],
      ['x-gzip', Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync('')))],
      ['deflate', deflateSync(zeros)],
      ['zstd', zstdCompressSync(zeros)],
      ['br, gzip, br', stacked],
      ['identity, br', stacked],
      ...['br', 'gzip', 'deflate', 'zstd'].map((coding): [string, Buffer] => [coding, Buffer.alloc(65_536, 0x1f)]),
    ]
    for (const [coding, body] of hostile) {
      expect(makeExcerpt(body, coding, 1_024)).toBeNull()
      await twentyTakeLessThan(40, () => makeExcerpt(body, coding, 1_024))
    }
  })

  test('an empty body is an empty text', () => {
    expect(excerpt('')).toBe('')
  })
})
