// K21 and K22: what counts as movement, what as progress, and what neither is.

import { describe, expect, test } from '@jest/globals'
import { apartFromTurn, createProgress, pieceOfTurn, progressed, waitingFor } from './progress.ts'

/** A registry with a clock that stands still until it is moved. */
function stage() {
  let nowMs = 0
  const progress = createProgress({ nowMs: () => nowMs })
  const later = (seconds: number) => {
    nowMs += seconds * 1_000
  }
  const judged = () => ({ stuck: progress.stuck(), idle: progress.idle() })
  return { progress, later, judged }
}
const well = { stuck: [], idle: [] }
const fails = () => Promise.reject(new Error('no database'))

describe('progress', () => {
  test('K21: a turn that hangs for more than 60 s is stuck, and by its name', async () => {
    const { progress, later, judged } = stage()
    const end = Promise.withResolvers<void>()
    const turn = progress.loop('sender').turn(() => end.promise)
    progress.loop('relay').rests(Number.POSITIVE_INFINITY)
    later(60)
    expect(judged()).toEqual(well)
    later(0.001)
    expect(judged()).toEqual({ stuck: ['sender'], idle: ['relay', 'sender'] })
    end.resolve()
    await turn
    expect(judged()).toEqual({ stuck: [], idle: ['relay'] })
  })

  test('K21: a call of Postgres or the broker counts as movement for as long as it takes, not as progress', async () => {
    const { progress, later, judged } = stage()
    const answer = Promise.withResolvers<void>()
    const hang = Promise.withResolvers<void>()
    const turn = progress.loop('sender').turn(async () => {
      await waitingFor(() => answer.promise).catch(() => undefined)
      await hang.promise
    })
    later(3_600)
    expect(judged()).toEqual({ stuck: [], idle: ['sender'] })
    answer.reject(new Error('the connection broke'))
    await new Promise(setImmediate)
    later(60)
    expect(judged().stuck).toEqual([])
    later(1)
    expect(judged().stuck).toEqual(['sender'])
    hang.resolve()
    await turn
  })

  test('K21: what is called apart from a turn is no movement of it', async () => {
    const { progress, later, judged } = stage()
    const call = async () => {
      await waitingFor(async () => undefined)
      progressed()
    }
    await progress.loop('sync').turn(async () => {
      later(61)
      await apartFromTurn(call)
      expect(judged()).toEqual({ stuck: ['sync'], idle: ['sync'] })
      await call()
      expect(judged()).toEqual(well)
    })
  })

  test('a piece of a turn is stuck by itself while the turn goes on with others, whose life is that of the turn', async () => {
    const { progress, later, judged } = stage()
    const [hanging, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const turn = progress.loop('sync').turn(async () => {
      const first = pieceOfTurn(() => hanging.promise)
      const second = pieceOfTurn(async () => {
        later(61)
        expect([progress.stuckPieces(), ...judged().stuck]).toEqual([2, 'sync'])
        await waitingFor(async () => undefined)
        expect([progress.stuckPieces(), ...judged().stuck]).toEqual([1])
        progressed()
        expect(judged()).toEqual(well)
        await going.promise
      })
      await Promise.all([first, second])
    })
    await new Promise(setImmediate)
    later(60)
    expect([progress.stuckPieces(), judged()]).toEqual([1, well])
    later(1)
    expect([progress.stuckPieces(), ...judged().stuck]).toEqual([2, 'sync'])
    going.resolve()
    hanging.resolve()
    await turn
    expect([progress.stuckPieces(), judged()]).toEqual([0, well])
  })

  test('K22: turns that fail move and get nothing done; one that finds nothing does', async () => {
    const { progress, later, judged } = stage()
    const loop = progress.loop('relay')
    for (let minute = 0; minute < 5; minute += 1) {
      await expect(loop.turn(fails)).rejects.toThrow('no database')
      loop.rests(5_000)
      later(60)
    }
    expect(judged()).toEqual({ stuck: [], idle: ['relay'] })
    await loop.turn(async () => false)
    expect(judged()).toEqual(well)
  })

  test('a rest counts as movement and, after a turn that succeeded, as progress; 60 s past its end it counts no more', async () => {
    const { progress, later, judged } = stage()
    const loop = progress.loop('maintenance')
    await loop.turn(async () => false)
    loop.rests(3_600_000)
    later(3_660)
    expect(judged()).toEqual(well)
    await loop.turn(fails).catch(() => undefined)
    loop.rests(5_000)
    later(1)
    expect(judged()).toEqual({ stuck: [], idle: ['maintenance'] })
    later(65)
    expect(judged().stuck).toEqual(['maintenance'])
  })

  test('a long turn says that it got something done, and a loop that ended is not waited for', async () => {
    const { progress, later, judged } = stage()
    const loop = progress.loop('attempt')
    const turn = loop.turn(async () => {
      for (let batch = 0; batch < 5; batch += 1) {
        later(50)
        progressed()
        expect(judged()).toEqual(well)
      }
    })
    await turn
    later(120)
    expect(judged().stuck).toEqual(['attempt'])
    loop.end()
    expect(judged()).toEqual(well)
  })

  test('outside a turn both say nothing', async () => {
    progressed()
    await expect(waitingFor(async () => 'answer')).resolves.toBe('answer')
  })
})
