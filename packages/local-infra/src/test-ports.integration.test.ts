import { createServer } from 'node:net'
import { expect, test } from '@jest/globals'
import { isPortFree } from './free-port.ts'
import { takeTestPorts } from './test-ports.ts'

test('two that take ports at once never get the same', async () => {
  const takers = await Promise.all(Array.from({ length: 8 }, takeTestPorts))
  const ports = await Promise.all(takers.flatMap(({ next }) => Array.from({ length: 20 }, next)))
  expect(new Set(ports).size).toBe(160)
  // Each may be the least port of a standalone's services.
  expect(Math.max(...ports)).toBeLessThanOrEqual(31_000)
  for (const { release } of takers) release()
})

test('a port that somebody listens on is passed over, and a block that is given back is free', async () => {
  const { next, release } = await takeTestPorts()
  const first = await next()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(first + 1, '127.0.0.1', resolve))
  expect(await next()).toBe(first + 2)
  taken.close()
  expect(await isPortFree(first - 1)).toBe(false)
  release()
  expect(await isPortFree(first - 1)).toBe(true)
})
