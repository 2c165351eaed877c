// How those that have less than their share are let in.
import { expect, test } from '@jest/globals'
import { Counts } from './counts.ts'

test('all below the limit have room; above it who has less than the share, up to twice the limit; who leaves twice leaves once', () => {
  const counts = new Counts()
  const enter = (name: string) => (counts.hasRoom(name, 4) ? counts.add(name) : null)
  const leaves = [1, 2, 3, 4].map(() => enter('a'))
  expect([enter('a'), counts.total]).toEqual([null, 4])
  expect([enter('b'), enter('b'), enter('b')].map((leave) => leave !== null)).toEqual([true, true, false])
  for (const name of ['c', 'd', 'e', 'f']) enter(name)
  expect(counts.total).toBe(8)
  leaves[0]?.()
  leaves[0]?.()
  expect([counts.of('a'), counts.total]).toEqual([3, 7])
})
