// The bounds of compressed uploads (C74), byte by byte.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { boundedGunzip, gunzipBounds } from './bounded-gunzip.ts'

/** The bytes that come out, or the code of the fault. */
async function unpack(packed: Buffer, bounds = gunzipBounds): Promise<Buffer | string> {
  const parts: Buffer[] = []
  try {
    for await (const part of boundedGunzip(Readable.from([packed], { objectMode: false }), bounds)) parts.push(part)
  } catch (error) {
    return (error as { code: string }).code
  }
  return Buffer.concat(parts)
}

const noise = randomBytes(100_000)

test('as many bytes as allowed pass, one more is too many', async () => {
  const bounds = { ...gunzipBounds, plainBytesMax: noise.length }
  expect(await unpack(gzipSync(noise), bounds)).toEqual(noise)
  expect(await unpack(gzipSync(Buffer.concat([noise, Buffer.from('x')])), bounds)).toBe('too_large')
})

test('what grows 100 times passes, what grows more does not', async () => {
  const zeros = Buffer.alloc(1_000_000)
  const packed = gzipSync(zeros)
  const ratio = zeros.length / packed.length
  expect(ratio).toBeGreaterThan(100)
  expect(await unpack(packed)).toBe('too_large')
  expect(await unpack(packed, { ...gunzipBounds, ratioMax: Math.ceil(ratio) })).toEqual(zeros)
})

test('no more is unpacked than the bound and one block', async () => {
  const packed = gzipSync(Buffer.alloc(50_000_000))
  let plain = 0
  const unpacking = (async () => {
    for await (const part of boundedGunzip(Readable.from([packed], { objectMode: false }))) plain += part.length
  })()
  await expect(unpacking).rejects.toMatchObject({ code: 'too_large' })
  expect(plain).toBeLessThanOrEqual(100 * packed.length)
})

test.each([
  ['cut off', gzipSync(noise).subarray(0, 50_000)],
  ['altered', Buffer.concat([gzipSync(noise).subarray(0, 50_000), randomBytes(50_000)])],
  ['empty', Buffer.alloc(0)],
  ['no gzip', noise],
])('a body that is %s is invalid', async (_name, bytes) => {
  expect(await unpack(bytes)).toBe('invalid')
})

test('several members are one body, and a fault of the source is passed on', async () => {
  const members = [gzipSync('a'.repeat(10)), gzipSync('b'.repeat(10))]
  expect(String(await unpack(Buffer.concat(members)))).toBe('aaaaaaaaaabbbbbbbbbb')
  const source = new Readable({ read() {} })
  source.on('error', () => undefined)
  source.push(gzipSync(noise).subarray(0, 1000))
  source.destroy(new Error('gone'))
  const unpacking = (async () => {
    for await (const _part of boundedGunzip(source));
  })()
  await expect(unpacking).rejects.toThrow('gone')
})
