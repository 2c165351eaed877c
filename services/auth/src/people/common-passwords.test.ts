import { expect, test } from '@jest/globals'
import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { passwordLength, refusalOfPassword } from './common-passwords.ts'

test.each([
  ['11 characters', 'a1b2c3d4e5f', 'Use 12 to 128'],
  ['129 characters', 'aB3'.repeat(43), 'Use 12 to 128'],
  ['one of the commonest', '1qaz2wsx3edc', 'guessed first'],
  ['one of the commonest in capitals', 'QWERTY123456', 'guessed first'],
  ['one of the commonest twice', 'passwordpassword', 'guessed first'],
  ['one of the commonest with a year and a sign', 'Princess2024!', 'guessed first'],
  ['two of the commonest in a row', 'DragonMonkey', 'guessed first'],
  ['the same few characters again and again', 'abcabcabcabc', 'guessed first'],
])('%s is refused', (_, text, reason) => {
  expect(refusalOfPassword(text, [])).toContain(reason)
})

test('any other is taken: characters are counted as people count them, none is forbidden', () => {
  for (const text of [
    'a1b2c3d4e5f6',
    '            x',
    '🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃🙂!',
    'é'.repeat(64) + 'x'.repeat(64),
    'ſtrange \u0000 thing',
    'three or four words',
    'dragons read 2024',
    'correcthorsebatterystaple',
  ]) {
    expect([text, refusalOfPassword(text, [])]).toEqual([text, null])
  }
})

const ada = ['ada.lovelace@northwind.example', 'Ada Lovelace']

test.each([
  ['the own address', 'Ada.Lovelace@Northwind.example'],
  ['the own address with a year', 'ada.lovelace@northwind.example2024'],
  ['the own name with a year', 'AdaLovelace1815!'],
  ['parts of both', 'lovelace-northwind'],
  ['the name of this product', 'Workspace Data Service 1'],
  ['words of its pages', 'affiliate-Owner2026'],
  ['the name of the workspace', 'Acme Media 2026!'],
])('regression: %s is refused as a password', (_, text) => {
  expect(refusalOfPassword(text, [...ada, 'Acme Media'])).toContain('your name')
})

test.each([
  ['an address of short words', ' Jo@my.big.de', 'jo@my.big.de'],
  ['its first half, repeated', 'jo.li@my.big.de', 'Jo.Li Jo.Li 1'],
  ['in other letters of the same look', 'jo@my.big.de', 'ｊｏ@my.big.de'],
])('regression: the own address is refused as a password: %s', (_, address, text) => {
  expect(refusalOfPassword(text, [address, 'J'])).toContain('your address')
})

test('a password that merely holds a word of the own name is taken', () => {
  for (const text of ['lovelace reads green turtles', 'northwind and rain', 'metadata of turtles']) {
    expect([text, refusalOfPassword(text, ada)]).toEqual([text, null])
  }
})

test('more than 3,000 of those that are guessed first have an allowed length', () => {
  const made = list.slice(0, 10_000).flatMap((word) => [word, `${word}123`, `${word}1234`, `${word}2024`, `${word}!`])
  const allowed = new Set(made.filter((text) => [...text].length >= passwordLength.min))
  expect(allowed.size).toBeGreaterThan(3_000)
  expect([...allowed].filter((text) => refusalOfPassword(text, []) === null)).toEqual([])
})
