// Fetches the pages of a feed one after the other, within the bounds of domain.md 4.2. Each page is taken whole before it is read, so that the
// time that the database takes is never counted against the source; no more than one page is held.
import { Readable } from 'node:stream'
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import { JoinedBytes } from '@wds/http-service/joined-bytes'
import { type FeedAnswer, type FeedClient, FeedFault } from '@wds/outbound/feed-client'
import { Turn } from '@wds/pacing/turn'
import { waitingFor } from '@wds/telemetry/progress'
import { boundedGunzip, GunzipFault } from './bounded-gunzip.ts'
import { credentialHeaders, type FeedCredentials, type FeedSettings } from './domain/feed-settings.ts'
import { feedUrl, followedLink, nextOfLinkHeader } from './domain/feed-url.ts'
import type { FeedLimits } from './domain/ingest-limits.ts'
import { SourceFailure } from './source.ts'

/** What is asked of a source. */
export interface FeedOrder {
  client: FeedClient
  signal: AbortSignal
  workspaceId: string
  settings: FeedSettings
  credentials: FeedCredentials | null
  window: { from: string; to: string }
  zone: string
  limits: FeedLimits
}

/** One page. Its bytes are read to the end before the next one is asked for. */
export interface FeedPage {
  /** Media type in lower case; null without one. */
  mediaType: string | null
  bytes: AsyncIterable<Buffer>
  /** The link that a reader found in the body; null for none. Left alone where links stand in headers. */
  linkInBody: string | null
}

/** The pages in their order. Throws SourceFailure. */
export async function* feedPages(o: FeedOrder): AsyncGenerator<FeedPage> {
  const { settings, window, zone } = o
  const format = settings.date_param_format ?? 'YYYY-MM-DD'
  const budget = { endsMs: performance.now() + o.limits.attemptMs, bytesLeft: o.limits.attemptBytesMax }
  const seen = new Set<string>()
  let url: string | null = new URL(feedUrl({ template: settings.url, format, window, zone })).href
  while (url !== null) {
    if (seen.size >= o.limits.pagesMax) throw new SourceFailure('feed_too_large')
    seen.add(url)
    const asked = url
    const { answer, body } = await waitingFor(() => taken(o, asked, budget))
    if (body !== null) {
      const page: FeedPage = {
        mediaType: mediaTypeOf(answer),
        bytes: unpacked(o, { answer, body, budget }),
        linkInBody: null,
      }
      yield page
      url = nextOf(o, { page, answer, url })
      if (url !== null && seen.has(url)) throw new SourceFailure('pagination_loop')
    } else url = null
  }
}

interface Budget {
  /** Of the whole attempt. */
  endsMs: number
  bytesLeft: number
}

/** The answer with its body as sent; a body of null: there is nothing. */
async function taken(
  o: FeedOrder,
  url: string,
  { endsMs }: Budget,
): Promise<{ answer: FeedAnswer; body: Buffer | null }> {
  const leftMs = endsMs - performance.now()
  if (leftMs <= 0) throw new SourceFailure('timeout')
  const { auth = 'none', headers = {} } = o.settings
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const deadlineMs = Math.min(o.limits.pageMs, leftMs)
  const request = {
    workspaceId: o.workspaceId,
    url,
    deadlineMs,
    firstByteMs: Math.min(o.limits.firstByteMs, leftMs),
    headers: {
      accept: '*/*',
      'user-agent': 'workspace-data-service',
      ...lowered,
      ...credentialHeaders(auth, o.credentials),
    },
  }
  try {
    const answer = await o.client.get(request, o.signal)
    const refusal = refusalOf(answer)
    if (refusal !== null) {
      answer.close()
      throw refusal
    }
    if (answer.status !== 204) return { answer, body: await bodyOf(answer, o.limits.pageBytesMax) }
    answer.close()
    return { answer, body: null }
  } catch (error) {
    throw failureOf(error)
  }
}

async function bodyOf(answer: FeedAnswer, bytesMax: number): Promise<Buffer> {
  const body = new JoinedBytes()
  for await (const part of answer.body) {
    body.add(part)
    if (body.length > bytesMax) throw new SourceFailure('feed_too_large')
  }
  return body.take()
}

/** Media types that are documents for people, or no text at all: a page of a sign-in is no feed. */
const noFeed = /^(?:text\/html|application\/(?:xhtml\+xml|pdf|zip)|(?:image|audio|video|font|multipart)\/)/

/** What a status or media type says of the source, or null where there is something to read. */
function refusalOf(answer: FeedAnswer): SourceFailure | null {
  const { status } = answer
  if (status === 200) return noFeed.test(mediaTypeOf(answer) ?? '') ? new SourceFailure('invalid_body') : null
  if (status === 204) return null
  const retryAfterMs = status === 429 || status === 503 ? retryAfterOf(answer.header('retry-after')) : null
  return new SourceFailure(codeOfStatus(status), null, retryAfterMs)
}

/** domain.md 4.6. */
function codeOfStatus(status: number): SyncErrorCode {
  if (status === 401) return 'invalid_credentials'
  if (status === 403) return 'access_denied'
  if (status === 404 || status === 410) return 'source_gone'
  if (status === 429) return 'rate_limited'
  if (status >= 300 && status < 400) return 'redirect_refused'
  if (status >= 400 && status < 500) return 'client_error'
  // What is accepted, or a part, is not there yet.
  return status >= 500 ? 'source_error' : 'invalid_body'
}

/** RFC 9110 10.2.3: seconds, or a date. */
function retryAfterOf(text: string | null): number | null {
  if (text === null) return null
  const trimmed = text.trim()
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1000
  const atMs = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /.test(trimmed) ? Date.parse(trimmed) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now())
}

/** What of the network ends an attempt, by the codes of domain.md 4.6. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof FeedFault)) return error
  const { code } = error
  if (code === 'timeout' || code === 'destination_not_allowed') return new SourceFailure(code)
  if (code.startsWith('dns_')) return new SourceFailure('dns_failure')
  if (code.startsWith('tls_')) return new SourceFailure('tls_error')
  if (code === 'response_too_large') return new SourceFailure('feed_too_large')
  if (code === 'response_invalid') return new SourceFailure('invalid_body')
  // A fault of ours, or an end by the signal: the worker knows which.
  return code === 'ours' ? error : new SourceFailure('connection_failed')
}

/** Bytes that are handed over at a time: what is done with them must be short. */
const pieceBytes = 65_536

/** The text of a page in UTF-8, in pieces, within what is left of the attempt. */
async function* unpacked(
  o: FeedOrder,
  { answer, body, budget }: { answer: FeedAnswer; body: Buffer; budget: Budget },
): AsyncGenerator<Buffer> {
  let plain = 0
  const decode = decoderOf(encodingOf(o, answer))
  try {
    for await (const part of plainPieces(answer, body, o.limits.pageBytesMax)) {
      plain += part.length
      budget.bytesLeft -= part.length
      if (plain > o.limits.pageBytesMax || budget.bytesLeft < 0) throw new SourceFailure('feed_too_large')
      yield decode(part)
    }
  } catch (error) {
    if (!(error instanceof GunzipFault)) throw error
    throw new SourceFailure(error.code === 'too_large' ? 'feed_too_large' : 'invalid_body')
  }
}

function plainPieces(answer: FeedAnswer, body: Buffer, plainBytesMax: number): AsyncIterable<Buffer> {
  const coding = (answer.header('content-encoding') ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return pieces(body)
  if (coding !== 'gzip' && coding !== 'x-gzip') throw new SourceFailure('invalid_body')
  // The bound of the page holds, whatever the ratio: tables of zeros shrink very well.
  const bounds = { plainBytesMax, ratioMax: Number.POSITIVE_INFINITY }
  return boundedGunzip(Readable.from(pieces(body), { objectMode: false }), bounds)
}

/** Between two pieces everybody else may go first. */
async function* pieces(body: Buffer): AsyncGenerator<Buffer> {
  const turn = new Turn()
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (turn.isOver()) await turn.pass()
    yield body.subarray(at, at + pieceBytes)
  }
}

/** As the settings say of a CSV file, and the answer of a JSON document, whose encoding is else UTF-8. */
function encodingOf({ settings }: FeedOrder, answer: FeedAnswer): 'utf-8' | 'windows-1252' {
  if (settings.csv?.encoding !== undefined) return settings.csv.encoding
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(answer.header('content-type') ?? '')?.[1] ?? ''
  return /^(?:windows-1252|cp1252|iso-8859-1|latin1)$/i.test(charset) ? 'windows-1252' : 'utf-8'
}

/** Invalid bytes of UTF-8 are left to the reader, who rejects their row. */
function decoderOf(encoding: 'utf-8' | 'windows-1252'): (bytes: Buffer) => Buffer {
  if (encoding === 'utf-8') return (bytes) => bytes
  const decoder = new TextDecoder('windows-1252')
  return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }))
}

function mediaTypeOf(answer: FeedAnswer): string | null {
  const type = answer.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  return type ? type : null
}

function nextOf(
  o: FeedOrder,
  { page, answer, url }: { page: FeedPage; answer: FeedAnswer; url: string },
): string | null {
  const { pagination = 'none' } = o.settings
  const header = answer.header('link')
  const inHeader = pagination === 'link_header' && header !== null ? nextOfLinkHeader(header) : null
  const link = pagination === 'json_pointer' ? page.linkInBody : inHeader
  if (link === null) return null
  const next = followedLink(link, url)
  if (next === null) throw new SourceFailure('next_link_refused')
  return next
}
