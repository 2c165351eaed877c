import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { awaitRedirect } from './await-redirect.ts'

test('regression: a wait that is over before anybody asked for its answer is told to who asks, and ends no process', async () => {
  let unhandled = 0
  const count = () => {
    unhandled += 1
  }
  process.on('unhandledRejection', count)
  try {
    const redirectUrl = new URL('http://localhost:0/callback')
    const awaited = await awaitRedirect({ redirectUrl, state: 's', withinMs: 1 })
    await sleep(50)
    await expect(awaited.answer).rejects.toThrow('nobody came back to')
    awaited.close()
    expect(unhandled).toBe(0)
  } finally {
    process.off('unhandledRejection', count)
  }
})
