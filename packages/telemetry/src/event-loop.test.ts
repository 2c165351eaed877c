import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, jest, test } from '@jest/globals'
import { holdsLoopAtMost, longestBlockDuring } from './event-loop.ts'

/** Holds the thread for this much of its own CPU time. */
function burn(ms: number): void {
  const { user, system } = process.threadCpuUsage()
  const endUs = user + system + ms * 1_000
  for (;;) {
    const now = process.threadCpuUsage()
    if (now.user + now.system >= endUs) return
  }
}

test('a busy loop of 60 ms is seen wherever in the work it stands', async () => {
  const atFirst = await longestBlockDuring(async () => burn(60))
  expect(atFirst.longestBlockMs).toBeGreaterThanOrEqual(59)
  const later = await longestBlockDuring(async () => {
    await new Promise(setImmediate)
    await Promise.resolve()
    burn(60)
    await sleep(5)
    return 'done'
  })
  expect(later.result).toBe('done')
  expect(later.longestBlockMs).toBeGreaterThanOrEqual(59)
})

test('many short turns are not one long one, and waiting is none', async () => {
  // As one turn they would be 200 ms.
  const inTurns = async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      burn(5)
      await new Promise(setImmediate)
    }
    return sleep(60, 'done')
  }
  expect(await holdsLoopAtMost(100, inTurns)).toBe('done')
})

test('a failure of the work is passed on, and nothing is looked at any more', async () => {
  await expect(longestBlockDuring(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

describe('holdsLoopAtMost', () => {
  const costs = (...ms: number[]) => {
    const work = jest.fn(async () => burn(ms[work.mock.calls.length - 1] ?? 0))
    return work
  }

  test('work that holds the loop in each try fails, with what was measured', async () => {
    const work = costs(30, 30, 30, 30, 30)
    const refused = holdsLoopAtMost(20, work, () => 100)
    await expect(refused).rejects.toThrow(/^The event loop was held for 20 ms or longer in each try: \d\d ms, .*times/)
    expect(work).toHaveBeenCalledTimes(5)
  })

  test('one try that is short enough is enough: what disturbs a measurement only adds to it', async () => {
    const work = costs(60, 60, 0, 60)
    await holdsLoopAtMost(50, work, () => 100)
    expect(work).toHaveBeenCalledTimes(3)
  })

  test('on a slow machine the limit is longer by as much, on a fast one it is not shorter', async () => {
    await holdsLoopAtMost(20, costs(60, 60), () => 800)
    await holdsLoopAtMost(20, costs(60, 10), () => 10)
    await expect(holdsLoopAtMost(20, costs(120, 120, 120, 120, 120), () => 300)).rejects.toThrow('3.0 times as slow')
  })
})
