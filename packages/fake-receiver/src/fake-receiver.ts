// A webhook receiver for tests, demos and benchmarks: it takes requests and, when told to, fails, hangs or is down.
// It listens on loopback unless told otherwise and is no part of a production system.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSecret } from '@wds/webhook-signature/secret'
import { createInbox, type Inbox, type ReceivedRequest } from './inbox.ts'
import { isReceiverMode, type ReceiverMode, receiverModes } from './modes.ts'

/** Options of `startFakeReceiver`. */
export interface FakeReceiverOptions {
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** `whsec_…`: each request is verified. Default null: none is. */
  secret?: string | null
  /** Default `ok`. */
  mode?: ReceiverMode
}

/** A receiver that listens. */
export interface FakeReceiver {
  /** `http://127.0.0.1:<port>`; every path but `/`, `/control`, `/received` and `/status/…` takes hooks. */
  url: string
  port: number
  /** What arrived, oldest first; at most 10,000. Requests in mode `down` do not arrive. */
  readonly received: readonly ReceivedRequest[]
  setMode(mode: ReceiverMode): void
  /** Switches verification on, or off with null. Throws `RangeError` for a text that is no secret. */
  setSecret(secret: string | null): void
  clear(): void
  /** Ends at once, requests under way included. */
  close(): Promise<void>
}

/** More than the largest event; a longer body is answered with 413. */
const bodyBytesMax = 1_048_576
const listedDefault = 100

interface State {
  mode: ReceiverMode
  secret: string | null
  inbox: Inbox
  hanging: Set<ServerResponse>
}

/** Starts a receiver; resolves when it listens, rejects when the port is taken. */
export async function startFakeReceiver(o: FakeReceiverOptions = {}): Promise<FakeReceiver> {
  const { host = '127.0.0.1', port = 0 } = o
  const state: State = { mode: o.mode ?? 'ok', secret: null, inbox: createInbox(), hanging: new Set() }
  setSecret(state, o.secret ?? null)
  const server = createServer((request, response) => {
    answer(state, request, response).catch(() => request.socket.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    get received() {
      return state.inbox.requests
    },
    setMode: (mode) => setMode(state, mode),
    setSecret: (secret) => setSecret(state, secret),
    clear: () => state.inbox.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function setMode(state: State, mode: ReceiverMode): void {
  state.mode = mode
  for (const response of state.hanging) response.destroy()
  state.hanging.clear()
}

function setSecret(state: State, secret: string | null): void {
  if (secret !== null && !isSecret(secret)) throw new RangeError('a secret is whsec_ and the base64 of 24 bytes')
  state.secret = secret
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(`http://receiver${request.url ?? '/'}`)
  if (url.pathname === '/') return send(response, 200, aboutPage(state), 'text/plain; charset=utf-8')
  if (url.pathname === '/received') return answerReceived(state, request, response, url)
  const status = /^\/status\/([2-5]\d\d)(?:\/|$)/.exec(url.pathname)?.[1]
  if (status !== undefined) {
    request.resume()
    return sendJson(response, Number(status), { status: Number(status) })
  }
  // A reset before the body is read, as from a machine where nothing listens.
  if (url.pathname !== '/control' && state.mode === 'down') {
    request.socket.resetAndDestroy()
    return
  }
  const body = await readBody(request)
  if (body === null) return sendJson(response, 413, { error: `a body has at most ${bodyBytesMax} bytes` })
  if (url.pathname === '/control') return answerControl(state, request, response, body)
  takeHook(state, request, response, body)
}

function takeHook(state: State, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { method = '', url: path = '', headers } = request
  const { verified } = state.inbox.add({ method, path, headers, body, secret: state.secret })
  // The mode may have changed while the body came.
  if (state.mode === 'down') request.socket.resetAndDestroy()
  else if (state.mode === 'fail') sendJson(response, 500, { error: 'told to fail' })
  else if (state.mode === 'hang') {
    state.hanging.add(response)
    response.once('close', () => state.hanging.delete(response))
  } else if (verified === false) sendJson(response, 401, { error: 'the signature does not hold' })
  else sendJson(response, 200, { received: true })
}

function answerReceived(state: State, request: IncomingMessage, response: ServerResponse, url: URL): void {
  request.resume()
  if (request.method === 'DELETE') {
    state.inbox.clear()
    response.writeHead(204).end()
    return
  }
  const limit = url.searchParams.get('limit') ?? String(listedDefault)
  const count = /^[0-9]{1,5}$/.test(limit) ? Number(limit) : null
  if (count === null) sendJson(response, 400, { error: 'limit is a number from 0 to 99999' })
  else sendJson(response, 200, count === 0 ? [] : state.inbox.requests.slice(-count).reverse())
}

function answerControl(state: State, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const fault = request.method === 'POST' ? applyControl(state, body) : null
  const { mode, secret, inbox } = state
  if (fault !== null) sendJson(response, 422, { error: fault })
  else sendJson(response, 200, { mode, verifies: secret !== null, received: inbox.requests.length })
}

/** All of it or nothing: both members are judged before one takes effect. */
function applyControl(state: State, body: Buffer): string | null {
  const wanted = parseObject(body)
  if (wanted === null) return 'the body is a JSON object with mode, secret or both'
  const { mode, secret } = wanted
  if (mode !== undefined && !isReceiverMode(mode)) return `mode is one of ${receiverModes.join(', ')}`
  if (secret !== undefined && secret !== null && (typeof secret !== 'string' || !isSecret(secret))) {
    return 'secret is whsec_ and the base64 of 24 bytes, or null'
  }
  if (secret !== undefined) setSecret(state, secret)
  if (mode !== undefined) setMode(state, mode)
  return null
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch {
    return null
  }
}

/** The whole body, or null when it is too long; the rest is then read and dropped. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  return bytes <= bodyBytesMax ? Buffer.concat(chunks) : null
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  send(response, status, JSON.stringify(value), 'application/json')
}

function send(response: ServerResponse, status: number, text: string, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff' }).end(text)
}

function aboutPage(state: State): string {
  return `A receiver of webhooks, for tests and demos.

  POST /hooks/...          any path takes webhooks and keeps the newest 10,000
  GET  /received?limit=    what arrived, newest first (JSON; 100 unless told); DELETE forgets it
  POST /status/500/...     answers with that status, whatever the mode is, and keeps nothing
  POST /control            {"mode": "ok" | "fail" | "hang" | "down"} and/or {"secret": "whsec_..." | null}

Mode now: ${state.mode}. Signatures are ${state.secret === null ? 'not verified: no secret is set' : 'verified'}.
`
}
