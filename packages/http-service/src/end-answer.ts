// Ends an answer whose request may still be on its way, or cuts one. Who is refused early gets to read why: a connection that is closed
// while its client sends is reset, and the answer that was on the way is lost with it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasContent } from './body.ts'
import { resetConnection } from './reset-connection.ts'
import { waitsForClient } from './waits-for-client.ts'

// A client that was too slow is not waited for again; a second is enough for it to read the answer.
const tooSlowDrainMs = 1_000

/**
 * Sends what is left of an answer, then reads and drops the rest of the request, and ends only then. The head must say where the answer
 * ends (its length): a client that sends all before it reads has it at once. What still comes after `drainMs` is cut. `onSent`: the
 * content is on its way while the request is still read.
 */
export function endAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  o: { content: string | Uint8Array | null; drainMs: number; onSent?: () => void },
): void {
  const { content } = o
  if (request.complete || !hasContent(request)) {
    if (content === null) response.end()
    else response.end(content)
    return
  }
  // It is no work any more: only its client is waited for.
  response.emit(waitsForClient)
  if (content === null) response.flushHeaders()
  else response.write(content, (fault) => !fault && o.onSent?.())
  // A reader that has stopped would hold the rest up.
  request.unpipe().resume()
  const stop = () => {
    clearTimeout(timer)
    request.off('end', end).off('close', end)
  }
  const end = () => {
    stop()
    response.end()
  }
  const cut = () => {
    stop()
    response.end(() => request.socket.destroy())
  }
  const timer = setTimeout(cut, response.statusCode === 408 ? Math.min(o.drainMs, tooSlowDrainMs) : o.drainMs)
  request.once('end', end).once('close', end)
}

/** Cuts an answer that has begun. By a reset: where it has no length, nothing else tells a client of HTTP/1.0 that this is not its end. */
export function cutAnswer(response: ServerResponse): void {
  if (response.socket) resetConnection(response.socket)
  response.destroy()
}
