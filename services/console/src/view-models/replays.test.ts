import { expect, test } from '@jest/globals'
import { countText } from './numbers.ts'
import { percentOf, replayFilterOf, typedCount, underWayOf } from './replays.ts'

const replay = { matched: 200, opened: 120, skipped: 2, delivered: 80, dead: 10, status: 'running' }

test('progress is what was opened or skipped of what matched', () => {
  expect([percentOf(replay), underWayOf(replay)]).toEqual([61, 30])
  expect(percentOf({ ...replay, matched: null })).toBeNull()
  expect(percentOf({ ...replay, matched: null, status: 'completed' })).toBe(100)
  expect(percentOf({ ...replay, opened: 500 })).toBe(100)
})

test('a number above 1,000 is typed', () => {
  expect([1_000, 1_001].map(typedCount)).toEqual([null, '1001'])
  expect(countText(1_284)).toBe('1,284')
})

test('a filter holds what is given', () => {
  expect(replayFilterOf({ type: 'a.b', since: undefined })).toEqual({ type: 'a.b' })
})
