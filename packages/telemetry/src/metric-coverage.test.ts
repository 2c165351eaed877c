// The comparison of what is declared with what the tests emitted: what it calls a fault.

import { expect, test } from '@jest/globals'
import { judgeMetrics } from './metric-coverage.ts'

const declared = new Set(['wds_a_total', 'process.memory.usage'])

test("agreement is no fault, and metrics of tests are nobody else's", () => {
  const emitted = new Set([...declared, 'wds_test_total', 'process.memory.test'])
  expect(judgeMetrics({ declared, emitted, waiting: {} })).toEqual([])
})

test('a declared metric that no test emitted is a fault, unless it is awaited', () => {
  const emitted = new Set(['wds_a_total'])
  expect(judgeMetrics({ declared, emitted, waiting: {} })).toEqual(['process.memory.usage was emitted by no test'])
  expect(judgeMetrics({ declared, emitted, waiting: { 'process.memory.usage': 'a process' } })).toEqual([])
})

test('an emitted metric that no service declares is a fault', () => {
  const emitted = new Set([...declared, 'wds_latest_total'])
  expect(judgeMetrics({ declared, emitted, waiting: {} })).toEqual([
    'wds_latest_total was emitted and stands in no metrics.ts',
  ])
})

test('what is awaited and emitted, or awaited and unknown, is a fault', () => {
  const faults = judgeMetrics({ declared, emitted: declared, waiting: { wds_a_total: 'x', wds_gone_total: 'y' } })
  expect(faults.map((fault) => fault.split(' ', 1)[0])).toEqual(['wds_a_total', 'wds_gone_total'])
})
