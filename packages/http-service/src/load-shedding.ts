// Refuses requests while the process works on as many as it can, before anything of them is judged: an answer that costs little, so that those
// that were let in still get theirs (reliability.md F60). Each caller keeps a share, so that one who floods shuts nobody out.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from '@wds/telemetry/logger'
import { httpMetrics } from '@wds/telemetry/platform-metrics'
import { Counts } from './counts.ts'
import { Problem } from './problem.ts'
import { openExchange, sendProblem } from './respond.ts'
import { WorkingLine, type WorkingLineOptions } from './working-line.ts'

export interface SheddingOptions extends WorkingLineOptions {
  baseUrl: string
  logger: Logger
  limits: { drainMs: number }
}

const logEveryMs = 10_000

/** In front of what serves: refuses with 503 `unavailable`, or hands over. */
export function shedLoad(serve: RequestListener, o: SheddingOptions): RequestListener {
  const line = new WorkingLine(o)
  const unread = new UnreadAnswers()
  const refusals = { count: 0, loggedMs: Number.NEGATIVE_INFINITY }
  const overloaded = new Problem('unavailable', { headers: { 'retry-after': '1' } })
  return (request, response) => {
    if (unread.hasRoom(request) && line.enter(request, response)) {
      unread.watch(request, response)
      return serve(request, response)
    }
    sendProblem(openExchange(request, response, { baseUrl: o.baseUrl, drainMs: o.limits.drainMs }), overloaded)
    httpMetrics.requestDuration.record(0, { 'http.response.status_code': 503, 'error.type': 'unavailable' })
    refusals.count += 1
    const nowMs = performance.now()
    if (nowMs - refusals.loggedMs < logEveryMs) return
    const fields = { requests: refusals.count, in_work: line.size, unread: unread.size }
    o.logger.warn(fields, 'requests refused: too many at a time')
    refusals.count = 0
    refusals.loggedMs = nowMs
  }
}

/** Answers of one caller that wait in memory until they are read. */
export const unreadPerCaller = 32
/** Of all; a caller below his share of them is let in up to twice as many. */
const unreadMax = 256

/**
 * The answers that are handed over and not yet taken by their clients. They cost nothing but the memory that they stand in, which whoever
 * asks and never reads would fill. Most are taken at once, and never counted.
 */
class UnreadAnswers {
  readonly #counts = new Counts()

  get size(): number {
    return this.#counts.total
  }

  hasRoom(request: IncomingMessage): boolean {
    if (this.#counts.total === 0) return true
    const reader = readerOf(request)
    return this.#counts.of(reader) < unreadPerCaller && this.#counts.hasRoom(reader, unreadMax)
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    response.once('prefinish', () => {
      if (request.socket.writableLength > 0) response.once('close', this.#counts.add(readerOf(request)))
    })
  }
}

/** Of those without a token one address: who shares it with one who does not read, behind a proxy that reads everything, is nobody. */
function readerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? ''
}
