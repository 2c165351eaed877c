// Undoes the gzip coding of a file while it arrives and ends it where it grows beyond measure (C74, domain.md 4.2). It holds no more
// than a few blocks at a time.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Why the bytes are not given: they grow beyond the bounds, or are no gzip. */
export class GunzipFault extends Error {
  readonly code: 'too_large' | 'invalid'

  constructor(code: GunzipFault['code']) {
    super(code)
    this.code = code
  }
}

/** Bytes after decompression, and times what was received by then (C74). */
export const gunzipBounds = { plainBytesMax: 209_715_200, ratioMax: 100 }

/** The decompressed bytes. Throws GunzipFault. */
export async function* boundedGunzip(packed: Readable, bounds = gunzipBounds): AsyncGenerator<Buffer> {
  let [received, plain] = [0, 0]
  const counted = Readable.from(
    (async function* () {
      for await (const part of packed) {
        received += (part as Buffer).length
        yield part
      }
    })(),
    { objectMode: false },
  )
  const gunzip = createGunzip()
  pipeline(counted, gunzip, () => undefined)
  try {
    for await (const part of gunzip) {
      plain += (part as Buffer).length
      if (plain > bounds.plainBytesMax || plain > bounds.ratioMax * received) throw new GunzipFault('too_large')
      yield part as Buffer
    }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error
    throw new GunzipFault('invalid')
  }
}
