// The words a service writes its routes in: what a handler is given and what it answers. It never touches Express or a socket.
import type { Readable } from 'node:stream'
import type { Client } from '@wds/access/authenticator'
import type { Right } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { AnswerOf, AnyOperation, BodyOf, PathOf, QueryOf } from './operation.ts'
import type { SessionClient } from './session.ts'

/** Who asks: a token of an app or key, or a signed-in person. */
export type RequestClient = Client | SessionClient

/** One request after path, method, token, scope and query were judged. The body is judged at the first use of `body`, so a handler that loads its object first answers 404 before 422. `Op`: the operation, of `operations` in the service's `openapi.generated.ts`. */
export interface ApiRequest<Op = AnyOperation> {
  /** `req_…`, also in `X-Request-Id`, the log line and problems. */
  readonly requestId: string
  /** Who asks. Throws on routes that ask for neither token nor session. */
  readonly client: RequestClient
  /** The signed-in person. Throws where a token opened the route. */
  readonly session: SessionClient
  /** Of the client, as listed proxies tell. */
  readonly remoteAddress: string
  /** At most 255 characters of it; null without one. */
  readonly userAgent: string | null
  /** Path parameters, decoded, at most 255 characters, without control characters. */
  readonly params: PathOf<Op>
  /** Query parameters by their literal OpenAPI names, coerced by their schemas; defaults filled in, absent ones missing. */
  readonly query: QueryOf<Op>
  /** The JSON object, valid by the OpenAPI schema. Throws a Problem (400, 413, 415, 422) at each use when it is not. `{}` without a body. */
  readonly body: BodyOf<Op>
  /** The bytes of a route with bodyKind 'stream', null elsewhere. Fails with a Problem over the limit or after the deadline. */
  readonly stream: Readable | null
  /** Media type of the body in lower case without parameters, or null. */
  readonly contentType: string | null
  /** Content coding of the bytes of `stream`, in lower case: one of the route's `contentEncodings`, or null. */
  readonly contentEncoding: string | null
  /** Entity tags of If-Match as sent (`"v7"`), `*`, or null. Use `requireMatch`. */
  readonly ifMatch: string[] | '*' | null
  /** Epoch milliseconds that never run backwards within the request. */
  now(): number
  /** Actor, correlation and trace for the event store. Throws on routes without a client. */
  readonly context: AppendContext
  /** Aborted when the client is gone before the answer was sent. */
  readonly signal: AbortSignal
  /** One read-only transaction in the client's workspace (none on routes without a client). `snapshot`: all its statements see one state. */
  read<T>(fn: (tx: Transaction) => Promise<T>, o?: { snapshot?: boolean }): Promise<T>
  /** One transaction in the client's workspace beside that of the answer, for what is stored on the way to it. */
  store<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>
  /** One transaction with the Idempotency-Key in it (C30 to C34), tried up to 3 times on VersionConflict, then 503. `fn` may run more than once. */
  write(fn: (tx: Transaction) => Promise<ApiAnswer<Op>>): Promise<ApiAnswer<Op>>
}

/** What a handler answers: a status from 200 to 299, and with it a JSON object as `body` (absent with 204) or `bytes` or `parts` (GET only) that are sent as they are, with a `content-type` in `headers`. */
export type ApiAnswer<Op = AnyOperation> = AnswerOf<Op> & AnswerHead

/** What an answer says besides its content. */
interface AnswerHead {
  /** Path of the resource or job, for 201 and 202. */
  location?: string
  /** Version of the resource; becomes the ETag `"v7"`. */
  version?: number
  /** It shows what changes without its version, such as a balance: it is answered whole, whatever the client has (C40). */
  isLive?: boolean
  /** Further headers, lower-case names. An `etag` given here wins over `version`. */
  headers?: Record<string, string>
  /** The answer shows a secret once: `no-store`, and encrypted where it is kept for an Idempotency-Key. */
  holdsSecret?: boolean
  /** C43; default 'private' (`private, no-cache`). 'public' is `public, max-age=300`. */
  cache?: 'private' | 'no-store' | 'public'
  /** Runs once after the commit of `write`; not when a stored answer is replayed. */
  afterCommit?: () => void
}

/** `multipart`: multipart/form-data, held in memory; `body` has its parts as members: JSON, or bytes (Uint8Array) where the schema of the part has a `contentMediaType`. */
export type BodyKind = 'json' | 'merge-patch' | 'multipart' | 'stream' | 'none'

/** Handles the requests of one operation. */
export type Handle<Op = AnyOperation> = (request: ApiRequest<Op>) => Promise<ApiAnswer<Op>>

/** Any route of a service, each with the types of its own operation. `Paths`: `paths` of the service's `openapi.generated.ts`. */
export type RouteOf<Paths> = {
  [Path in keyof Paths & string]: {
    [Method in keyof Paths[Path] & Lowercase<Route['method']>]: [NonNullable<Paths[Path][Method]>] extends [never]
      ? never
      : Route<Paths[Path][Method]> & { method: Uppercase<Method>; path: Path }
  }[keyof Paths[Path] & Lowercase<Route['method']>]
}[keyof Paths & string]

/** One route. Method, path, scope and session must be those of the OpenAPI file, or the service does not start. */
export interface Route<Op = AnyOperation> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As in OpenAPI: `/v1/webhooks/{id}`. */
  path: string
  /** A scope; 'any' valid token; null for no token; left out where only a session opens the route. */
  scope?: Scope | 'any' | null
  /** The right that a session's role must have. With a scope beside it a token opens the route as well. */
  session?: Right
  /** Each write of a session needs a sign-in of the last 10 minutes. */
  recentSignIn?: boolean
  /** Default: 'none' for GET and DELETE, 'merge-patch' for PATCH, 'json' (or 'multipart', by its media type) for POST with a requestBody in OpenAPI, else 'none'. */
  bodyKind?: BodyKind
  /** Default 1 MiB (1,048,576), for streams 50 MiB. */
  bodyBytesMax?: number
  /** Content codings that a stream may come in, lower case; none unless told. The handler undoes them, within bounds (C74). */
  contentEncodings?: readonly string[]
  /** POST only: without the key 400 `idempotency_key_required` (routes that move money or number a document). */
  idempotencyKeyRequired?: boolean
  /** Programs ask for it without a pause: what they get is logged at `debug`, unless it went wrong. */
  isPolled?: boolean
  /** Query parameters that a list filters by: those of the OpenAPI file beside its page and range of `created`. Compared when given. */
  filters?: readonly string[]
  handle(request: ApiRequest<Op>): Promise<ApiAnswer<Op>>
}
