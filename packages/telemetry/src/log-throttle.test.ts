import { expect, test } from '@jest/globals'
import { LogThrottle } from './log-throttle.ts'

function throttleOf(everyMs?: number) {
  const lines: string[] = []
  const clock = { nowMs: 1_000_000 }
  const nowMs = () => clock.nowMs
  const throttle = new LogThrottle(everyMs === undefined ? { nowMs } : { everyMs, nowMs })
  return {
    lines,
    clock,
    wrong: (what?: string) => throttle.wrong((times) => lines.push(`wrong ${what ?? ''}${times}`), what),
    over: () => throttle.over((times) => lines.push(`over ${times}`)),
  }
}

test('each change is written once, however often it went wrong meanwhile', () => {
  const { lines, clock, wrong, over } = throttleOf()
  over()
  for (let nth = 0; nth < 1_000; nth += 1) {
    wrong()
    clock.nowMs += 500
  }
  over()
  over()
  wrong()
  expect(lines).toEqual(['wrong 1', 'over 1000', 'wrong 1'])
})

test('what goes on is written again after a time, with how often it came since', () => {
  const { lines, clock, wrong } = throttleOf(10_000)
  for (const waitMs of [0, 1, 9_998, 1, 10_000]) {
    clock.nowMs += waitMs
    wrong()
  }
  expect(lines).toEqual(['wrong 1', 'wrong 3', 'wrong 1'])
})

test('another reason is written at once', () => {
  const { lines, wrong, over } = throttleOf(10_000)
  wrong('a')
  wrong('a')
  wrong('b')
  over()
  expect(lines).toEqual(['wrong a1', 'wrong b2', 'over 3'])
})
