// What a log line guarantees: one parsable JSON line, and nothing secret in it, whichever way it came in.

import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createLogger } from './logger.ts'
import { isSensitiveName, redactText, redactValue } from './redaction.ts'
import { Secret } from './secret.ts'

function capture() {
  const lines: string[] = []
  return {
    lines,
    logger: createLogger({ service: 'test', level: 'debug', destination: { write: (line) => lines.push(line) } }),
  }
}
const base62 = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJabcdefghij'), minLength: 38, maxLength: 38 })

describe('redaction', () => {
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
        ),
        (before, body, after, prefix) => {
          const secret = prefix.startsWith('eyJ') ? `${prefix}${body}.${body}` : prefix + body
          expect(redactText(`${before} ${secret} ${after}`)).not.toContain(body)
        },
      ),
    )
  })

  test('XP01: mail addresses and passwords in URLs vanish', () => {
    expect(redactText('to ada.lovelace+x@example.co.uk, "bjørn@bücher.example"')).toBe('to [redacted], "[redacted]"')
    expect(redactText('postgres://wds_auth:s3cret@localhost:15432/wds')).toBe(
      'postgres://[redacted]@localhost:15432/wds',
    )
  })

  test('XP09: 100,000 hostile characters take little time', () => {
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
      ' ',
      '@',
      'é',
      '.-',
    ]
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length))
      redactText(text.slice(0, 1_000))
      const start = performance.now()
      redactText(text, 100_000)
      expect(performance.now() - start).toBeLessThan(1_000)
    }
  })

  test('values under sensitive names vanish at any depth and in any spelling of the name', () => {
    for (const name of [
      'password',
      'clientSecret',
      'client_secret',
      'X-Api-Key',
      'Authorization',
      'set-cookie',
      'DATABASE_URL',
      'refreshToken',
      'secrets',
      'body',
      'headers',
    ]) {
      expect(isSensitiveName(name)).toBe(true)
      expect(redactValue({ a: [{ [name]: 'plain words' }] })).toEqual({ a: [{ [name]: '[redacted]' }] })
    }
    expect(redactValue({ workspace_id: 'wsp_1', key: 'k', code: 'E1', secret: true })).toEqual({
      workspace_id: 'wsp_1',
      key: 'k',
      code: 'E1',
      secret: true,
    })
  })

  test('a name is judged alike each time it comes, also when there were thousands of others', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => (index % 2 === 0 ? `f${index}` : `f${index}_token`))
    const expected = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? 'plain' : '[redacted]']))
    for (let round = 0; round < 2; round += 1) {
      for (const name of names) expect(redactValue({ [name]: 'plain' })).toEqual({ [name]: expected[name] })
    }
    const named = { [`whsec_${'a'.repeat(32)}`]: 'x', [`${'n'.repeat(100)}password`]: 'x' }
    for (let round = 0; round < 2; round += 1) {
      expect(redactValue(named)).toEqual({ 'whsec_[redacted]': 'x', [`${'n'.repeat(100)}password`]: '[redacted]' })
    }
  })

  test('a field of the name __proto__ stays a field, and fields end at a hundred', () => {
    const redacted = redactValue(JSON.parse('{"__proto__":{"a":1},"b":2}')) as object
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"a":1},"b":2}')
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype)
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, index]))
    expect(Object.keys(redactValue(many) as object)).toHaveLength(100)
  })

  test('errors keep type, message, code and cause, redacted', () => {
    const cause = new Error('to a@b.example')
    const redacted = redactValue({
      err: Object.assign(new TypeError('Bearer abc.def', { cause }), { code: '40001', password: 'x' }),
    })
    expect(redacted).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'Bearer [redacted]',
        code: '40001',
        password: '[redacted]',
        cause: { message: 'to [redacted]' },
      },
    })
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

describe('secret', () => {
  test('prints a mask by every way of printing and gives its value only when asked', () => {
    const secret = new Secret('hunter2')
    expect(
      [`${secret}`, JSON.stringify({ secret }), inspect({ secret }), inspect([secret], { depth: 5 })].join(),
    ).not.toContain('hunter2')
    expect(secret.reveal()).toBe('hunter2')
    expect(redactValue({ shown: secret })).toEqual({ shown: '[secret]' })
  })
})

describe('logger', () => {
  test('XP04: any fields and message give exactly one parsable line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.anything()), (message, fields) => {
        const { lines, logger } = capture()
        logger.info(fields, `${message}\r\n\u001b[31m`)
        expect(lines).toHaveLength(1)
        expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u)
        expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'test', level: 'info' })
      }),
    )
  })

  test('fields, messages and fields of children are redacted alike', () => {
    const { lines, logger } = capture()
    const secret = `whsec_${'a'.repeat(32)}`
    logger.child({ note: secret, token: 'plain' }).warn({ err: new Error(secret) }, `refused ${secret}`)
    logger.error(`alone ${secret}`)
    logger.debug({ level: 'x', msg: 'y' }, '100 %s')
    expect(lines.join('')).not.toMatch(/aaaa|plain/)
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ level: 'debug', level_: 'x', msg_: 'y', msg: '100 %s' })
  })

  test('regression: an error in a line keeps its class, code and cause, also in lines of children', () => {
    const { lines, logger } = capture()
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const err = Object.assign(new RangeError('too far', { cause }), { code: '40001' })
    logger.error({ err }, 'failed')
    logger.child({ loop: 'relay' }).error({ err }, 'failed')
    logger.child({ err }).error('failed')
    const expected = {
      type: 'RangeError',
      message: 'too far',
      stack: expect.stringContaining('RangeError: too far'),
      code: '40001',
      cause: { type: 'Error', message: 'refused', code: 'ECONNREFUSED' },
    }
    for (const line of lines) expect(JSON.parse(line).err).toMatchObject(expected)
    expect(lines).toHaveLength(3)
  })

  test('lines below the level are not written, and times are UTC', () => {
    const { lines, logger } = capture()
    logger.trace('no')
    logger.info('yes')
    expect(lines).toHaveLength(1)
    const { time } = JSON.parse(lines[0] ?? '')
    expect(time).toMatch(/^\d{4}-.*Z$/)
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(5_000)
    expect(new Date(time).toISOString()).toBe(time)
  })
})
