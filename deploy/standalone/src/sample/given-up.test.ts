import { expect, test } from '@jest/globals'
import { areGivenUp, type FailedDelivery } from './given-up.ts'

const nowMs = Date.parse('2026-11-23T12:00:00Z')
const run = (o: Partial<FailedDelivery> = {}): FailedDelivery => ({
  status: 'dead',
  event_type: 'sync.completed',
  next_attempt: null,
  ...o,
})

test('they are once four runs were told of and nothing is still to be tried by the scaled schedule', () => {
  expect(areGivenUp([run(), run(), run(), run()], nowMs)).toBe(true)
  expect(areGivenUp([run(), run(), run()], nowMs)).toBe(false)
  const soon = run({ status: 'retry', next_attempt: '2026-11-23T12:00:00.300Z' })
  expect(areGivenUp([run(), run(), run(), soon], nowMs)).toBe(false)
  expect(areGivenUp([run(), run(), run(), run({ status: 'pending' })], nowMs)).toBe(false)
})

test('regression: what a start that ended half way left under the real schedule holds up no later start', () => {
  const late = run({ status: 'retry', next_attempt: '2026-11-23T13:00:00Z' })
  expect(areGivenUp([run(), run(), run(), run(), late], nowMs)).toBe(true)
  expect(areGivenUp([late, late, late, late], nowMs)).toBe(true)
})
