import { afterEach, expect, test } from '@jest/globals'
import { FairTurns } from './fair-turns.ts'

let running: { of: string; end: () => void }[] = []
let asked: Promise<void>[] = []
let isOver = false
afterEach(async () => {
  // Whoever still waits would be refused in the time of another suite.
  isOver = true
  for (const entry of running) entry.end()
  await Promise.allSettled(asked)
  running = []
  asked = []
  isOver = false
})

/** Runs that end when told; `running` shows who holds a place. */
function rig(places: number, waitMs = 60_000) {
  const turns = new FairTurns(places, { waitMs })
  const hold = (of: string): Promise<void> => {
    if (isOver) return Promise.resolve()
    return new Promise((settle) => running.push({ of, end: settle }))
  }
  return {
    ask: (of: string) => {
      const run = turns.run(of, () => hold(of))
      asked.push(run)
      return run
    },
    held: (of: string) => running.filter((entry) => entry.of === of).length,
    end: async (of: string) => {
      const at = running.findIndex((entry) => entry.of === of)
      running.splice(at, at < 0 ? 0 : 1)[0]?.end()
      await turn()
    },
  }
}

const turn = () => new Promise((settle) => setImmediate(settle))

test('one greedy workspace holds half of the places, and whoever comes later starts at once', async () => {
  const { ask, held } = rig(10)
  for (let at = 0; at < 50; at++) void ask('greedy')
  await turn()
  expect(held('greedy')).toBe(5)
  void ask('b')
  void ask('c')
  await turn()
  expect([held('b'), held('c')]).toEqual([1, 1])
})

test('those that wait are served in turn, however long the line of one of them is', async () => {
  const { ask, held, end } = rig(4)
  for (let at = 0; at < 50; at++) void ask('greedy')
  for (let at = 0; at < 3; at++) void ask('b')
  await turn()
  expect([held('greedy'), held('b')]).toEqual([2, 1])
  await end('greedy')
  await end('greedy')
  expect([held('greedy'), held('b')]).toEqual([1, 2])
})

test('all that was asked for is done, and nothing is kept of it', async () => {
  const { ask, end, held } = rig(3)
  const asked = ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'e'].map(ask)
  for (let at = 0; at < 50; at++) for (const name of 'abcde') if (held(name) > 0) await end(name)
  await Promise.all(asked)
  void ask('a')
  void ask('a')
  await turn()
  expect(held('a')).toBe(2)
})

test('who waits too long is refused and leaves no gap', async () => {
  const { ask, end, held } = rig(1, 1)
  void ask('a')
  await expect(ask('b')).rejects.toMatchObject({ code: 'database_unavailable' })
  await end('a')
  void ask('b')
  await turn()
  expect(held('b')).toBe(1)
})
