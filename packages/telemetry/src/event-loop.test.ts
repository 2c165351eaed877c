import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { longestBlockDuring } from './event-loop.ts'

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
  const { longestBlockMs } = await longestBlockDuring(async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      burn(5)
      await new Promise(setImmediate)
    }
    await sleep(60)
  })
  expect(longestBlockMs).toBeLessThan(50)
})

test('a failure of the work is passed on, and nothing is looked at any more', async () => {
  await expect(longestBlockDuring(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
