/**
 * Gives the services one address (settled-points.md 32), the console among them: picks the service by the path and passes the request through. It listens as
 * they do, so that what they promise of connections, deadlines and refusals holds here too; it judges nothing that a service judges.
 */
import { Agent, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { cutAnswer, endAnswer } from '@wds/http-service/end-answer'
import { defaultLimits, type HttpLimits } from '@wds/http-service/limits'
import { createListener } from '@wds/http-service/listener'
import { Problem } from '@wds/http-service/problem'
import { openExchange, sendProblem } from '@wds/http-service/respond'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import type { Logger } from '@wds/telemetry/logger'

export type Upstream = ServiceName | 'console'
/** All of them, in the order of their ports. */
export const upstreams: readonly Upstream[] = [...serviceNames, 'console']

/** By which the router is told where a service listens. */
export type PortSetting = `WDS_${Uppercase<Upstream>}_PORT`
export const portSetting = (upstream: Upstream) => `WDS_${upstream.toUpperCase()}_PORT` as PortSetting

/**
 * Path prefixes that belong to one service, the first match counts; everything else is the console's (kubernetes.md 2). `npm run generate` makes
 * the routes of deploy/compose from it.
 */
export const owners: [prefix: string, upstream: Upstream][] = [
  ['/.well-known/oauth-protected-resource', 'api'],
  ['/.well-known', 'auth'],
  ['/oauth', 'auth'],
  ['/sign-in', 'auth'],
  ['/sign-out', 'auth'],
  ['/invitations', 'auth'],
  ['/password', 'auth'],
  ['/logos', 'auth'],
  ['/v1/workspace', 'auth'],
  ['/v1/oauth-apps', 'auth'],
  ['/v1/api-keys', 'auth'],
  ['/v1/connected-apps', 'auth'],
  ['/v1/members', 'auth'],
  ['/v1/account', 'auth'],
  ['/v1/session', 'auth'],
  ['/v1/event-types', 'catalog'],
  ['/v1/webhooks', 'delivery'],
  ['/v1/deliveries', 'delivery'],
  ['/v1/dead-letters', 'delivery'],
  ['/v1/replays', 'delivery'],
  ['/v1/events', 'delivery'],
  ['/v1', 'api'],
  ['/problems', 'api'],
  ['/healthz', 'api'],
]

/** The service that answers this target; a prefix counts only up to a segment's end. */
export function upstreamOf(target: string): Upstream {
  const path = target.split(/[?#]/, 1)[0] as string
  const owner = owners.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
  return owner?.[1] ?? 'console'
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

function headersOnward(request: IncomingMessage): string[] {
  const headers = passedOn(request.rawHeaders)
  headers.push('X-Forwarded-For', request.socket.remoteAddress ?? '', 'X-Forwarded-Proto', 'http')
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked')
  // What came without a body goes on without one: Node would announce chunks.
  else if (request.headers['content-length'] === undefined) headers.push('Content-Length', '0')
  return headers
}

export interface RouterOptions {
  baseUrl: string
  logger: Logger
  /** Asked for each request. */
  portOf(upstream: Upstream): number
  /** For tests. */
  limits?: Partial<HttpLimits>
}

/** A server that is not listening yet. */
export function createRouter(o: RouterOptions): Server {
  const limits = { ...defaultLimits, ...o.limits }
  // A service is given time for a whole upload, and then some for its own refusal.
  const timeout = limits.streamDeadlineMs + 10_000
  const agent = new Agent({ keepAlive: true })
  const server = createListener(pass, { baseUrl: o.baseUrl, logger: o.logger, limits })
  server.on('close', () => agent.destroy())
  return server

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '/' } = request
    const upstream = upstreamOf(url)
    const at = { agent, timeout, host: '127.0.0.1', port: o.portOf(upstream) }
    const onward = httpRequest({ ...at, method, path: url, headers: headersOnward(request) })
    onward.on('timeout', () => onward.destroy(new Error(`${upstream} does not answer`)))
    onward.on('response', async (answer) => {
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.rawHeaders))
      try {
        await pipeline(answer, response, { end: false })
      } catch {
        cutAnswer(response)
        return
      }
      // An early refusal: the service need not hear the rest.
      if (!onward.writableFinished) onward.destroy()
      endAnswer(request, response, { content: null, drainMs: limits.drainMs })
    })
    onward.on('error', (error) => {
      if (response.headersSent || response.destroyed) return
      const exchange = openExchange(request, response, { baseUrl: o.baseUrl, drainMs: limits.drainMs })
      o.logger.warn({ request_id: exchange.requestId, upstream, err: error }, 'upstream service did not answer')
      sendProblem(exchange, new Problem('unavailable', { headers: { 'retry-after': '1' } }))
    })
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy()
    })
    // With its head the service's deadlines begin, whenever the first byte of the body comes.
    onward.flushHeaders()
    request.pipe(onward)
  }
}
