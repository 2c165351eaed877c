// Shares the event loop with bodies that come in chunks of a few bytes. Each costs a microsecond, whatever it holds, and what a connection
// has sent is taken in one turn: 2 MB of them, 0.3 s. So only so many are taken at once; the rest waits for its sender's turn.
import type { IncomingMessage, RequestListener } from 'node:http'
import { JoinedBytes } from './joined-bytes.ts'

/** A piece as large as this costs little for what it brings. */
const smallBytes = 128
/** So many small ones of a request in a tenth of a second are never waited for: a sender of lines, one by one. */
const freePieces = 1_000
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
  /** What came meanwhile, joined since each piece takes a hundred times its size; null: nothing is waited for. */
  let kept: JoinedBytes | null = null
  let keptPieces = 0
  let timer: NodeJS.Timeout | undefined
  let wantedBytes: number | null = null
  const goOn = () => {
    clearTimeout(timer)
    const joined = kept?.take() ?? Buffer.alloc(0)
    kept = null
    pieces = 0
    if (request.destroyed) return
    if (joined.length > 0) push(joined)
    if (wantedBytes !== null && !request.complete) read(wantedBytes)
    wantedBytes = null
  }
  const isTooMany = (): boolean => {
    if (pieces === 0) sinceMs = performance.now()
    pieces += 1
    if (pieces <= freePieces) return false
    if (performance.now() - sinceMs < windowMs) return true
    pieces = 0
    return false
  }
  // The parser stops the connection where no more is wanted. What it has read already it still hands over: that goes on as one piece.
  request.push = (chunk: Buffer | null, ...more) => {
    if (chunk === null) {
      goOn()
      return push(chunk)
    }
    if (kept !== null) {
      kept.add(chunk)
      keptPieces += 1
      return false
    }
    const isMoreWanted = push(chunk, ...more)
    if (chunk.length >= smallBytes || !isTooMany()) return isMoreWanted
    kept = new JoinedBytes()
    setImmediate(() => {
      const waitMs = payMs(freePieces + keptPieces)
      keptPieces = 0
      if (kept !== null) timer = setTimeout(goOn, waitMs).unref()
    })
    return false
  }
  request._read = (size) => {
    if (kept !== null) wantedBytes = size
    else read(size)
  }
  // Who has gone leaves nothing behind until his turn would have come.
  request.once('close', goOn)
}
