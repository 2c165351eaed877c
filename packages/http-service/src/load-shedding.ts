// Refuses requests while the process works on as many as it can, before anything of them is judged: an answer that costs little, so that those
// that were let in still get theirs (reliability.md F60). Each caller keeps a share, so that one who floods shuts nobody out.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { httpMetrics } from '@wds/telemetry/platform-metrics'
import { Askers } from './caller.ts'
import { Counts } from './counts.ts'
import type { HttpLimits } from './limits.ts'
import { Problem } from './problem.ts'
import type { ReadOrigin } from './request-origin.ts'
import { openExchange, send, sendProblem } from './respond.ts'
import { WorkingLine, type WorkingLineOptions } from './working-line.ts'

export interface SheddingOptions extends WorkingLineOptions {
  baseUrl: string
  logger: Logger
  limits: Pick<HttpLimits, 'drainMs' | 'unreadBytesPerCaller' | 'unreadBytesMax'>
  /** Where a request comes from, behind listed proxies. */
  readOrigin: ReadOrigin
  /** Sets headers by which pages of other origins may read a refusal. True: a preflight, whose answer costs no more than a refusal. */
  setCors?(request: IncomingMessage, response: ServerResponse): boolean
}

const logEveryMs = 10_000

/** In front of what serves: refuses with 503 `unavailable`, or hands over. */
export function shedLoad(serve: RequestListener, o: SheddingOptions): RequestListener {
  const line = new WorkingLine(o)
  const unread = new UnreadAnswers(o.limits)
  const askers = new Askers(o.readOrigin)
  const throttle = new LogThrottle({ everyMs: logEveryMs })
  const overloaded = new Problem('unavailable', { headers: { 'retry-after': '1' } })
  return (request, response) => {
    const asker = askers.nameOf(request, response)
    if (unread.hasRoom(asker) && line.enter(asker, request, response)) {
      unread.watch(asker, request, response)
      return serve(request, response)
    }
    const exchange = openExchange(request, response, { baseUrl: o.baseUrl, drainMs: o.limits.drainMs })
    if (o.setCors?.(request, response)) return send(exchange, 204, null)
    sendProblem(exchange, overloaded)
    httpMetrics.requestDuration.record(0, { 'http.response.status_code': 503, 'error.type': 'unavailable' })
    throttle.wrong((requests) => {
      const fields = { requests, in_work: line.size, unread_bytes: unread.bytes }
      o.logger.warn(fields, 'requests refused: too many at a time')
    })
  }
}

/**
 * The answers that are handed over and not yet taken by their clients. They cost nothing but the memory that they stand in, which whoever
 * asks and never reads would fill. Most are taken at once, and never counted.
 */
class UnreadAnswers {
  readonly #counts = new Counts()
  readonly #limits: SheddingOptions['limits']

  constructor(limits: SheddingOptions['limits']) {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#counts.total
  }

  hasRoom(asker: string): boolean {
    const { unreadBytesPerCaller, unreadBytesMax } = this.#limits
    return this.#counts.of(asker) < unreadBytesPerCaller && this.#counts.hasRoom(asker, unreadBytesMax)
  }

  watch(asker: string, request: IncomingMessage, response: ServerResponse): void {
    response.once('prefinish', () => {
      const bytes = request.socket.writableLength
      if (bytes > 0) response.once('close', this.#counts.add(asker, bytes))
    })
  }
}
