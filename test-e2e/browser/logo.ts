// Makes the logo of a test's app: a PNG of 256 × 256 pixels, so that no picture lies in the repository.
import { crc32, deflateSync } from 'node:zlib'

const side = 256

/** A ring on a coloured ground. */
export function makeLogo(): Buffer {
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_, x) => colour(x, y)).flat(),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // 8 bits a channel, red green blue.
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.from(rows.flat()))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function colour(x: number, y: number): number[] {
  const distance = Math.hypot(x - side / 2, y - side / 2)
  return distance > 50 && distance < 82 ? [255, 255, 255] : [38, 70, 150 + Math.floor(y / 4)]
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
