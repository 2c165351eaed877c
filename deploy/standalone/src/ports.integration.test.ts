import { expect, test } from '@jest/globals'
import { holdPort } from '@wds/local-infra/free-port'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { claimBlock } from './ports.ts'

test('regression: two starts at once never choose the same port, whichever they begin to look at', async () => {
  const { next, release } = await takeTestPorts()
  const from = await next()
  const blocks = await Promise.all([from, from + 3, from, from + 9].map(claimBlock))
  const ports = blocks.flatMap((block) => block.ports)
  expect(new Set(ports).size).toBe(ports.length)
  for (const block of blocks) block.release()
  release()
})

test('a block of which one port is taken is passed over, one that was given back is free', async () => {
  const { next, release } = await takeTestPorts()
  const first = await claimBlock(await next())
  first.release()
  const again = await claimBlock((first.ports[0] as number) - 1)
  expect(again.ports).toEqual(first.ports)
  again.release()
  const giveBack = await holdPort(first.ports[4] as number)
  const other = await claimBlock((first.ports[0] as number) - 1)
  expect(other.ports[0]).toBeGreaterThan(first.ports.at(-1) as number)
  other.release()
  giveBack?.()
  release()
})
