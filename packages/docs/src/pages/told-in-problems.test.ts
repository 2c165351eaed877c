// What a client reads of a bound is the bound.
import { expect, test } from '@jest/globals'
import { problems } from '@wds/contracts/problems'
import { noBound, toldInProblems } from './told-in-problems.ts'
import { faultsOfNumbers } from './told-numbers.ts'

const told = toldInProblems(new URL('../../../../', import.meta.url))

test.each(Object.values(problems))('$code tells what the code holds to', ({ code, title, detail, howToFix }) => {
  const own = told.filter(({ page }) => page === code)
  const text = `${title}. ${detail} ${howToFix}`
  expect(faultsOfNumbers(text, own)).toEqual([])
  let rest = text
  for (const { text: sentence, number } of own) rest = rest.replace(sentence.replace('{}', String(number)), '')
  expect(rest.replaceAll(noBound, '').match(/[\d.,]*\d/g)).toBeNull()
})

test('no row is about a problem that is gone', () => {
  expect(told.map(({ page }) => page).filter((code) => !(code in problems))).toEqual([])
})
