import { expect, test } from '@jest/globals'
import { attemptOf, failuresMax } from './attempt.ts'

const stranger = { emailKey: 'ada@example.test', address: '203.0.113.1', browser: null }
const subjectsOf = (o: Partial<Parameters<typeof attemptOf>[0]>) =>
  attemptOf({ ...stranger, ...o }).counts.map(({ subject }) => subject.toString('hex'))

test('XO10: in a browser that signed in before, an attempt counts for that browser and account alone', () => {
  const browser = Buffer.alloc(32, 1)
  const { counts } = attemptOf({ ...stranger, browser })
  expect(counts).toEqual([{ subject: expect.any(Buffer), most: failuresMax.knownBrowser }])
  expect(subjectsOf({ browser, address: '198.51.100.7' })).toEqual(subjectsOf({ browser }))
  const others = [
    subjectsOf({}),
    subjectsOf({ browser, emailKey: 'b@example.test' }),
    subjectsOf({ browser: Buffer.alloc(32, 2) }),
  ]
  for (const other of others.flat()) expect(subjectsOf({ browser })).not.toContain(other)
})

test('elsewhere it counts for the account at the network, for the account, and for the network', () => {
  const [here, account, network] = subjectsOf({})
  expect(new Set([here, account, network]).size).toBe(3)
  expect(subjectsOf({ address: '198.51.100.7' })).toEqual([
    expect.not.stringMatching(`${here}`),
    account,
    expect.not.stringMatching(`${network}`),
  ])
  expect(subjectsOf({ emailKey: 'b@example.test' })[2]).toBe(network)
  expect(subjectsOf({ address: '2001:db8::1' })).toEqual(subjectsOf({ address: '2001:db8::ffff' }))
})

test('what an address and a name hold cannot make one subject of two', () => {
  expect(subjectsOf({ emailKey: 'a","b', address: '1.1.1.1' })[0]).not.toBe(
    subjectsOf({ emailKey: 'a', address: 'b","1.1.1.1' })[0],
  )
})
