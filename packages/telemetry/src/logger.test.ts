// What a log line guarantees: one parsable JSON line, and nothing secret in it, whichever way it came in.

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createLogger } from './logger.ts'

function capture() {
  const lines: string[] = []
  return {
    lines,
    logger: createLogger({ service: 'test', level: 'debug', destination: { write: (line) => lines.push(line) } }),
  }
}

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

  test('regression: DEL and the second set of control characters are escaped in messages, names and values', () => {
    const { lines, logger } = capture()
    logger.child({ own: '\u0080' }).info({ 'a\u009bb': 'c\u007fd', list: ['\u009f'] }, 'e\u009b31m')
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      own: '\u0080',
      'a\u009bb': 'c\u007fd',
      list: ['\u009f'],
      msg: 'e\u009b31m',
    })
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
    const beforeMs = Date.now()
    logger.trace('no')
    logger.info('yes')
    const afterMs = Date.now()
    expect(lines).toHaveLength(1)
    const { time } = JSON.parse(lines[0] ?? '')
    expect(time).toMatch(/^\d{4}-.*Z$/)
    expect([beforeMs <= Date.parse(time), Date.parse(time) <= afterMs]).toEqual([true, true])
    expect(new Date(time).toISOString()).toBe(time)
  })
})
