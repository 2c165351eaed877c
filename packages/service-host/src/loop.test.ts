// When a loop of a worker takes its next turn.
import { expect, test } from '@jest/globals'
import { FakeClock } from '@wds/pacing/fake-clock'
import { WakeSignal } from '@wds/pacing/wait'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { runLoop } from './loop.ts'

/** A loop whose turn is `turn`; `turns`: how many began. */
function startLoop(turn: () => Promise<boolean>) {
  const clock = new FakeClock()
  const wake = new WakeSignal(clock)
  const stop = new AbortController()
  const counted = { turns: 0 }
  const running = runLoop({
    name: 'counted',
    signal: stop.signal,
    logger: createLogger({ service: 'test', level: 'silent' }),
    progress: createProgress(),
    pauseMs: 5_000,
    wake,
    pauseClock: clock,
    turn: () => {
      counted.turns += 1
      return turn()
    },
  })
  const end = async () => {
    stop.abort()
    await running
  }
  return { clock, wake, counted, end }
}

test('a signal ends the pause of a loop that found nothing', async () => {
  const { clock, wake, counted, end } = startLoop(async () => false)
  await clock.advance(4_999)
  expect(counted.turns).toBe(1)
  wake.raise()
  await clock.advance(0)
  expect(counted.turns).toBe(2)
  await end()
})

test('a failing turn waits for its own pause, which doubles up to 5 s, however often somebody sees its work', async () => {
  const { clock, wake, counted, end } = startLoop(async () => {
    throw new Error('the day cannot be read')
  })
  const turnsBehind: number[] = []
  for (const pauseMs of [200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
    for (let passed = 0; passed < pauseMs; passed += 100) {
      wake.raise()
      await clock.advance(100)
    }
    turnsBehind.push(counted.turns)
  }
  expect(turnsBehind).toEqual([2, 3, 4, 5, 6, 7, 8])
  await end()
})
