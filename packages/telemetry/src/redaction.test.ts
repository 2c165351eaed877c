// What a text shows after redaction: no secret, whatever its pattern, and no more than a bounded part, in linear time. Values under names: redaction-names.test.ts.

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { holdsLoopAtMost } from './event-loop.ts'
import { redactText, redactValue } from './redaction.ts'

const base62 = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJabcdefghij'), minLength: 38, maxLength: 38 })

describe('redaction of texts', () => {
  test('XP01: secrets by pattern vanish wherever they stand in a text', () => {
    fc.assert(
      fc.property(
        fc.string(),
        base62,
        fc.string(),
        fc.constantFrom(
          'wdk_live_',
          'wdk_test_',
          'whsec_',
          'wdr_',
          'Bearer ',
          'eyJhbGciOiJFUzI1NiJ9.',
          '?access_token=',
          '/v1/postbacks/',
          '/invitations/',
          '/password/',
          '/oauth/consent/',
          '/oauth/authorize/',
        ),
        (before, body, after, prefix) => {
          const secret = prefix.startsWith('eyJ') ? `${prefix}${body}.${body}` : prefix + body
          expect(redactText(`${before} ${secret} ${after}`)).not.toContain(body)
        },
      ),
    )
  })

  test('XP01: tokens in paths vanish alone, and templates of routes stay', () => {
    for (const path of ['/postbacks/', '/invitations/', '/password/', '/oauth/consent/', '/oauth/authorize/'])
      expect(redactText(`https://a.example${path}tRnXgsA1b2?x=1`)).toBe(`https://a.example${path}[redacted]?x=1`)
    for (const text of [
      '/invitations/{token}',
      'GET /password/:token',
      '/v1/members/mbr_1/password-link',
      '/oauth/token',
    ])
      expect(redactText(text)).toBe(text)
  })

  test('XP01: mail addresses and passwords in URLs vanish', () => {
    expect(redactText('to ada.lovelace+x@example.co.uk, "bjørn@bücher.example"')).toBe('to [redacted], "[redacted]"')
    expect(redactText('postgres://wds_auth:s3cret@localhost:15432/wds')).toBe(
      'postgres://[redacted]@localhost:15432/wds',
    )
  })

  test('XP09: 100,000 hostile characters take little time', async () => {
    const pieces = [
      'a',
      'a@',
      'eyJ',
      'eyJ.',
      'Bearer ',
      '://',
      '://a:',
      '?code=',
      'a.a@a.',
      'whsec_',
      'wdk_live_x',
      '/postbacks/',
      '/oauth/consent/',
      ' ',
      '@',
      'é',
      '.-',
      '://a:@',
      '?a=',
      '"a":',
      '"pwd":"',
      '\\"pwd\\":\\"',
      '\\',
      '-----BEGIN A-----',
      'token=',
      'cookie:',
      'v1=',
      '"pwd":{',
      '"pwd":["',
      '"pwd":[{',
      '"pwd",',
      '"pwd","',
      '"pwd",\\"',
      '"pwd",[',
      '"pwd",{',
      '"pwd",1',
      '"pwd" => ',
      'token: [',
      'token: ["',
      'value:"',
      "value:'",
      'value:\\"',
      'value:"",name:"',
    ]
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length))
      await holdsLoopAtMost(100, () => redactText(text, 100_000)).catch((error: Error) => {
        throw new Error(`${piece}: ${error.message}`)
      })
    }
  })

  test('no value makes it throw or grow without bound', () => {
    const circle: Record<string, unknown> = { list: Array.from({ length: 10_000 }, () => 'x') }
    circle.self = circle
    Object.defineProperty(circle, 'bad', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(redactValue(circle)).toBe('[unreadable]')
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true, withDate: true }),
        (value) => {
          expect(() => JSON.stringify(redactValue(value))).not.toThrow()
        },
      ),
    )
    expect(redactText('x'.repeat(1_000_000)).length).toBeLessThan(9_000)
  })

  test('a secret that the limit of a text splits is not shown in part', () => {
    expect(redactText(`${'x '.repeat(4_090)}wdk_live_${'a'.repeat(38)}`)).not.toContain('wdk_live_a')
  })
})
