import { expect, test } from '@jest/globals'
import { murmur2, partitionOf } from './partition.ts'

test("the hash is that of Kafka's Java client (vectors of its UtilsTest)", () => {
  const vectors: [string, number][] = [
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ]
  for (const [text, hash] of vectors) expect(murmur2(new TextEncoder().encode(text))).toBe(hash)
})

test('a key has one partition, within the range', () => {
  for (let n = 0; n < 1000; n += 1) {
    const partition = partitionOf(`wsp_${n}`, 12)
    expect(partition).toBe(partitionOf(`wsp_${n}`, 12))
    expect(partition >= 0 && partition < 12).toBe(true)
  }
})
