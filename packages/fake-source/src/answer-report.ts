// Answers one request for a report: whole, as a page, or wrong in the way that the network was told.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Fault, unreachable } from './faults.ts'
import { type NetworkRow, networkRows } from './network.ts'
import type { NetworkState } from './network-state.ts'
import { type Dialect, dialects, encoded, headerLine, type Writing, writtenRow } from './reports.ts'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  report: string
}

/** Resolves when the answer is written or given up. */
export async function answerReport(state: NetworkState, exchange: Exchange): Promise<void> {
  const fault = takeFault(state)
  if (fault !== null && answerWithoutReport(state, exchange, fault)) return
  const dialect = dialects[exchange.report] as Dialect
  const days = daysOf(exchange.url, dialect)
  if (days === null) {
    exchange.response.writeHead(400, { 'content-type': 'text/plain' }).end('from and to are days')
    return
  }
  const page = pageOf(state, exchange, { dialect, days, fault })
  await sendPage(state, exchange, { dialect, page, fault })
}

function takeFault(state: NetworkState): Fault | null {
  const { fault } = state
  if (fault === null) return null
  const { after = 0 } = fault
  if (after > 0) {
    state.fault = { ...fault, after: after - 1 }
    return null
  }
  if (fault.times === undefined) return fault
  if (fault.times <= 0) return null
  state.fault = { ...fault, times: fault.times - 1 }
  return fault
}

const statusOf: Partial<Record<Fault['mode'], number>> = { error: 503, unauthorized: 401, forbidden: 403, gone: 410 }

/** Faults of which the rows are no part; true when the answer is given. */
function answerWithoutReport(state: NetworkState, { response }: Exchange, fault: Fault): boolean {
  const status = statusOf[fault.mode]
  if (status !== undefined) response.writeHead(status).end()
  else if (fault.mode === 'limited') {
    response.writeHead(429, { 'retry-after': String(fault.retryAfterSeconds ?? 1) }).end()
  } else if (fault.mode === 'redirect') response.writeHead(302, { location: fault.location ?? unreachable }).end()
  else if (fault.mode === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
  } else if (fault.mode === 'garbage') {
    const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 151 + 7) % 256))
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
  } else if (fault.mode === 'bomb') {
    bomb ??= gzipSync(Buffer.alloc(64 * 1_048_576, 'a,'))
    response.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip' }).end(bomb)
  } else if (fault.mode !== 'hang') return false
  // Nothing is said, until the client or the network leaves.
  if (fault.mode === 'hang') state.closing.signal.addEventListener('abort', () => response.destroy())
  return true
}

let bomb: Buffer | null = null

/** The days asked for, or null. */
function daysOf(url: URL, { dates }: Dialect): { from: string; to: string } | null {
  const day = (name: string): string | null => {
    const text = url.searchParams.get(name) ?? ''
    const iso = dates === 'DD/MM/YYYY' ? text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1') : text
    return /^\d{4}-\d\d-\d\d$/.test(iso) ? iso : null
  }
  const [from, to] = [day('from'), day('to')]
  return from === null || to === null ? null : { from, to }
}

/** A page as it is sent: the rows and the link to the next one. */
interface Page {
  rows: { row: NetworkRow; nth: number }[]
  number: number
  next: string | null
}

function pageOf(
  state: NetworkState,
  { request, url }: Exchange,
  o: { dialect: Dialect; days: { from: string; to: string }; fault: Fault | null },
): Page {
  const { fault, dialect } = o
  const asOfMs = state.asOfMs ?? Date.now()
  const all = fault?.mode === 'empty' ? [] : [...networkRows({ ...state.size, ...o.days, asOfMs })]
  const rows = all.map((row, at) => ({ row, nth: at + 1 }))
  if (dialect.next === 'none') return { rows, number: 1, next: null }
  const number = Math.max(1, Number(url.searchParams.get('page') ?? '1') || 1)
  // Each page read before this one has pushed the rows down by one.
  const shift = fault?.mode === 'drift' ? number - 1 : 0
  const from = (number - 1) * state.pageRows - shift
  const isEndless = fault?.mode === 'endless_pages'
  const here = isEndless ? rows.slice(0, state.pageRows) : rows.slice(Math.max(0, from), from + state.pageRows)
  const hasMore = isEndless || from + state.pageRows < rows.length
  return { rows: here, number, next: hasMore ? linkOf(request, url, { fault, number }) : null }
}

function linkOf(
  request: IncomingMessage,
  url: URL,
  { fault, number }: { fault: Fault | null; number: number },
): string {
  if (fault?.mode === 'foreign_next') return fault.location ?? unreachable
  const next = new URL(url)
  next.searchParams.set('page', String(fault?.mode === 'loop' ? number : number + 1))
  return `http://${request.headers.host}${next.pathname}${next.search}`
}

async function sendPage(
  state: NetworkState,
  { request, response, report }: Exchange,
  { dialect, page, fault }: { dialect: Dialect; page: Page; fault: Fault | null },
): Promise<void> {
  const writing: Writing = { wrongEach: wrongEach[fault?.mode ?? ''] ?? 0, isRenamed: fault?.mode === 'schema' }
  // What one network does on its pages by turns: plain, compressed, and in an encoding of the last century.
  const isOld = dialect.next === 'body' && page.number % 3 === 0
  const encoding = isOld ? 'windows-1252' : dialect.encoding
  const bytes = encoded(textOf(report, { dialect, page, writing }), encoding)
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const isPacked = takesGzip && (dialect.next === 'none' || page.number % 2 === 0) && fault === null
  const contentType = isOld ? `${dialect.contentType}; charset=windows-1252` : dialect.contentType
  response.setHeader('content-type', contentType)
  if (dialect.next === 'header' && page.next !== null) response.setHeader('link', `<${page.next}>; rel="next"`)
  if (isPacked) response.setHeader('content-encoding', 'gzip')
  await write(state, response, isPacked ? gzipSync(bytes) : bytes, fault)
}

const wrongEach: Record<string, number> = { wrong_rows: 10, mostly_wrong_rows: 2 }

function textOf(report: string, o: { dialect: Dialect; page: Page; writing: Writing }): string {
  const { dialect, page, writing } = o
  const rows = page.rows.map(({ row, nth }) => writtenRow(report, row, nth, writing))
  if (!dialect.isJson) return headerLine(report, writing) + rows.join('')
  if (dialect.contentType.includes('ndjson')) return rows.map((row) => `${row}\n`).join('')
  if (dialect.next === 'header') return `[${rows.join(',\n')}]`
  const paging = JSON.stringify({ page: page.number, next: page.next })
  return `{"report":{"currency":"EUR","rows":[${rows.join(',\n')}],"notes":["figures may change"]},"paging":${paging}}`
}

const piece = 1_024

/** There is room again, or nobody to write to. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

/** Writes a body as the fault has it. */
async function write(state: NetworkState, response: ServerResponse, bytes: Buffer, fault: Fault | null): Promise<void> {
  const put = async (part: Buffer): Promise<void> => {
    state.bodyBytes += part.length
    if (!response.write(part) && !response.destroyed) await drained(response)
  }
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  switch (fault?.mode) {
    case 'cut':
      response.setHeader('content-length', bytes.length)
      await put(half)
      return void response.destroy()
    case 'stall':
      await put(half)
      return void state.closing.signal.addEventListener('abort', () => response.destroy())
    case 'drip':
      for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
        await put(bytes.subarray(at, at + piece))
        await sleep(5)
      }
      return void response.end()
    case 'endless':
    case 'long_line': {
      await put(bytes)
      const more = Buffer.from(fault.mode === 'endless' ? 'x,y\n'.repeat(16_384) : 'x'.repeat(65_536))
      while (!response.destroyed) await put(more)
      return
    }
    default:
      await put(bytes)
      response.end()
  }
}
