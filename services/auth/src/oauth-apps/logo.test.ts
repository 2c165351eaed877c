// S25: a logo cannot run, exhaust memory or make the server fetch; only its pixels come out.
import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { longestBlockDuring } from '@wds/telemetry/event-loop'
import sharp from 'sharp'
import { logoBytesMax, makeLogo } from './logo.ts'

const picture = (width = 600, height = 300) => sharp({ create: { width, height, channels: 3, background: '#3366cc' } })

/** The types of a PNG's chunks. */
function chunksOf(png: Buffer): string[] {
  const types: string[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) types.push(png.toString('latin1', at + 4, at + 8))
  return types
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of one grey value whose header says this size, as small as deflate makes it. */
function bomb(width: number, height: number, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.min((width + 1) * height, 50_000_000)))
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([start, chunk('IHDR', header), ...more, chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** A progressive JPEG with empty scans instead of those behind its first: they bring one coefficient after the other nearer by a bit, as the format allows. */
function withScans(jpeg: Buffer, count: number): Buffer {
  const first = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  // What is no marker in the data of a scan is followed by a zero.
  let end = first + 14
  while (jpeg[end] !== 0xff || jpeg[end + 1] === 0) end += 1
  // One code: all blocks up to the end have nothing more.
  const codes = Buffer.from([0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0xe0])
  const scans = Array.from({ length: count }, (_, nth) => {
    const [band, bit] = [1 + Math.floor(nth / 14), 13 - (nth % 14)]
    return Buffer.from([...[0xff, 0xda, 0, 8, 1, 1, 0, band, band, ((bit === 13 ? 0 : bit + 1) << 4) | bit], 0, 0])
  })
  return Buffer.concat([jpeg.subarray(0, end), codes, ...scans, Buffer.from([0xff, 0xd9])])
}

async function made(bytes: Buffer) {
  const result = await makeLogo('wsp_1', bytes)
  return result.ok ? result.logo : result.detail
}

describe('S25: a logo', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'of %s is written anew as 256 × 256 PNG without metadata',
    async (format) => {
      const sent = await picture()
        .withExif({ IFD0: { Copyright: 'metadata-of-the-upload' } })
        .withIccProfile('p3')
        .toFormat(format)
        .toBuffer()
      expect(sent.toString('latin1')).toContain('metadata-of-the-upload')
      const result = await makeLogo('wsp_1', sent)
      if (!result.ok) throw new Error(result.detail)
      const { png } = result.logo
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 })
      expect(chunksOf(png).filter((type) => !['IHDR', 'pHYs', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type))).toEqual(
        [],
      )
      expect(png.toString('latin1')).not.toContain('metadata-of-the-upload')
      // The whole picture is shown, on nothing: the middle has its colour, the band above it none.
      const { data } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      const pixel = (x: number, y: number) => [...data.subarray((y * 256 + x) * 4, (y * 256 + x) * 4 + 4)]
      expect(pixel(128, 10)[3]).toBe(0)
      expect(pixel(128, 128)[3]).toBe(255)
    },
  )

  test('bytes behind the picture do not come out', async () => {
    const sent = Buffer.concat([await picture().png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
    const result = await made(sent)
    expect(String(typeof result === 'string' ? result : result.png.toString('latin1'))).not.toContain('script')
  })

  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'PNG, JPEG or WebP'],
    [
      'SVG behind a prolog',
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'PNG, JPEG or WebP',
    ],
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>'), 'PNG, JPEG or WebP'],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), 'PNG, JPEG or WebP'],
    ['nothing', Buffer.alloc(0), 'PNG, JPEG or WebP'],
    ['the beginning of a PNG and no more', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'decoded'],
    [
      'SVG that begins like a PNG',
      Buffer.from('\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'latin1'),
      'decoded',
    ],
    [
      'noise that begins like a JPEG',
      Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), randomBytes(5_000)]),
      'decoded',
    ],
    ['over 1 MiB', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(logoBytesMax)]), '1 MiB'],
  ])('that is %s is refused', async (_what, bytes, reason) => {
    expect(await made(bytes)).toContain(reason)
  })

  test('of SVG has no loader, even for what is not looked at first', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    await expect(sharp(svg).metadata()).rejects.toThrow('unsupported image format')
  })

  test('cut short is refused, not shown in part', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const noise = sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      const sent = await noise.toFormat(format).toBuffer()
      expect([format, await made(sent.subarray(0, sent.length / 2))]).toEqual([
        format,
        expect.stringContaining('decoded'),
      ])
    }
  })

  test('of 4,096 pixels a side is taken, of one more refused before anything is decoded', async () => {
    expect(await made(bomb(4_096, 4_096))).toMatchObject({ digest: expect.any(Buffer) })
    expect(await made(bomb(4_097, 1))).toContain('4096')
    expect(await made(bomb(1, 4_097))).toContain('4096')
  })

  test('that says it has 65,000 × 65,000 pixels costs no memory', async () => {
    const bytes = bomb(65_000, 65_000)
    expect(bytes.length).toBeLessThan(logoBytesMax)
    const before = process.memoryUsage().rss
    expect(await made(bytes)).toContain('4096')
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  test('with a text of 60 MB in its metadata costs no memory', async () => {
    const zeros = deflateSync(Buffer.alloc(60_000_000))
    const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), zeros])
    const before = process.memoryUsage().rss
    const result = await made(bomb(10, 10, [chunk('zTXt', text)]))
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
    if (typeof result !== 'string') expect(chunksOf(result.png)).not.toContain('zTXt')
  })

  test('regression: with more scans than a picture has is refused before they are gone through, each at the cost of all pixels', async () => {
    const sent = await picture(64, 64).jpeg({ progressive: true }).toBuffer()
    expect(await made(sent)).toMatchObject({ digest: expect.any(Buffer) })
    expect(await made(withScans(sent, 80))).toMatchObject({ digest: expect.any(Buffer) })
    expect(await made(withScans(sent, 200))).toContain('unusual kind')
  })

  test('regression: with texts that unfold to more than memory is refused before any of them is unfolded', async () => {
    const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(100))])
    const texts = (count: number) => Array.from({ length: count }, () => chunk('zTXt', text))
    expect(await made(bomb(10, 10, texts(5)))).toMatchObject({ digest: expect.any(Buffer) })
    expect(await made(bomb(10, 10, texts(20)))).toContain('unusual kind')
  })

  test('is decoded beside the event loop, which goes on meanwhile', async () => {
    const bytes = bomb(4_096, 4_096)
    const cpuOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000
    const look = async () => {
      const before = { all: process.cpuUsage(), own: process.threadCpuUsage() }
      const { longestBlockMs } = await longestBlockDuring(() => made(bytes))
      const elsewhereMs = cpuOf(process.cpuUsage(before.all)) - cpuOf(process.threadCpuUsage(before.own))
      // Both are CPU times of one run, and a slow machine lengthens both: decoding takes far longer than anything that the loop waits for.
      return { longestBlockMs, elsewhereMs, isBeside: longestBlockMs < elsewhereMs / 2 }
    }
    // What disturbs a look, the garbage collector first, only adds to a block: one of five decides.
    const looks = [await look()]
    while (!looks.at(-1)?.isBeside && looks.length < 5) looks.push(await look())
    expect({ looks, isBeside: looks.at(-1)?.isBeside }).toMatchObject({ isBeside: true })
  })
})
