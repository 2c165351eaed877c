import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { JoinedBytes } from './joined-bytes.ts'

test('pieces of any size come out joined, and nothing of before after that', () => {
  const joined = new JoinedBytes()
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 }), (pieces) => {
      const given = pieces.map((piece) => Buffer.from(piece))
      for (const piece of given) joined.add(piece)
      expect(joined.length).toBe(Buffer.concat(given).length)
      expect(joined.take().equals(Buffer.concat(given))).toBe(true)
      expect(joined.take()).toHaveLength(0)
    }),
  )
})

test('regression: what comes byte by byte is held in two times its size', () => {
  const joined = new JoinedBytes()
  const before = process.memoryUsage().arrayBuffers
  for (let nth = 0; nth < 1_000_000; nth += 1) joined.add(Buffer.from([nth & 255]))
  expect(joined.take().buffer.byteLength).toBeLessThanOrEqual(2_097_152)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
})
