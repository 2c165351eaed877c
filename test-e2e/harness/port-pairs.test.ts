import { expect, test } from '@jest/globals'
import { createPortPairs } from './port-pairs.ts'

test('regression: hundreds of processes, one after the other, take no more ports than run side by side', async () => {
  let last = 0
  const pairs = createPortPairs(async () => {
    last += 1
    if (last > 100) throw new Error('the block is used up')
    return last
  })
  const other = await pairs.take('auth')
  for (let nth = 0; nth < 300; nth += 1) {
    const both = [await pairs.take('api'), await pairs.take('api')] as const
    expect(new Set([...both.flat(), ...other]).size).toBe(6)
    for (const pair of both) pairs.giveBack('api', pair)
  }
  // Who called the last process of a service must not meet another one there.
  pairs.giveBack('auth', other)
  expect(await pairs.take('api')).not.toEqual(other)
  expect(await pairs.take('auth')).toEqual(other)
})
