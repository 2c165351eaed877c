/** Gives the four services one `{base_url}` (decisions.md 32): picks the service by the path and passes the request through. */
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'

export type Upstream = 'auth' | 'api' | 'catalog' | 'delivery'

/** Path prefixes that belong to one service, the first match counts; everything else is api's (kubernetes.md 2). */
const owners: [prefix: string, upstream: Upstream][] = [
  ['/.well-known/oauth-protected-resource', 'api'],
  ['/.well-known', 'auth'],
  ['/oauth', 'auth'],
  ['/sign-in', 'auth'],
  ['/sign-out', 'auth'],
  ['/invitations', 'auth'],
  ['/logos', 'auth'],
  ['/v1/workspace', 'auth'],
  ['/v1/oauth-apps', 'auth'],
  ['/v1/api-keys', 'auth'],
  ['/v1/connected-apps', 'auth'],
  ['/v1/members', 'auth'],
  ['/v1/session', 'auth'],
  ['/v1/event-types', 'catalog'],
  ['/v1/webhooks', 'delivery'],
  ['/v1/deliveries', 'delivery'],
  ['/v1/dead-letters', 'delivery'],
  ['/v1/replays', 'delivery'],
  ['/v1/events', 'delivery'],
]

/** The service that answers this target; a prefix counts only up to a segment's end. */
export function upstreamOf(target: string): Upstream {
  const path = target.split(/[?#]/, 1)[0] as string
  const owner = owners.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
  return owner?.[1] ?? 'api'
}

/** Headers of one connection, which a proxy must not pass on (RFC 9110 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const mayHaveBody = new Set(['POST', 'PUT', 'PATCH'])

/** What only a proxy says. Nobody stands in front of this one, so what comes in is forged. */
const forwarding = /^(?:x-forwarded-|forwarded$|x-real-ip$)/

function passedOn(raw: string[]): string[] {
  const headers: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase()
    if (!hopByHop.has(name) && !forwarding.test(name)) headers.push(raw[i] as string, raw[i + 1] as string)
  }
  return headers
}

function unavailable(response: ServerResponse, baseUrl: string): void {
  if (response.headersSent) return void response.destroy()
  const body = {
    type: `${baseUrl}/problems/unavailable`,
    title: 'The service cannot answer now',
    status: 503,
    detail: 'Try again in a moment.',
    code: 'unavailable',
  }
  response.writeHead(503, {
    'content-type': 'application/problem+json',
    'retry-after': '1',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}

/** `portOf` is asked for each request. */
export function createRouter(o: { baseUrl: string; portOf(upstream: Upstream): number }): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const headers = passedOn(request.rawHeaders)
    headers.push('X-Forwarded-For', request.socket.remoteAddress ?? '', 'X-Forwarded-Proto', 'http')
    if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked')
    // What came without a body goes on without one: Node would announce chunks.
    else if (request.headers['content-length'] === undefined && mayHaveBody.has(request.method ?? '')) {
      headers.push('Content-Length', '0')
    }
    const onward = httpRequest({
      agent,
      host: '127.0.0.1',
      port: o.portOf(upstreamOf(request.url ?? '/')),
      method: request.method,
      path: request.url,
      headers,
    })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.rawHeaders))
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    onward.on('error', () => unavailable(response, o.baseUrl))
    request.on('error', () => onward.destroy())
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy()
    })
    request.pipe(onward)
  }
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 60_000 }, pass)
  server.on('close', () => agent.destroy())
  return server
}
