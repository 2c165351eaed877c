// Answers on a bare socket what never became a request: broken or oversized headers, a missed deadline, CONNECT (C10, C25, C87, XT09).
// It always closes the connection afterwards, since nobody knows where the next request would begin.
import { randomBytes } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { makeId } from '@wds/contracts/ids'
import type { Logger } from '@wds/telemetry/logger'
import { strictTransportSecurity } from './headers.ts'
import type { HttpLimits } from './limits.ts'
import { Problem, toProblemDocument } from './problem.ts'

/** Longest request target in bytes (api-conventions.md 3). */
export const targetBytesMax = 8192

interface RawFaultOptions {
  baseUrl: string
  logger: Logger
  limits: Pick<HttpLimits, 'drainMs'>
}

/** Enough to read the answer. */
const readMs = 1_000

/** Takes over the server's events for what the parser refused. */
export function answerRawFaults(server: Server, o: RawFaultOptions): void {
  // The parser refuses each further packet of a broken request again: so it is dropped, while the client reads its answer.
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (refused.has(socket) && error.code !== 'ECONNRESET') return
    refused.add(socket)
    if (/^ERR_(?:SSL|TLS)_/.test(error.code ?? '')) {
      // Plain HTTP, no version in common, a client that does not trust our certificate and says so, or one that says nothing.
      o.logger.info({ reason: error.code }, 'TLS connection failed')
      socket.destroy()
    } else if (error.code === 'ECONNRESET') socket.destroy()
    else
      behindAnswers(socket, () => {
        if (!socket.writable || answerOn(socket)?.headersSent) socket.destroy()
        else writeProblem(socket, problemOf(error), o)
      })
  })
  server.on('connect', (_request, socket: Duplex) => {
    // A client may reset the connection instead of reading the answer.
    socket.on('error', () => socket.destroy())
    // A stop does not know this socket any more.
    const brief = { ...o, limits: { drainMs: 0 } }
    writeProblem(socket, new Problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } }), brief)
  })
}

/** The answer that is next on this socket. Once it has begun, a refusal would be read as its body. */
function answerOn(socket: Duplex): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}

/** Where whole requests came before the broken one, their answers go first: the refusal would be taken for one of them. */
function behindAnswers(socket: Duplex, refuse: () => void): void {
  const answer = answerOn(socket)
  if (answer?.req.complete) answer.once('close', () => behindAnswers(socket, refuse))
  else refuse()
}

function problemOf(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): Problem {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout')
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(isTargetTooLong(error.rawPacket) ? 'uri_too_long' : 'headers_too_large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large')
    default:
      return new Problem('invalid_request')
  }
}

/** The parser counts the target as a header; the packet tells which of them was long. */
function isTargetTooLong(packet: Buffer | undefined): boolean {
  const lineEnd = packet?.indexOf('\n') ?? -1
  return packet !== undefined && (lineEnd < 0 ? packet.length : lineEnd) > targetBytesMax
}

function writeProblem(socket: Duplex, problem: Problem, o: RawFaultOptions): void {
  const requestId = makeId('req', Date.now(), randomBytes(10))
  const body = JSON.stringify(toProblemDocument(problem, { baseUrl: o.baseUrl, requestId }))
  const headers: Record<string, string> = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': strictTransportSecurity,
    Vary: 'Accept, Authorization',
    Connection: 'close',
    ...problem.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`)
  o.logger.info(
    { request_id: requestId, status: problem.status, code: problem.code },
    'request refused before it was read',
  )
  // The peer may go on sending without end; one that was too slow gets a second to read the answer.
  const restMs = problem.status === 408 ? readMs : Math.max(readMs, o.limits.drainMs)
  const timer = setTimeout(() => socket.destroy(), restMs).unref()
  socket.once('close', () => clearTimeout(timer))
}
