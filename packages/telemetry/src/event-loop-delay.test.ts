// The class behind regressions of a stalled process: who held the event loop is known.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { resumed, runAs, watchEventLoop } from './event-loop-delay.ts'
import { createProgress, waitingFor } from './progress.ts'

let warned: { delay_ms: number; cpu_ms: number; work?: object; work_ms?: number }[] = []
let end = (): void => undefined
const watch = (): void => {
  warned = []
  end = watchEventLoop({ warn: (fields) => void warned.push(fields as (typeof warned)[number]) })
}
// A clock of the test's own: a busy machine makes turns late that nothing of ours held.
let nowMs = 0
beforeEach(() => {
  nowMs = 1_000_000
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => {
  end()
  jest.restoreAllMocks()
})

const hold = (ms: number): void => {
  nowMs += ms
}

const named = () => warned.flatMap(({ work }) => work ?? [])

/** Polls until somebody was told of. */
async function until(isTold: () => boolean): Promise<void> {
  for (let looks = 0; !isTold() && looks < 10_000; looks += 1) await sleep(5)
}

test('a request that holds the loop after a wait is named, not those that wait beside it', async () => {
  watch()
  const answer = Promise.withResolvers<void>()
  const request = (id: number, fn: () => void) =>
    runAs(
      () => ({ request_id: id }),
      async () => {
        await answer.promise
        resumed()
        fn()
      },
    )
  const all = [1, 2, 3, 4].map((id) => request(id, () => id === 3 && hold(220)))
  await sleep(1)
  answer.resolve()
  await Promise.all(all)
  await until(() => named().length > 0)
  expect(named()).toEqual([{ request_id: 3 }])
  const [told] = warned.filter(({ work }) => work !== undefined)
  expect(told?.delay_ms).toBeGreaterThanOrEqual(219)
  expect(told?.work_ms).toBeGreaterThanOrEqual(219)
})

test('a loop that holds it behind an answer of the database is named', async () => {
  watch()
  const loop = createProgress().loop('sync-work')
  await loop.turn(async () => {
    await waitingFor(() => sleep(1))
    hold(220)
  })
  await until(() => named().length > 0)
  expect(named()).toEqual([{ loop: 'sync-work' }])
})

test('work without a name is told of without one, and waiting is no delay', async () => {
  watch()
  await runAs(
    () => ({ request_id: 1 }),
    async () => {
      await new Promise(setImmediate)
      setTimeout(() => hold(250), 0)
      await sleep(5)
    },
  )
  expect(named()).toEqual([])
  await new Promise(setImmediate)
  setTimeout(() => hold(350), 0)
  await until(() => warned.some(({ delay_ms }) => delay_ms > 240))
  expect(warned.some(({ delay_ms }) => delay_ms > 240)).toBe(true)
  expect(named()).toEqual([])
})
