import { describe, expect, test } from '@jest/globals'
import { systemClock } from './clock.ts'
import { FakeClock } from './fake-clock.ts'
import { WakeSignal, wait, waitAtMost } from './wait.ts'

/** What a promise came to so far. */
function outcomeOf(promise: Promise<unknown>): { now: unknown } {
  const outcome: { now: unknown } = { now: 'waits' }
  promise.then(
    (value) => {
      outcome.now = value ?? 'over'
    },
    (error: Error) => {
      outcome.now = error.message
    },
  )
  return outcome
}

describe('a wake-up signal', () => {
  test('ends the wait when it is raised, and every wait that is under way', async () => {
    const clock = new FakeClock()
    const signal = new WakeSignal(clock)
    const [first, second] = [outcomeOf(signal.wait(100)), outcomeOf(signal.wait(200))]
    await clock.advance(99)
    expect([first.now, second.now]).toEqual(['waits', 'waits'])
    signal.raise()
    await clock.advance(0)
    expect([first.now, second.now, clock.pending]).toEqual([true, true, 0])
  })

  test('that nobody waits for ends the next wait at once, and only that one', async () => {
    const clock = new FakeClock()
    const signal = new WakeSignal(clock)
    signal.raise()
    signal.raise()
    expect(await signal.wait(100)).toBe(true)
    const next = outcomeOf(signal.wait(100))
    await clock.advance(100)
    expect(next.now).toBe(false)
  })

  test('raised for one who waits is not kept for the next wait', async () => {
    const clock = new FakeClock()
    const signal = new WakeSignal(clock)
    const first = signal.wait(100)
    signal.raise()
    expect(await first).toBe(true)
    const next = outcomeOf(signal.wait(100))
    await clock.advance(99)
    expect(next.now).toBe('waits')
  })

  test('raised between the end of a wait and the next one is kept', async () => {
    const clock = new FakeClock()
    const signal = new WakeSignal(clock)
    const first = signal.wait(100)
    await clock.advance(100)
    signal.raise()
    expect(await first).toBe(false)
    expect(await signal.wait(100)).toBe(true)
  })

  test('gives up at the deadline and at an abort, and leaves no timer', async () => {
    const clock = new FakeClock()
    const signal = new WakeSignal(clock)
    const ended = new AbortController()
    const late = outcomeOf(signal.wait(100, ended.signal))
    await clock.advance(100)
    const aborted = outcomeOf(signal.wait(100, ended.signal))
    ended.abort()
    await clock.advance(0)
    expect([late.now, aborted.now, clock.pending]).toEqual([false, false, 0])
    expect(await signal.wait(100, ended.signal)).toBe(false)
  })

  test('raised before the abort is told, and told once', async () => {
    const signal = new WakeSignal(new FakeClock())
    signal.raise()
    expect(await signal.wait(100, AbortSignal.abort())).toBe(true)
    expect(await signal.wait(100, AbortSignal.abort())).toBe(false)
  })
})

describe('wait', () => {
  test('lasts its time, or until the abort', async () => {
    const clock = new FakeClock()
    const ended = new AbortController()
    const [whole, cut] = [outcomeOf(wait(50, undefined, clock)), outcomeOf(wait(500, ended.signal, clock))]
    await clock.advance(50)
    expect([whole.now, cut.now]).toEqual(['over', 'waits'])
    ended.abort()
    await clock.advance(0)
    expect([cut.now, clock.pending]).toEqual(['over', 0])
  })
})

describe('waitAtMost', () => {
  test('ends with the promise, and leaves no timer', async () => {
    const clock = new FakeClock()
    await waitAtMost(Promise.resolve(), 100, undefined, clock)
    expect(clock.pending).toBe(0)
    await expect(waitAtMost(Promise.reject(new Error('no')), 100, undefined, clock)).rejects.toThrow('no')
    expect(clock.pending).toBe(0)
  })

  test('ends at its deadline, and does not hear of the promise then', async () => {
    const clock = new FakeClock()
    const { promise, reject } = Promise.withResolvers<void>()
    const waits = outcomeOf(waitAtMost(promise, 100, undefined, clock))
    await clock.advance(100)
    reject(new Error('too late'))
    await clock.advance(0)
    expect(waits.now).toBe('over')
  })

  test('ends at the abort', async () => {
    const clock = new FakeClock()
    const ended = new AbortController()
    const waits = outcomeOf(waitAtMost(new Promise(() => undefined), 100, ended.signal, clock))
    ended.abort()
    await clock.advance(0)
    expect([waits.now, clock.pending]).toEqual(['over', 0])
  })
})

describe('the fake clock', () => {
  test('runs timers in the order of their instants, and what follows a timer before the next one', async () => {
    const clock = new FakeClock()
    const told: string[] = []
    const tell = (what: string) => told.push(`${what} at ${clock.nowMs()}`)
    clock.after(30, () => tell('third'))
    void wait(10, undefined, clock).then(async () => {
      tell('first')
      await wait(10, undefined, clock)
      tell('second')
    })
    await clock.advance(25)
    expect([told, clock.nowMs()]).toEqual([['first at 10', 'second at 20'], 25])
    await clock.advance(5)
    expect(told.at(-1)).toBe('third at 30')
  })
})

describe('the clock of the process', () => {
  test('moves on, runs a timer after its time, and cancels one', async () => {
    const beganMs = systemClock.nowMs()
    systemClock.after(1, () => expect('a cancelled timer').toBe('silent'))()
    await wait(5)
    expect(systemClock.nowMs() - beganMs).toBeGreaterThanOrEqual(4)
  })
})
