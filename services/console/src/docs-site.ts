// The documentation under `/docs/` (docs.md), and its list for programs at the root as well, as packages/docs has built it: files that browsers
// may keep, each with its entity tag and its packed form. They are read from disk: most are looked at seldom. It calls nobody and reads no cookie.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { matchesWeakly, parseEntityTags } from '@wds/http-service/etag'
import { Problem } from '@wds/http-service/problem'
import { type Exchange, send, sendProblem } from '@wds/http-service/respond'
import { acceptsGzip } from './accepts-gzip.ts'

/** As `packages/docs/src/site/pack-files.ts` writes it. */
interface PackedFile {
  file: string
  type: string
  etag: string
  isPacked: boolean
  isImmutable: boolean
}

export interface DocsSite {
  /** True: the path is one of the documentation's, and is being answered. */
  answer(exchange: Exchange, path: string): boolean
}

const base = '/docs/'
/** Programs look for it at the root of an address (llmstxt.org). */
const listForPrograms = 'llms.txt'

/**
 * Of the pages: no script or style stands in them, and they load nothing from elsewhere. The search runs on WebAssembly, in a worker.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Redoc makes its styles while it runs, and has its icons in them. */
const apiPolicy = pagePolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("font-src 'self'", "font-src 'self' data:")
const isApiPage = (path: string) => path === '/docs/api/' || path === '/docs/event-log/'

/** `folder`: as the build prints it. It may come later, while `npm start` builds it for the first time. */
export function openDocs(folder: string): DocsSite {
  let files: ReadonlyMap<string, PackedFile> | null = null

  return {
    answer(exchange, path) {
      const own = path === `/${listForPrograms}` ? `${base}${listForPrograms}` : path
      if (own !== base.slice(0, -1) && !own.startsWith(base)) return false
      files ??= readList(folder)
      if (files === null) sendWait(exchange)
      else answerFrom(files, exchange, own)
      return true
    },
  }

  function answerFrom(known: ReadonlyMap<string, PackedFile>, exchange: Exchange, path: string): void {
    const found = known.get(path)
    if (found !== undefined) void sendFile(exchange, found, { status: 200, path })
    else if (known.has(`${path}/`)) redirect(exchange, `${path}/`)
    else {
      const missing = known.get(`${base}404.html`)
      if (missing === undefined) sendProblem(exchange, new Problem('not_found'))
      else void sendFile(exchange, missing, { status: 404, path })
    }
  }

  async function sendFile(exchange: Exchange, found: PackedFile, o: { status: number; path: string }): Promise<void> {
    const { request, response } = exchange
    const isPacked = found.isPacked && acceptsGzip(request)
    let content: Buffer
    try {
      content = await readFile(join(folder, 'files', isPacked ? `${found.file}.gz` : found.file))
    } catch {
      // A newer state has taken its place.
      sendProblem(exchange, new Problem('unavailable', { headers: { 'retry-after': '5' } }))
      return
    }
    response.setHeader('Content-Type', found.type)
    response.setHeader('Cache-Control', found.isImmutable ? 'public, max-age=31536000, immutable' : 'public, no-cache')
    // Of scripts, too: the worker of the search goes by that of its own file.
    response.setHeader('Content-Security-Policy', isApiPage(o.path) ? apiPolicy : pagePolicy)
    if (isPacked) response.setHeader('Content-Encoding', 'gzip')
    if (o.status === 200) response.setHeader('ETag', found.etag)
    if (o.status === 200 && hasAlready(request.headers['if-none-match'], found.etag)) send(exchange, 304, null)
    else send(exchange, o.status, content)
  }
}

/** Null while the folder is not there. */
function readList(folder: string): ReadonlyMap<string, PackedFile> | null {
  const list = join(folder, 'files.json')
  if (!existsSync(list)) return null
  return new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, PackedFile>))
}

/** Packed or not, it is the same page: the tag is that of what it holds. */
function hasAlready(header: string | undefined, etag: string): boolean {
  const tags = header === undefined ? null : parseEntityTags(header)
  return tags !== null && matchesWeakly(tags, etag)
}

function redirect(exchange: Exchange, location: string): void {
  exchange.response.setHeader('Location', location)
  exchange.response.setHeader('Cache-Control', 'public, max-age=300')
  send(exchange, 308, null)
}

/** For people, whose browser asks again by itself. */
function sendWait(exchange: Exchange): void {
  const { response } = exchange
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Security-Policy', pagePolicy)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Retry-After', '5')
  response.setHeader('Refresh', '5')
  const said =
    'The documentation is built after the first start, which takes about 20 seconds. This page opens by itself.'
  const title = 'Documentation · Workspace Data Service'
  send(
    exchange,
    503,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><main><h1>Not yet</h1><p>${said}</p></main></html>`,
  )
}
