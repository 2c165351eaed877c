// Undoes the gzip coding of an upload while it arrives and ends it where it grows beyond measure (C74). It holds no more
// than a few blocks at a time.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Problem } from '@wds/http-service/problem'

/** Bytes after decompression, and times what was received by then (C74). */
export const gunzipBounds = { plainBytesMax: 209_715_200, ratioMax: 100 }

/** The decompressed bytes. Fails with Problem `payload_too_large` beyond the bounds, `invalid_request` where it is no gzip. */
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
      if (plain > bounds.plainBytesMax || plain > bounds.ratioMax * received) throw tooLarge()
      yield part as Buffer
    }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error
    throw new Problem('invalid_request', { detail: 'The body is not valid gzip, or was cut off.' })
  }
}

function tooLarge(): Problem {
  const detail = 'Decompressed, the body is larger than 200 MiB or more than 100 times what was sent.'
  return new Problem('payload_too_large', { detail })
}
