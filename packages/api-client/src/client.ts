// One client over all paths of the API. Routes of the settings API go to their own address with session and CSRF token, all others to the
// API's address with a token. It keeps nothing: no token, no answer. For browsers and Node.js: nothing of either is imported.
import { fillIn, queryText } from './address.ts'
import { readAnswer } from './answer.ts'
import { type DeprecationNotice, readDeprecation } from './deprecation.ts'
import type { paths } from './openapi.generated.ts'
import type { Answer, CallOptions, DataOf, Method, OptionsArgument, PathOf } from './operations.ts'
import { isProblem, NoAnswer } from './problem.ts'
import { type Retries, withRetries } from './retry.ts'
import { settingsPaths } from './settings-paths.generated.ts'

export interface ApiClientOptions {
  /** Address of the API without a trailing slash, such as `https://api.example.com`. */
  baseUrl: string
  /** The API key or access token of the next call; asked for at each. Null: without one. */
  bearer?: () => string | null | Promise<string | null>
  /** For a page on the origin of the settings API. Without it, those routes are called as all others are. */
  settings?: {
    /** '' for the page's own origin. */
    baseUrl: string
    /** `csrf_token` of `GET /v1/session`, sent with writes. */
    csrfToken: () => string | null | Promise<string | null>
  }
  /** Without it nothing is sent again. A retry of a POST has the key of the first try, so that both take effect once. */
  retries?: Retries
  /** Told once of each operation whose answers say that it will end. */
  onDeprecated?: (notice: DeprecationNotice) => void
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: OptionsArgument<P, M>
) => Promise<Answer<DataOf<P, M>>>

/**
 * A method for each of HTTP. All throw ApiProblem for status 400 and more and for what is no answer of the API, NoAnswer where none came,
 * and the reason of a signal that was given and aborted.
 */
export interface ApiClient {
  get: Call<'get'>
  post: Call<'post'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** The address that a call would go to, for *View as curl*. */
  addressOf<M extends Method, P extends PathOf<M>>(method: M, path: P, ...options: OptionsArgument<P, M>): string
}

interface AnyOptions extends CallOptions {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  contentType?: string
  previous?: Answer<never>
}

export function createApiClient(given: ApiClientOptions): ApiClient {
  const told = new Set<string>()
  const o: ApiClientOptions = {
    ...given,
    onDeprecated: (notice) => {
      if (told.has(notice.operation)) return
      told.add(notice.operation)
      given.onDeprecated?.(notice)
    },
  }
  const call =
    (method: Method) =>
    (path: keyof paths, options: AnyOptions = {}) =>
      send(o, method, path, options)
  const addressOf = (_: Method, path: keyof paths, options: AnyOptions = {}) => addressFor(o, path, options)
  const client = { get: call('get'), post: call('post'), patch: call('patch'), delete: call('delete'), addressOf }
  return client as unknown as ApiClient
}

/** A new idempotency key: 128 random bits, also on a page without TLS, where `crypto.randomUUID` is not there. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function send(o: ApiClientOptions, method: Method, path: keyof paths, options: AnyOptions): Promise<Answer<unknown>> {
  const { idempotencyKey = method === 'post' ? newIdempotencyKey() : null, signal } = options
  const isRepeatable = method === 'get' || idempotencyKey !== null
  return withRetries(o.retries ?? { times: 0 }, { isRepeatable, signal }, () =>
    sendOnce(o, method, path, options, idempotencyKey),
  )
}

async function sendOnce(
  o: ApiClientOptions,
  method: Method,
  path: keyof paths,
  options: AnyOptions,
  idempotencyKey: string | null,
): Promise<Answer<unknown>> {
  const { previous, timeoutMs = 30_000 } = options
  const url = addressFor(o, path, options)
  const { body, contentType } = bodyOf(method, options)
  const headers = await credentialsOf(o, method, path)
  headers.accept = 'application/json, */*;q=0.1'
  if (contentType !== null) headers['content-type'] = contentType
  if (idempotencyKey !== null) headers['idempotency-key'] = `"${idempotencyKey}"`
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch
  if (previous?.etag) headers['if-none-match'] = previous.etag

  const deadline = AbortSignal.timeout(timeoutMs)
  const init: RequestInit = {
    method: method.toUpperCase(),
    headers,
    credentials: settingsOf(o, path) ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
  }
  if (body !== null) init.body = body
  try {
    const { fetch = globalThis.fetch } = o
    const response = await fetch(url, init)
    const notice = readDeprecation(`${init.method} ${path}`, response.headers)
    if (notice !== null) o.onDeprecated?.(notice)
    return await readAnswer(response, { idempotencyKey, previous })
  } catch (error) {
    if (isProblem(error)) throw error
    if (options.signal?.aborted) throw options.signal.reason
    const reason = deadline.aborted ? `within ${timeoutMs / 1000} s` : `(${messageOf(error)})`
    throw new NoAnswer(`no answer ${reason}`, { cause: error, idempotencyKey })
  }
}

const settings: ReadonlySet<string> = new Set(settingsPaths)

function settingsOf(o: ApiClientOptions, path: keyof paths): ApiClientOptions['settings'] {
  return settings.has(path) ? o.settings : undefined
}

function addressFor(o: ApiClientOptions, path: keyof paths, options: AnyOptions): string {
  const { baseUrl } = settingsOf(o, path) ?? o
  return `${baseUrl}${fillIn(path, options.path)}${queryText(options.query)}`
}

async function credentialsOf(o: ApiClientOptions, method: Method, path: keyof paths): Promise<Record<string, string>> {
  const session = settingsOf(o, path)
  if (session) {
    const token = method === 'get' ? null : await session.csrfToken()
    return token === null ? {} : { 'x-csrf-token': token }
  }
  const token = (await o.bearer?.()) ?? null
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/** A file as it is; an object with a Blob among its members as a form, its other members as JSON; any other object as JSON. */
function bodyOf(
  method: Method,
  { body, contentType }: AnyOptions,
): { body: string | Blob | FormData | null; contentType: string | null } {
  if (body === undefined) return { body: null, contentType: null }
  if (contentType !== undefined) return { body: body as string | Blob, contentType }
  const members = Object.entries(body as object)
  if (!members.some(([, value]) => value instanceof Blob)) {
    const type = method === 'patch' ? 'application/merge-patch+json' : 'application/json'
    return { body: JSON.stringify(body), contentType: type }
  }
  const form = new FormData()
  for (const [name, value] of members) form.set(name, value instanceof Blob ? value : JSON.stringify(value))
  return { body: form, contentType: null }
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
