import { expect, test } from '@jest/globals'
import { parseForm } from './form.ts'

test('fields are taken verbatim', () => {
  expect({ ...parseForm('email=a%40b.test&password=+%2B%C3%A9%20&empty=&bare&__proto__=x') }).toEqual(
    Object.fromEntries([
      ['email', 'a@b.test'],
      ['password', ' +é '],
      ['empty', ''],
      ['bare', ''],
      ['__proto__', 'x'],
    ]),
  )
})

test('regression: a zero character, which the database refuses, is the sender’s fault', () => {
  expect(() => parseForm('email=a%00b')).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test.each(['a=1&a=2', 'a&a', '%61=1&a=2', 'a=%ff', 'a=%', 'a=%zz'])('S15: the form %s is refused', (text) => {
  expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
