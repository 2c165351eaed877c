// What stands under a name that says it is secret vanishes: in values, in errors, in texts that show one, in any spelling and nesting.

import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { isSensitiveName, mask, redactText, redactValue } from './redaction.ts'

describe('redaction under names', () => {
  test('regression: XP01: lists of headers in a text vanish whole under their name, and else what follows a name in them', () => {
    const pairs = [
      ['x-own', 'plain ] " \\ {'],
      ['cookie', ['a=s3cret', 'b']],
      ['x-other', { a: 's3cret' }],
    ]
    for (const headers of [pairs, pairs.flat(), { pairs, other: 's3cret' }]) {
      const told = JSON.stringify({ headers, status: 400 })
      expect(redactText(`sent ${told}.`)).toBe('sent {"headers":[redacted],"status":400}.')
      expect(JSON.parse(redactText(JSON.stringify({ told })).replace('[redacted]', '1')).told).toBe(
        '{"headers":1,"status":400}',
      )
      expect(redactText(told.slice(0, -20))).toBe('{"headers":[redacted]')
    }
    const named = {
      a: [
        ['X-Api-Key', 's3cret'],
        ['x-own', 'plain'],
      ],
      b: ['Cookie', 's3cret', 'x-own', 'plain'],
    }
    const expected = '{"a":[["X-Api-Key",[redacted]],["x-own","plain"]],"b":["Cookie",[redacted],"x-own","plain"]}'
    expect(redactText(JSON.stringify(named))).toBe(expected)
    expect(redactText(JSON.stringify(JSON.stringify(named)))).toBe(JSON.stringify(expected))
    expect(redactText('[["cookie",["s3cret","s3cret"]],["x","y"]]')).toBe('[["cookie",[redacted]],["x","y"]]')
    expect(redactText('{"kind":"token","id":"tok_1"}')).toBe('{"kind":"token","id":"tok_1"}')
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

  test('regression: of a secret setting a line says whether it is set', () => {
    const settings = { DATABASE_URL: 'set', KAFKA_PASSWORD: 'unset' }
    expect(redactValue({ settings })).toEqual({ settings })
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

  test('regression: XP01: one header as an object shows no value, whichever member stands first; nor does one in a text, or a list over several lines', () => {
    for (const header of [
      { name: 'Cookie', value: 's3cret' },
      { value: 's3cret', name: 'Cookie' },
      { key: 'x-api-key', on: true, value: 's3cret' },
      { value: ['s3cret'], key: 'x-api-key' },
    ])
      expect(JSON.stringify(redactValue([header]))).not.toContain('s3cret')
    const header = { name: 'Cookie', value: 's3cret' }
    const texts = [JSON.stringify(header), JSON.stringify(JSON.stringify(header)), JSON.stringify({ header }, null, 4)]
    for (const text of [...texts, inspect(header), inspect({ header }, { breakLength: 10 })])
      expect(redactText(text)).not.toContain('s3cret')
    const list = { a: { b: ['x-own', 'a'.repeat(70), 'x-api-key', 's3cret'] } }
    for (const printed of [inspect(list), JSON.stringify(list, null, 2)]) {
      expect(redactText(printed)).not.toContain('s3cret')
      expect(redactText(printed)).toContain('aaaa')
    }
    const behind = { value: 's3cret', name: 'Cookie' }
    const flat = ['x-api-key', 123_456, 'passcode', { of: 's3cret' }]
    for (const shown of [behind, [behind], flat, new Map([['x-api-key', 's3cret']]), { token: ['s3cret', 's3cret'] }])
      for (const text of [JSON.stringify(shown), JSON.stringify(JSON.stringify(shown)), inspect(shown)])
        expect(redactText(text)).not.toMatch(/s3cret|123_?456/)
    expect(redactText('{"value":"a","name":"Host"}, the "token", 3 times')).toBe(
      '{"value":"a","name":"Host"}, the "token", 3 times',
    )
    expect(redactText('{"name":"Host","value":"a"}')).toBe('{"name":"Host","value":"a"}')
    expect(redactValue({ value: 1, name: 'Host' })).toEqual({ value: 1, name: 'Host' })
  })

  test('regression: no name, no list, no text and no error of others shows a secret', () => {
    const secret = 'hunter2/x@y'
    for (const name of [
      'pwd',
      'pass',
      'auth',
      'dbPass',
      'secretKey',
      'secret_access_key',
      'privateKeyPem',
      'X-Sig',
      'session_id',
    ]) {
      expect(redactValue({ [name]: secret })).toEqual({ [name]: mask })
    }
    expect(
      redactValue({
        lines: [
          ['authorization', secret],
          ['accept', 'text/html'],
        ],
      }),
    ).toEqual({
      lines: [
        ['authorization', mask],
        ['accept', 'text/html'],
      ],
    })
    expect(redactValue(['Host', 'a.example', 'X-Api-Key', secret])).toEqual(['Host', 'a.example', 'X-Api-Key', mask])
    expect(
      redactValue([
        { name: 'Cookie', value: secret },
        { name: 'Host', value: 'a' },
      ]),
    ).toEqual([
      { name: 'Cookie', value: mask },
      { name: 'Host', value: 'a' },
    ])
    const texts: [text: string, shown: string][] = [
      ['GET /x?api_key=hunter2&a=b', 'GET /x?api_key=[redacted]&a=b'],
      ['/x?a=b&key=hunter2#c', '/x?a=b&key=[redacted]#c'],
      ['/x?sig=hunter2', '/x?sig=[redacted]'],
      ['/x?next=/y?key=hunter2', '/x?next=/y?key=[redacted]'],
      ['to postgres://me:hunter2/x@y@db.example:5432/wds now', 'to postgres://[redacted]@db.example:5432/wds now'],
      ['at https://hunter2@a.example/x', 'at https://[redacted]@a.example/x'],
      [
        'at https://a.example/x?to=https://me:hunter2@b.example',
        'at https://a.example/x?to=https://[redacted]@b.example',
      ],
      ['no answer from http://127.0.0.1:8080/v1', 'no answer from http://127.0.0.1:8080/v1'],
      ['got {"a": 1, "password": "hun\\"ter2", "b": 2}', 'got {"a": 1, "password": [redacted], "b": 2}'],
      ['{"message":"{\\"pwd\\":\\"hunter2\\",\\"b\\":2}"}', '{"message":"{\\"pwd\\":[redacted],\\"b\\":2}"}'],
      ['{"tokens":["hunter2","hunter2"],"pass":1234}', '{"tokens":[redacted],"pass":[redacted]}'],
      ['{"secret":"hunter2 that was cut', '{"secret":[redacted]'],
      ["{ password: 'hunter2', a: 1 }", '{ password: [redacted], a: 1 }'],
      ['host=db password=hunter2 user=me', 'host=db password=[redacted] user=me'],
      ['PGPASSWORD=hunter2 DB_PASSWORD=hunter2 psql', 'PGPASSWORD=[redacted] DB_PASSWORD=[redacted] psql'],
      ['authToken: hunter2, session_token=hunter2', 'authToken: [redacted], session_token=[redacted]'],
      ['secret_key=hunter2 AWS_SECRET_ACCESS_KEY=hunter2', 'secret_key=[redacted] AWS_SECRET_ACCESS_KEY=[redacted]'],
      ['private_key: hunter2, signing-key=hunter2', 'private_key: [redacted], signing-key=[redacted]'],
      ['DB_PASS=hunter2 auth=hunter2 x_sig=hunter2', 'DB_PASS=[redacted] auth=[redacted] x_sig=[redacted]'],
      ['password="hun\\"ter2" a', 'password=[redacted] a'],
      ['"failed: password=\\"hunter2\\" a"', '"failed: password=[redacted] a"'],
      ['Cookie: a=hunter2; b=hunter2\nHost: x', 'Cookie: [redacted]\nHost: x'],
      ['-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY----- done', '[redacted] done'],
      ['auth: the port is taken', 'auth: the port is taken'],
    ]
    for (const [text, shown] of texts) expect(redactText(text)).toBe(shown)
  })

  test('regression: errors of Postgres and of addresses show no value', () => {
    const fields = { severity: 'ERROR', code: '23505', routine: '_bt_check_unique', constraint: 'users_key' }
    const hidden = {
      detail: 'Key (name)=(hunter2) exists.',
      where: 'hunter2',
      hint: 'hunter2',
      internalQuery: 'hunter2',
    }
    const fromDatabase = Object.assign(new Error('duplicate key value'), fields, hidden)
    expect(redactValue(fromDatabase)).toEqual({
      type: 'Error',
      message: 'duplicate key value',
      stack: expect.any(String),
      ...fields,
    })
    const faultOf = (text: string): unknown => {
      try {
        return new URL(text)
      } catch (error) {
        return error
      }
    }
    const told = JSON.stringify(redactValue({ err: faultOf('postgres://me:hunter2 x@a b') }))
    expect(told).toContain('ERR_INVALID_URL')
    expect(told).not.toContain('hunter2')
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
})
