// An affiliate network for tests, demos and benchmarks: reports behind four kinds of authentication, and faults when told to.
// It listens on loopback unless told otherwise and is no part of a production system.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerReport } from './answer-report.ts'
import { type Fault, faultModes, faultOfFault } from './faults.ts'
import type { NetworkSize } from './network.ts'
import type { NetworkState, ReportRequest } from './network-state.ts'
import { dialects } from './reports.ts'

/** Options of `startFakeSource`. */
export interface FakeSourceOptions extends Partial<NetworkSize> {
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** Epoch milliseconds that the network believes in; default: the machine's clock. */
  asOfMs?: number
  /** Rows of a page where a report has pages; default 50. */
  pageRows?: number
  /** Requests that are answered in each window; default: all. */
  limit?: { requests: number; windowMs: number } | undefined
}

/** A network that listens. */
export interface FakeSource {
  /** `http://127.0.0.1:<port>` */
  url: string
  port: number
  /** The newest 1,000, oldest first. */
  readonly requests: readonly ReportRequest[]
  /** What the rows come from, for a second opinion on what was read. */
  readonly size: NetworkSize
  /** Bytes of bodies that were written since the start. */
  readonly bodyBytes: number
  setFault(fault: Fault | null): void
  /** Lets the network believe in another instant; null: in the machine's clock. */
  setAsOf(asOfMs: number | null): void
  /** Ends at once, requests under way included. */
  close(): Promise<void>
}

/** What opens each kind of door. They are no secrets. */
export const credentials = {
  token: 'fake-source-token',
  username: 'affiliate',
  password: 'fake-source-password',
  header: { name: 'X-Api-Key', value: 'fake-source-key' },
} as const

const requestsKept = 1_000
const controlBytesMax = 16_384

/** Starts a network; resolves when it listens, rejects when the port is taken. */
export async function startFakeSource(o: FakeSourceOptions = {}): Promise<FakeSource> {
  const { host = '127.0.0.1', port = 0 } = o
  const state: NetworkState = {
    size: {
      seed: o.seed ?? 1,
      campaigns: o.campaigns ?? 6,
      countries: o.countries ?? 3,
      hasWrongRows: o.hasWrongRows ?? false,
    },
    pageRows: o.pageRows ?? 50,
    fault: null,
    asOfMs: o.asOfMs ?? null,
    requests: [],
    bodyBytes: 0,
    limit: o.limit ?? null,
    window: { sinceMs: Number.NEGATIVE_INFINITY, requests: 0 },
    closing: new AbortController(),
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    answer(state, request, response).catch(() => request.socket.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    size: state.size,
    get requests() {
      return state.requests
    },
    get bodyBytes() {
      return state.bodyBytes
    },
    setFault: (fault) => {
      state.fault = fault
    },
    setAsOf: (asOfMs) => {
      state.asOfMs = asOfMs
    },
    close: () =>
      new Promise((resolve) => {
        state.closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(state: NetworkState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(`http://source${request.url ?? '/'}`)
  if (url.pathname === '/') return send(response, 200, aboutPage(state), 'text/plain; charset=utf-8')
  if (url.pathname === '/control') return answerControl(state, request, response)
  const [, door = '', report = ''] = url.pathname.split('/')
  if (request.method !== 'GET' || dialects[report] === undefined || !doors.includes(door)) {
    return send(response, 404, 'no such report', 'text/plain')
  }
  const seen: ReportRequest = { target: request.url ?? '', headers: request.headers, status: 0 }
  state.requests.push(seen)
  if (state.requests.length > requestsKept) state.requests.shift()
  response.on('close', () => {
    seen.status = response.headersSent ? response.statusCode : 0
  })
  if (!isLetIn(door, request)) return send(response, 401, 'who are you?', 'text/plain')
  if (isOverLimit(state)) {
    response.setHeader('retry-after', String(secondsLeft(state)))
    return send(response, 429, 'slow down', 'text/plain')
  }
  await answerReport(state, { request, response, url, report })
}

const doors = ['open', 'bearer', 'basic', 'header']

function isLetIn(door: string, { headers }: IncomingMessage): boolean {
  const { token, username, password, header } = credentials
  if (door === 'bearer') return headers.authorization === `Bearer ${token}`
  if (door === 'basic') {
    return headers.authorization === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
  return door === 'open' || headers[header.name.toLowerCase()] === header.value
}

function isOverLimit({ limit, window }: NetworkState): boolean {
  if (limit === null) return false
  if (performance.now() - window.sinceMs >= limit.windowMs) {
    window.sinceMs = performance.now()
    window.requests = 0
  }
  window.requests += 1
  return window.requests > limit.requests
}

function secondsLeft({ limit, window }: NetworkState): number {
  return Math.max(1, Math.ceil((window.sinceMs + (limit?.windowMs ?? 0) - performance.now()) / 1_000))
}

async function answerControl(state: NetworkState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = request.method === 'POST' ? applyControl(state, await readText(request)) : null
  const { fault, asOfMs, requests } = state
  const body = refusal === null ? { fault, as_of: asOf(asOfMs), requests: requests.length } : { error: refusal }
  send(response, refusal === null ? 200 : 422, JSON.stringify(body), 'application/json')
}

const asOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** All of it or nothing. */
function applyControl(state: NetworkState, text: string): string | null {
  const wanted = parseObject(text)
  if (wanted === null) return 'the body is a JSON object with fault, as_of or both'
  const { fault, as_of: at } = wanted
  const faulty = fault === undefined || fault === null ? null : faultOfFault(fault)
  if (faulty !== null) return faulty
  if (at !== undefined && at !== null && Number.isNaN(Date.parse(String(at)))) return 'as_of is an instant or null'
  if (fault !== undefined) state.fault = fault as Fault | null
  if (at !== undefined) state.asOfMs = at === null ? null : Date.parse(String(at))
  return null
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch {
    return null
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (text.length < controlBytesMax) text += chunk.toString()
  }
  return text
}

function send(response: ServerResponse, status: number, text: string, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff' }).end(text)
}

function aboutPage({ fault }: NetworkState): string {
  return `An affiliate network, for tests and demos.

  GET  /{door}/{report}?from=&to=   door: ${doors.join(', ')}; report: ${Object.keys(dialects).join(', ')}
  POST /control                     {"fault": {"mode": …, "times": …} | null} and/or {"as_of": "2026-01-31T12:00:00Z" | null}

Faults: ${Object.keys(faultModes).join(', ')}.
Fault now: ${fault?.mode ?? 'none'}.
`
}
