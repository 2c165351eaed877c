// Writes an answer or a problem to the socket: caching (C43), conditional answers (C40), content type and length. It decides no status of its own but 304.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { makeId } from '@wds/contracts/ids'
import { pooledBytes } from '@wds/telemetry/trace-context'
import { answerContent } from './answer-content.ts'
import { endAnswer } from './end-answer.ts'
import { etagOf, matchesWeakly, parseEntityTags } from './etag.ts'
import { clientRequestId, createSecurityHeaders } from './headers.ts'
import { defaultLimits } from './limits.ts'
import type { Parts } from './operation.ts'
import { type Problem, toProblemDocument } from './problem.ts'
import type { ApiAnswer } from './route.ts'
import { waitsForClient } from './waits-for-client.ts'

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  baseUrl: string
  /** The client's own request id, when it is well formed (C84). */
  clientRequestId: string | null
  /** True once a token was accepted. */
  authenticated: boolean
  /** How long the rest of a request is read and dropped after its answer. */
  drainMs: number
  /** The answer is on its way, though its request has not ended; a client may go then. */
  isSent: boolean
  /** Called before a 304 is sent: it uses no quota (C40, C62). */
  onUnchanged?: () => void
}

/** First of all: the request id and the other headers that every answer has. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  o: { baseUrl: string; drainMs?: number },
): Exchange {
  const requestId = makeId('req', Date.now(), pooledBytes(10))
  const own = clientRequestId(request)
  response.setHeader('X-Request-Id', requestId)
  if (own !== null) response.setHeader('X-Client-Request-Id', own)
  response.setHeader('Vary', 'Accept, Authorization')
  setSecurityHeaders(response)
  const { baseUrl, drainMs = defaultLimits.drainMs } = o
  return { request, response, requestId, baseUrl, clientRequestId: own, authenticated: false, drainMs, isSent: false }
}

const setSecurityHeaders = createSecurityHeaders()

const cacheControl = { private: 'private, no-cache', 'no-store': 'no-store', public: 'public, max-age=300' } as const

/** Sends a handler's answer. Not to be called after headers were sent. */
export function sendAnswer(exchange: Exchange, answer: ApiAnswer): void {
  if (sendUnchanged(exchange, answer)) return
  const { response } = exchange
  if (!response.hasHeader('content-type')) response.setHeader('Content-Type', 'application/json; charset=utf-8')
  send(exchange, answer.status, answerContent(answer))
}

/**
 * Sends a handler's answer part by part, as fast as the client takes them; none where the client wants none (`wantsContent`). Rejects where
 * a part cannot be read. If that is the first one, nothing was sent; else the answer has begun, so the connection must be cut, and the
 * client sees by the length or the missing last chunk that a rest is missing.
 */
export async function sendParts(exchange: Exchange, answer: ApiAnswer & { parts: Parts }): Promise<void> {
  const { parts } = answer
  const { response } = exchange
  const reading = wantsContent(exchange, answer) ? parts.read()[Symbol.asyncIterator]() : null
  try {
    let part = await reading?.next()
    if (sendUnchanged(exchange, answer)) return
    if (parts.length !== null) response.setHeader('Content-Length', parts.length)
    response.writeHead(answer.status)
    for (; part && !part.done; part = await reading?.next()) {
      if (response.destroyed) return
      if (!response.write(part.value)) await untilTaken(response)
    }
    response.end()
  } finally {
    await reading?.return?.()
  }
}

/** Whether the client is sent more than the head of the answer: not for HEAD, nor where it has the content already. */
export function wantsContent({ request }: Pick<Exchange, 'request'>, answer: ApiAnswer): boolean {
  return request.method !== 'HEAD' && !isUnchanged(request, answer)
}

/** Until the client has taken what was written, or is gone. */
function untilTaken(response: ServerResponse): Promise<void> {
  return new Promise((settle) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      settle()
    }
    response.once('drain', done).once('close', done)
    response.emit(waitsForClient)
  })
}

/** Sets the headers of an answer. True: the client has it already, and was told so. */
function sendUnchanged(exchange: Exchange, answer: ApiAnswer): boolean {
  const { request, response } = exchange
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.location !== undefined) response.setHeader('Location', answer.location)
  const etag = tagOf(answer)
  if (etag !== undefined) response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', cacheControl[answer.holdsSecret ? 'no-store' : (answer.cache ?? 'private')])
  if (!isUnchanged(request, answer)) return false
  exchange.onUnchanged?.()
  send(exchange, 304, null)
  return true
}

/** Sends a problem document (C10). */
export function sendProblem(exchange: Exchange, problem: Problem): void {
  const { response } = exchange
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value)
  response.setHeader('Cache-Control', exchange.authenticated ? cacheControl.private : cacheControl['no-store'])
  response.setHeader('Content-Type', 'application/problem+json')
  send(exchange, problem.status, JSON.stringify(toProblemDocument(problem, exchange)))
}

/** Sends a text in UTF-8, or bytes, whose headers are set, in ASCII; none with 204, 304 and HEAD. */
export function send(exchange: Exchange, status: number, content: string | Uint8Array | null): void {
  const { request, response, drainMs } = exchange
  if (content === null) response.removeHeader('Content-Type')
  else response.setHeader('Content-Length', Buffer.byteLength(content))
  if (content === null && status !== 204 && status !== 304) response.setHeader('Content-Length', 0)
  response.writeHead(status)
  const onSent = () => {
    exchange.isSent = true
  }
  endAnswer(request, response, { content: request.method === 'HEAD' ? null : content, drainMs, onSent })
}

function isUnchanged(request: IncomingMessage, answer: ApiAnswer): boolean {
  const header = request.headers['if-none-match']
  const etag = tagOf(answer)
  if (header === undefined || etag === undefined || answer.status !== 200 || answer.isLive) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const tags = parseEntityTags(header)
  return tags !== null && matchesWeakly(tags, etag)
}

function tagOf({ headers, version }: ApiAnswer): string | undefined {
  return headers?.etag ?? (version === undefined ? undefined : etagOf(version))
}
