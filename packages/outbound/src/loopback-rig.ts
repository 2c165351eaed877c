// For tests: servers on loopback, a client with the loopback policy, scripted answers of DNS. It never stands in a running service.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type OutboundPolicy, strictPolicy } from './address-rule.ts'
import {
  createGuardedClient,
  type GuardedClient,
  type GuardedClientOptions,
  type OutboundRequest,
} from './guarded-client.ts'
import type { Resolution, Resolver } from './resolver.ts'

const loopback: OutboundPolicy = { ...strictPolicy, allow: 'loopback' }
const closers: (() => Promise<void> | void)[] = []

/** Closes all that was opened since the last call, newest first. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

/** Closes with the rest. */
export function onClose(close: () => Promise<void> | void): void {
  closers.push(close)
}

/** Listens and closes with the rest; returns the port. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  closers.push(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
  return (server.address() as AddressInfo).port
}

/** An HTTP server that answers once the request has been read. */
export const http = (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> =>
  listen(
    createHttpServer((request, response) => {
      request.resume()
      request.on('end', () => handle(request, response))
    }),
  )

/** A TCP server that sees raw bytes. */
export const raw = (handle: (socket: Socket, data: Buffer) => void): Promise<number> =>
  listen(createServer((socket) => socket.on('data', (data) => handle(socket, data))))

/** A client that closes with the rest. */
export function client(options: Partial<GuardedClientOptions> = {}): GuardedClient {
  const made = createGuardedClient({ policy: loopback, ...options })
  closers.push(() => made.close())
  return made
}

/** A request with defaults. */
export const requestTo = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  workspaceId: 'wsp_1',
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"id":"evt_1"}'),
  deadlineMs: 60_000,
  bodyBytesMax: 65_536,
  excerptBytes: 1_024,
  ...more,
})

/** A resolver with fixed answers; other names do not exist. */
export const fixed = (answers: Record<string, Resolution>): Resolver => ({
  resolve: async (name) => answers[name] ?? { ok: false, fault: 'not_found' },
})
/** An answer of DNS. */
export const at = (...addresses: string[]): Resolution => ({ ok: true, addresses })
