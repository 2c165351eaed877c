// Decodes what somebody uploads as a logo and writes it anew (auth.md 4.2, S25): the pixels alone reach a browser, never the bytes that
// were sent. Nothing is fetched, and SVG, which is a program, is no picture here.
import { hash } from 'node:crypto'
import { FairTurns } from '@wds/http-service/fair-turns'
import type sharp from 'sharp'
import type { Logo } from './store-logo.ts'

export const logoBytesMax = 1_048_576
/** A form with a logo, and beside it at most ten URLs of 2,048 characters. */
export const formBytesMax = logoBytesMax + 64 * 1_024
const sideMax = 4_096
const pixels = 256

let loading: Promise<typeof sharp> | undefined

/** libvips, from the first logo on: loading it takes 0.1 s of CPU, which no start spends. */
async function load(): Promise<typeof sharp> {
  const { default: vips } = await import('sharp')
  // It has loaders for dozens of formats, PDF and SVG among them: these three alone ever see an upload.
  vips.block({ operation: ['VipsForeignLoad'] })
  vips.unblock({
    operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  // No picture comes twice.
  vips.cache(false)
  return vips
}

/** How each format begins. */
const beginnings: Record<string, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1')),
  webp: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
}

/**
 * Parts that the decoder goes through one by one without looking at its deadline: a scan of a JPEG touches every pixel however short it is
 * (9 s for 190 KB of them), a packed text of a PNG unfolds to 50 MB. Pictures have a dozen scans, and a text or two.
 */
const costly: Record<string, { part: RegExp; most: number }> = {
  jpeg: { part: /\xff\xda/g, most: 100 },
  png: { part: /[zi]TXt/g, most: 10 },
}

function isCostly(bytes: Buffer, format: string): boolean {
  const { part, most } = costly[format] ?? {}
  return part !== undefined && most !== undefined && (bytes.toString('latin1').match(part)?.length ?? 0) > most
}

const undecodable = 'Cannot be decoded: the picture is damaged or of an unusual kind.'

/** The logo, or why the upload is none, as a sentence. */
export type MadeLogo = { ok: true; logo: Logo } | { ok: false; detail: string }

const refuse = (detail: string): MadeLogo => ({ ok: false, detail })

// One at a time: a picture of 4,096 × 4,096 pixels takes 64 MiB. libvips works on a thread of its own.
const turns = new FairTurns(1, { waitMs: 10_000 })
const secondsMax = 10

/** Makes a logo of the bytes, one at a time, shared among workspaces. @throws ServiceError when no turn came in 10 s */
export async function makeLogo(workspaceId: string, bytes: Buffer): Promise<MadeLogo> {
  if (bytes.length > logoBytesMax) return refuse('Must have at most 1 MiB.')
  const format = Object.keys(beginnings).find((name) => beginnings[name]?.(bytes))
  if (format === undefined) return refuse('Must be a PNG, JPEG or WebP picture.')
  if (isCostly(bytes, format)) return refuse(undecodable)
  return turns.run(workspaceId, () => rewrite(bytes, format))
}

async function rewrite(bytes: Buffer, format: string): Promise<MadeLogo> {
  loading ??= load()
  const vips = await loading
  try {
    // Reads the header alone.
    const { width, height, format: found } = await vips(bytes, { limitInputPixels: false }).metadata()
    if (found !== format) return refuse('Must be a PNG, JPEG or WebP picture.')
    if (width > sideMax || height > sideMax) return refuse('Must have at most 4096 × 4096 pixels.')
    const png = await vips(bytes, { limitInputPixels: sideMax * sideMax, sequentialRead: true, failOn: 'warning' })
      .timeout({ seconds: secondsMax })
      .autoOrient()
      .resize(pixels, pixels, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColourspace('srgb')
      .png()
      .toBuffer()
    return { ok: true, logo: { png, digest: hash('sha256', png, 'buffer') } }
  } catch {
    return refuse(undecodable)
  }
}
