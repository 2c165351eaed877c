// What is kept beside buckets, and how much of it.

import { expect, test } from '@jest/globals'
import { createExemplars } from './exemplars.ts'

const traced = (trace: string, flags = '01') => `00-${trace.repeat(32)}-${trace.repeat(16)}-${flags}`

test('labels are the same in any order', () => {
  const exemplars = createExemplars({ nowMs: () => 5 })
  const what = { name: 'wds_test_seconds', bounds: [1], value: 1 }
  exemplars.keep({ ...what, labels: { a: 'x', b: 'y' }, traceparent: traced('a') })
  expect(exemplars.of('wds_test_seconds', { b: 'y', a: 'x' })).toEqual([
    { traceId: 'a'.repeat(32), spanId: 'a'.repeat(16), value: 1, atMs: 5 },
  ])
  expect(exemplars.of('wds_test_seconds', { a: 'x' })).toEqual([])
  expect(exemplars.of('wds_other_seconds', {})).toEqual([])
})

test('beyond so many sets of labels nothing new is kept, and what is there goes on', () => {
  const exemplars = createExemplars({ nowMs: () => 5, most: 2 })
  const keep = (place: string, trace: string) =>
    exemplars.keep({
      name: 'wds_test_seconds',
      bounds: [1],
      value: 2,
      labels: { place },
      traceparent: traced(trace),
    })
  for (const place of ['first', 'second', 'third']) keep(place, 'a')
  keep('first', 'b')
  const traceOf = (place: string) => exemplars.of('wds_test_seconds', { place })[1]?.traceId[0]
  expect(['first', 'second', 'third'].map(traceOf)).toEqual(['b', 'a', undefined])
})
