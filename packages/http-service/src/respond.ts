// Writes an answer or a problem to the socket: caching (C43), conditional answers (C40), content type and length. It decides no status of its own but 304.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerBytes } from './answer-bytes.ts'
import { etagOf, matchesWeakly, parseEntityTags } from './etag.ts'
import { type Problem, toProblemDocument } from './problem.ts'
import type { ApiAnswer } from './route.ts'

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  baseUrl: string
  /** True once a token was accepted. */
  authenticated: boolean
}

const cacheControl = { private: 'private, no-cache', 'no-store': 'no-store', public: 'public, max-age=300' } as const

/** Sends a handler's answer. Not to be called after headers were sent. */
export function sendAnswer(exchange: Exchange, answer: ApiAnswer): void {
  const { request, response } = exchange
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.location !== undefined) response.setHeader('Location', answer.location)
  if (answer.version !== undefined && answer.headers?.etag === undefined)
    response.setHeader('ETag', etagOf(answer.version))
  response.setHeader('Cache-Control', cacheControl[answer.holdsSecret ? 'no-store' : (answer.cache ?? 'private')])
  if (isUnchanged(request, response, answer)) {
    send(exchange, 304, null)
    return
  }
  if (!response.hasHeader('content-type')) response.setHeader('Content-Type', 'application/json; charset=utf-8')
  send(exchange, answer.status, answerBytes(answer))
}

/** Sends a problem document (C10). */
export function sendProblem(exchange: Exchange, problem: Problem): void {
  const { response } = exchange
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value)
  response.setHeader('Cache-Control', exchange.authenticated ? cacheControl.private : cacheControl['no-store'])
  response.setHeader('Content-Type', 'application/problem+json')
  const document = toProblemDocument(problem, exchange)
  send(exchange, problem.status, Buffer.from(JSON.stringify(document), 'utf8'))
}

/** Sends bytes whose headers are set; none with 204, 304 and HEAD. */
export function send({ request, response }: Exchange, status: number, bytes: Uint8Array | null): void {
  if (bytes === null) response.removeHeader('Content-Type')
  else response.setHeader('Content-Length', bytes.length)
  if (bytes === null && status !== 204 && status !== 304) response.setHeader('Content-Length', 0)
  response.writeHead(status)
  if (bytes === null || request.method === 'HEAD') response.end()
  else response.end(bytes)
}

function isUnchanged(request: IncomingMessage, response: ServerResponse, answer: ApiAnswer): boolean {
  const header = request.headers['if-none-match']
  const etag = response.getHeader('etag')
  if (header === undefined || typeof etag !== 'string' || answer.status !== 200) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const tags = parseEntityTags(header)
  return tags !== null && matchesWeakly(tags, etag)
}
