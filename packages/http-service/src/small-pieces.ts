// Shares the event loop with bodies that come in chunks of a few bytes. Each costs a microsecond, whatever it holds, and what a connection
// has sent is taken in one turn: 2 MB of them, 0.3 s. So only so many are taken at once; the rest waits for its sender's turn.
import type { IncomingMessage, RequestListener } from 'node:http'

/** A piece as large as this costs little for what it brings. */
const smallBytes = 128
/** So many small ones of a request in a tenth of a second are never waited for: a sender of lines, one by one. */
export const freePieces = 1_000
const windowMs = 100
/** Then each is paid for with so much waiting, ms: those of all requests together get a twentieth of the time. */
const pieceMs = 0.02

/** In front of what serves. */
export function paceSmallPieces(serve: RequestListener): RequestListener {
  let paidMs = 0
  return (request, response) => {
    if (request.headers['transfer-encoding'] !== undefined)
      pace(request, (pieces) => {
        const nowMs = performance.now()
        paidMs = Math.max(paidMs, nowMs) + pieces * pieceMs
        return paidMs - nowMs
      })
    serve(request, response)
  }
}

/** `payMs`: how long so many pieces are to be waited for. */
function pace(request: IncomingMessage, payMs: (pieces: number) => number): void {
  const push = request.push.bind(request)
  const read = request._read.bind(request)
  let pieces = 0
  let sinceMs = 0
  let isWaiting = false
  let wantedBytes: number | null = null
  const goOn = () => {
    isWaiting = false
    pieces = 0
    if (wantedBytes !== null && !request.destroyed) read(wantedBytes)
    wantedBytes = null
  }
  const isTooMany = (): boolean => {
    pieces += 1
    if (pieces <= freePieces || isWaiting) return isWaiting
    const nowMs = performance.now()
    if (nowMs - sinceMs < windowMs) return true
    sinceMs = nowMs
    pieces = 1
    return false
  }
  // The parser stops the connection where no more is wanted; what it has read already, it still hands over.
  request.push = (chunk: Buffer | null, ...more) => {
    const isMoreWanted = push(chunk, ...more)
    if (chunk === null || chunk.length >= smallBytes || !isTooMany()) return isMoreWanted
    if (!isWaiting) setImmediate(() => setTimeout(goOn, payMs(pieces)).unref())
    isWaiting = true
    return false
  }
  request._read = (size) => {
    if (isWaiting) wantedBytes = size
    else read(size)
  }
}
