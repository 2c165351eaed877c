// Decides which partition a key belongs to, in the same way as Kafka's Java client (murmur2), so that both logs keep a
// key in one place. It must never change: a key that moves loses its order.

const seed = 0x9747b28c
const m = 0x5bd1e995

/** Kafka's murmur2 over the UTF-8 bytes of a key; a signed 32-bit integer. */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length
  const at = (i: number): number => bytes[i] ?? 0
  let h = seed ^ length
  let i = 0
  for (; i + 4 <= length; i += 4) {
    let k = at(i) | (at(i + 1) << 8) | (at(i + 2) << 16) | (at(i + 3) << 24)
    k = Math.imul(k, m)
    k ^= k >>> 24
    k = Math.imul(k, m)
    h = Math.imul(h, m) ^ k
  }
  const rest = length - i
  if (rest >= 3) h ^= at(i + 2) << 16
  if (rest >= 2) h ^= at(i + 1) << 8
  if (rest >= 1) h = Math.imul(h ^ at(i), m)
  h ^= h >>> 13
  h = Math.imul(h, m)
  h ^= h >>> 15
  return h | 0
}

/** The partition of a key: 0..partitions-1 (architecture.md 8: the key is the workspace id). */
export function partitionOf(key: string, partitions: number): number {
  if (!Number.isInteger(partitions) || partitions < 1) throw new RangeError('partitions must be a positive integer')
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions
}
