import { EventEmitter } from 'node:events'
import { expect, test } from '@jest/globals'
import { WorkingLine } from './working-line.ts'

/** A line whose clock is moved by hand. */
function lineOf(o: { most: number; always: number }) {
  const clock = { ms: 0 }
  const line = new WorkingLine({ ...o, nowMs: () => clock.ms })
  const enter = (caller: string, complete = true) => {
    const response = new EventEmitter()
    const request = { complete }
    return line.enter(caller, request, response) ? { response, request } : null
  }
  /** How many of so many are let in. */
  const enterMany = (caller: string, count: number) =>
    Array.from({ length: count }, () => enter(caller)).flatMap((one) => one ?? [])
  return { line, clock, enter, enterMany }
}

test('a burst is let in up to the limit, and the next when one is answered', () => {
  const { enter, enterMany } = lineOf({ most: 50, always: 10 })
  const inside = enterMany('a', 60)
  expect(inside).toHaveLength(50)
  inside[0]?.response.emit('prefinish')
  expect([enter('a'), enter('a')]).toEqual([expect.anything(), null])
})

test('after a second of more than can be answered as many are let in as were answered in the last one', () => {
  const { line, clock, enterMany } = lineOf({ most: 100, always: 10 })
  let inside = enterMany('a', 100)
  for (let step = 0; step < 30; step += 1) {
    clock.ms += 100
    // 40 a second.
    for (const { response } of inside.splice(0, 4)) response.emit('close')
    inside = [...inside, ...enterMany('a', 20)]
  }
  expect(line.size).toBeLessThanOrEqual(44)
  expect(line.size).toBeGreaterThanOrEqual(36)
})

test('what is let in again and again as places come free begins no burst', () => {
  const { line, clock, enterMany } = lineOf({ most: 100, always: 10 })
  const inside = enterMany('a', 11)
  for (let step = 0; step < 40; step += 1) {
    clock.ms += 250
    inside.shift()?.response.emit('close')
    inside.push(...enterMany('a', step < 4 ? 1 : 100))
  }
  expect(line.size).toBe(10)
})

test('one that answers slowly lets in as many as it always does; once it is free again, a burst', () => {
  const { line, clock, enterMany } = lineOf({ most: 100, always: 10 })
  const inside = enterMany('a', 30)
  clock.ms += 2_000
  expect(enterMany('a', 5)).toHaveLength(0)
  for (const { response } of inside) response.emit('close')
  expect(line.size).toBe(0)
  clock.ms += 5_000
  expect(enterMany('a', 100)).toHaveLength(100)
})

test('a caller who floods leaves the others their share, up to twice the limit', () => {
  const { line, enterMany } = lineOf({ most: 100, always: 10 })
  expect(enterMany('flood', 500)).toHaveLength(100)
  expect(enterMany('b', 80)).toHaveLength(50)
  expect(enterMany('c', 80)).toHaveLength(34)
  expect(enterMany('flood', 5)).toHaveLength(0)
  for (let nth = 0; nth < 500; nth += 1) enterMany(`more ${nth}`, 1)
  expect(line.size).toBe(200)
})

test('whoever sends a body slowly takes no place for longer than a second, and an answer that ends twice leaves once', () => {
  const { line, clock, enter, enterMany } = lineOf({ most: 20, always: 10 })
  const slow = Array.from({ length: 20 }, () => enter('slow', false))
  expect(enter('b')).not.toBeNull()
  expect(enter('slow')).toBeNull()
  clock.ms += 1_000
  expect(enterMany('c', 30)).toHaveLength(19)
  for (const one of slow) one?.response.emit('close')
  expect(line.size).toBe(20)
  const [first] = enterMany('d', 1)
  first?.response.emit('prefinish')
  first?.response.emit('close')
  expect(line.size).toBe(20)
})
