import { expect, test } from '@jest/globals'
import { PieceDues } from './piece-dues.ts'

let nowMs = 0
const openDues = () => {
  nowMs = 0
  return new PieceDues(() => nowMs)
}

function send(dues: PieceDues, address: string, pieces: number): number {
  let untilMs = 0
  for (let nth = 0; nth < pieces; nth += 1) untilMs = dues.charge(address)
  return untilMs
}

test('regression: what one address has sent keeps nobody of another waiting', () => {
  const dues = openDues()
  expect(send(dues, 'flood', 1_000_000)).toBeCloseTo(20_000)
  expect(send(dues, 'other', 20_000)).toBeCloseTo(400)
})

test('connections of one address wait behind each other', () => {
  const dues = openDues()
  const leave = dues.wait('flood')
  expect(send(dues, 'flood', 10_000)).toBeCloseTo(200)
  dues.wait('flood')
  expect(send(dues, 'flood', 10_000)).toBeCloseTo(400)
  leave()
})

test('a hundred addresses together are given no more than two', () => {
  const dues = openDues()
  const addresses = Array.from({ length: 100 }, (_, nth) => `address ${nth}`)
  const leaves = addresses.map((address) => dues.wait(address))
  for (const address of addresses) expect(send(dues, address, 1_000)).toBeCloseTo(50 * 20)
  for (const leave of leaves) leave()
  nowMs = 2_000
  expect(send(dues, 'address 0', 1_000)).toBeCloseTo(2_000 + 20)
})

test('an address is remembered until it has paid, and not too many of them', () => {
  const dues = openDues()
  for (let nth = 0; nth < 30_000; nth += 1) dues.charge(`address ${nth}`)
  expect(dues.size).toBe(20_000)
  nowMs = 1_000
  dues.charge('another')
  expect(dues.size).toBe(1)
})
