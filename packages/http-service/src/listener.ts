// Opens, bounds and closes a listening socket: Node's own parser, always strict, with the limits of C87 (XT09).

import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import type { Messages } from './express-messages.ts'
import type { HttpLimits } from './limits.ts'
import { answerRawFaults, targetBytesMax } from './raw-answer.ts'
import { createReadOrigin, type ReadOrigin } from './request-origin.ts'
import { resetConnection } from './reset-connection.ts'
import { paceSmallPieces } from './small-pieces.ts'
import { waitsForClient } from './waits-for-client.ts'

export interface ListenerOptions {
  baseUrl: string
  logger: Logger
  limits: HttpLimits
  /** Where a request comes from: from whoever is connected, unless told. */
  readOrigin?: ReadOrigin
  /** Node's own unless told. */
  messages?: Messages
  /** Serves TLS, with `renewCertificate` for another pair later; plain HTTP unless told. */
  certificate?: CertificatePair | undefined
}

/** A certificate with its chain, and its private key, in PEM. */
export interface CertificatePair {
  cert: string
  key: string
}

/** Requests of one connection that were sent before the first of them was answered: far more than any client does. */
export const requestsAheadMax = 32

const logEveryMs = 10_000

/** A server that is not listening yet. */
export function createListener(serve: RequestListener, o: ListenerOptions): Server {
  const { limits } = o
  const paced = paceSmallPieces(serve, o.readOrigin ?? createReadOrigin())
  const handler = boundAhead(boundReading(paced, o), o.logger)
  const options = {
    ...o.messages,
    // The parser counts the target with the headers; each has its own limit later.
    maxHeaderSize: limits.headerBytesMax + targetBytesMax,
    headersTimeout: limits.headersDeadlineMs,
    // Streams take longest; bodies held in memory have their own deadline in `receiveBody`.
    requestTimeout: Math.max(limits.streamDeadlineMs, limits.requestDeadlineMs) + 1_000,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: 65_000,
    insecureHTTPParser: false,
    // A missing Host is answered by the handler, as a problem document.
    requireHostHeader: false,
  }
  const server = o.certificate
    ? createTlsServer({ ...options, ...tlsOf(o.certificate), handshakeTimeout: limits.headersDeadlineMs }, handler)
    : createServer(options, handler)
  // Node cuts header lists silently after this many lines; the byte limit comes long before it.
  server.maxHeadersCount = 0
  server.on('checkExpectation', handler)
  boundConnections(server, o)
  cutUnread(server, o)
  answerRawFaults(server, o)
  return server
}

/** Whatever NODE_OPTIONS says of older versions (security.md 8). */
const tlsOf = (certificate: CertificatePair) => ({ ...certificate, minVersion: 'TLSv1.2' as const })

/** Connections from now on see this pair; those that are open go on. Throws for a pair that TLS cannot use, and where plain HTTP is served. */
export function renewCertificate(server: Server, certificate: CertificatePair): void {
  ;(server as TlsServer).setSecureContext(tlsOf(certificate))
}

/** Idle connections cost their sender nothing and this process memory: they make room for whoever asks for something. */
function boundConnections(server: Server, { limits, logger }: Pick<ListenerOptions, 'limits' | 'logger'>): void {
  server.maxConnections = limits.connectionsMax
  const throttle = new LogThrottle({ everyMs: logEveryMs })
  server.on('drop', () => {
    server.closeIdleConnections()
    const fields = { connections: limits.connectionsMax }
    throttle.wrong(() => logger.warn(fields, 'connection dropped: too many at a time'))
  })
}

/**
 * Nobody waits for ever for a client that has stopped reading: what it leaves unread stands in memory, here and where it came from. Node
 * tells of a connection on which nothing moves, also while a handler still works.
 */
function cutUnread(server: Server, { limits, logger }: Pick<ListenerOptions, 'limits' | 'logger'>): void {
  // Half of it: Node lets the first time-out behind a write pass.
  server.timeout = limits.unreadMs / 2
  server.on('timeout', (socket: Socket & { _httpMessage?: object | null }) => {
    const isIdle = !socket._httpMessage
    if (!isIdle && socket.writableLength === 0) return
    if (!isIdle) logger.info({ bytes: socket.writableLength }, 'connection ended: its answer was not read')
    // By a reset, as `cutAnswer` does.
    if (isIdle) socket.destroy()
    else resetConnection(socket)
  })
}

/** Who reads, and takes a byte at a time, is cut as well: what is written at once must be read within `unreadMs` and a time for its bytes. */
function boundReading(
  serve: RequestListener,
  { limits, logger }: Pick<ListenerOptions, 'limits' | 'logger'>,
): RequestListener {
  return (request, response) => {
    const { socket } = request
    const watch = () => {
      const bytes = socket.writableLength
      // One that was asked for behind another one has no socket yet: what is unread is the other's.
      if (bytes === 0 || response.socket === null) return
      const cut = () => {
        logger.info({ bytes }, 'connection ended: its answer was read too slowly')
        resetConnection(socket)
      }
      const timer = setTimeout(cut, limits.unreadMs + (bytes / limits.readBytesPerSecond) * 1_000)
      const stop = () => {
        clearTimeout(timer)
        response.off('drain', stop).off('close', stop)
      }
      response.once('drain', stop).once('close', stop)
    }
    response.on(waitsForClient, watch).once('prefinish', watch)
    serve(request, response)
  }
}

/** Node hands over at once whatever one connection sent ahead, tens of thousands in 1 MB: the connection is ended instead. */
function boundAhead(serve: RequestListener, logger: Logger): RequestListener {
  const ahead = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    const before = ahead.get(socket) ?? 0
    if (before >= requestsAheadMax) {
      if (!socket.destroyed)
        logger.info({ requests: before }, 'connection ended: too many requests ahead of their answers')
      socket.destroy()
      return
    }
    ahead.set(socket, before + 1)
    response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1))
    serve(request, response)
  }
}

/** Resolves with the port. Rejects with one sentence when the address cannot be had. */
export function listen(server: Server, at: { host: string; port: number }): Promise<number> {
  return new Promise((settle, fail) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is taken' : (error.code ?? 'it failed')
      fail(new Error(`Cannot listen on ${at.host}:${at.port}: ${reason}.`, { cause: error }))
    }
    server.once('error', refuse)
    server.listen(at.port, at.host, () => {
      server.off('error', refuse)
      settle((server.address() as AddressInfo).port)
    })
  })
}

/** Takes no new connections, lets requests end for `graceMs`, then cuts what is left. */
export async function closeListener(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((settle) => server.close(() => settle()))
  server.closeIdleConnections()
  // A connection kept alive becomes idle when its last request ends, which Node does not look at again.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(timer)
}
