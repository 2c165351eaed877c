// Refuses what Node's parser lets through but no route should see (RFC 9112 3.2).
import type { IncomingMessage } from 'node:http'
import { linesOf } from './headers.ts'
import type { HttpLimits } from './limits.ts'
import { Problem } from './problem.ts'
import { targetBytesMax } from './raw-answer.ts'

/** Throws a Problem where the target, its host or an expectation is not one to be served, or the headers are too large. */
export function judgeTarget(request: IncomingMessage, limits: HttpLimits): void {
  if ((request.url ?? '').length > targetBytesMax) throw new Problem('uri_too_long')
  const bytes = request.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)
  if (bytes > limits.headerBytesMax) throw new Problem('headers_too_large')
  const hosts = linesOf(request, 'host')
  const hostless = request.httpVersion === '1.0' && hosts.length === 0
  const expects = request.headers.expect
  const understood = expects === undefined || expects.toLowerCase() === '100-continue'
  if ((hosts.length !== 1 && !hostless) || !understood || !request.url?.startsWith('/')) {
    throw new Problem('invalid_request', { headers: { connection: 'close' } })
  }
}
