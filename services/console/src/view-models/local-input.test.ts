import { expect, test } from '@jest/globals'
import { dayIn, fromLocalInput, toLocalInput } from './local-input.ts'

test('regression: an instant whose year is still being typed stays in the field as it is', () => {
  for (const text of ['2026-11-20T11:00', '0002-11-20T11:00', '0020-01-05T00:07'])
    expect(toLocalInput(fromLocalInput(text))).toBe(text)
  expect([toLocalInput(undefined), fromLocalInput(''), fromLocalInput('2026-13-01T00:00')]).toEqual([
    '',
    undefined,
    undefined,
  ])
})

test('regression: today is that of the zone of the numbers', () => {
  const ms = Date.parse('2026-12-01T02:30:00Z')
  expect(dayIn('America/Los_Angeles', ms)).toBe('2026-11-30')
  expect(dayIn('UTC', ms)).toBe('2026-12-01')
  expect(dayIn('Pacific/Auckland', Date.parse('2026-11-30T12:00:00Z'))).toBe('2026-12-01')
  expect(dayIn('Nowhere/Unknown', ms)).toBe('2026-12-01')
})
