// The built files in memory, and how a request for one is answered (ui.md 1, 7). It calls nobody and reads no cookie.
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { extname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Problem } from '@wds/http-service/problem'
import { type Exchange, openExchange, send, sendProblem } from '@wds/http-service/respond'
import { acceptsGzip } from './accepts-gzip.ts'
import type { DocsSite } from './docs-site.ts'
import { isConsolePath } from './view-models/console-paths.ts'

interface StaticFile {
  type: string
  body: Buffer
  /** Null where packing wins nothing. */
  gzip: Buffer | null
}

export interface Site {
  /** The document with `__NONCE__` and `__BASE_URL__` in it. */
  document: string
  /** By path on the server. */
  assets: ReadonlyMap<string, StaticFile>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @throws Error when the folder holds no build, or a file of an unknown kind. */
export function readSite(folder: string): Site {
  const assets = globSync('assets/**/*.*', { cwd: folder }).map((path): [string, StaticFile] => {
    const type = types[extname(path)]
    if (type === undefined) throw new Error(`${path} is of no kind that the console serves`)
    const body = readFileSync(join(folder, path))
    const packed = gzipSync(body, { level: 9 })
    return [`/${path.split(sep).join('/')}`, { type, body, gzip: packed.length < body.length ? packed : null }]
  })
  return { document: readFileSync(join(folder, 'index.html'), 'utf8'), assets: new Map(assets) }
}

/** Answers pages, assets, the documentation and `/healthz`; everything else is 404. `baseUrl`: of the REST API, which the pages call. */
export function serveSite(site: Site, docs: DocsSite, o: { baseUrl: string }): RequestListener {
  const apiOrigin = new URL(o.baseUrl).origin
  const document = site.document.replaceAll('__BASE_URL__', escapeAttribute(o.baseUrl))
  return (request, response) => {
    const exchange = openExchange(request, response, o)
    response.setHeader('Vary', 'Accept-Encoding')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendProblem(exchange, new Problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } }))
      return
    }
    const path = (request.url ?? '/').split(/[?#]/, 1)[0] as string
    const asset = site.assets.get(path)
    if (asset !== undefined) sendAsset(exchange, asset)
    else if (docs.answer(exchange, path)) return
    else if (path === '/healthz') sendText(exchange, 'application/json; charset=utf-8', '{"status":"ok"}')
    else if (isConsolePath(path)) sendDocument(exchange, document, apiOrigin)
    else sendProblem(exchange, new Problem('not_found'))
  }
}

function sendAsset(exchange: Exchange, { type, body, gzip }: StaticFile): void {
  const { request, response } = exchange
  response.setHeader('Content-Type', type)
  // The name holds a digest of the content.
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  const isPacked = gzip !== null && acceptsGzip(request)
  if (isPacked) response.setHeader('Content-Encoding', 'gzip')
  send(exchange, 200, isPacked ? gzip : body)
}

function sendDocument(exchange: Exchange, document: string, apiOrigin: string): void {
  const nonce = randomBytes(18).toString('base64')
  exchange.response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, apiOrigin))
  sendText(exchange, 'text/html; charset=utf-8', document.replaceAll('__NONCE__', nonce))
}

function sendText(exchange: Exchange, type: string, text: string): void {
  exchange.response.setHeader('Content-Type', type)
  exchange.response.setHeader('Cache-Control', 'no-store')
  send(exchange, 200, text)
}

/** Of ui.md 7. */
function contentSecurityPolicy(nonce: string, apiOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${apiOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
