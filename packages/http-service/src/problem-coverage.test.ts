import { describe, expect, test } from '@jest/globals'
import { problems } from '@wds/contracts/problems'
import { awaited, judgeCoverage } from './problem-coverage.ts'

const all = Object.keys(problems)

describe('C14: the problems that the tests produced, against the published table', () => {
  test('agree when every code was produced but those that are awaited', () => {
    expect(judgeCoverage(new Set(all.filter((code) => !Object.hasOwn(awaited, code))))).toEqual([])
  })

  test('a code that no test produced is a fault', () => {
    expect(judgeCoverage(new Set(all.filter((code) => code !== 'not_found')), {})).toEqual([
      'not_found was produced by no test',
    ])
  })

  test('a code that is not in the table is a fault, also a name of the prototype', () => {
    expect(judgeCoverage(new Set([...all, 'teapot', 'constructor']), {})).toEqual([
      'constructor was produced and is not in the table',
      'teapot was produced and is not in the table',
    ])
  })

  test('a code that is awaited and produced, or awaited and unknown, is a fault', () => {
    const faults = judgeCoverage(new Set(all), { not_found: 'nothing', teapot: 'tea' })
    expect(faults.map((fault) => fault.split(' ', 1)[0])).toEqual(['not_found', 'teapot'])
  })
})
