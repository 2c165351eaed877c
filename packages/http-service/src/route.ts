// The words a service writes its routes in: what a handler is given and what it answers. It never touches Express or a socket.
import type { Readable } from 'node:stream'
import type { Client } from '@wds/access/authenticator'
import type { Scope } from '@wds/contracts/scopes'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'

/** One request after path, method, token, scope and query were judged. The body is judged at the first use of `body`, so a handler that loads its object first answers 404 before 422. */
export interface ApiRequest {
  /** `req_…`, also in `X-Request-Id`, the log line and problems. */
  readonly requestId: string
  /** Who asks. Throws on routes with scope null. */
  readonly client: Client
  /** Path parameters, decoded, at most 255 characters, without control characters. */
  readonly params: Record<string, string>
  /** Query parameters by their literal OpenAPI names, coerced by their schemas; defaults filled in, absent ones missing. */
  readonly query: Record<string, unknown>
  /** The JSON object, valid by the OpenAPI schema. Throws a Problem (400, 413, 415, 422) at each use when it is not. `{}` without a body. */
  readonly body: unknown
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
  /** Actor, correlation and trace for the event store. Throws on routes with scope null. */
  readonly context: AppendContext
  /** Aborted when the client is gone before the answer was sent. */
  readonly signal: AbortSignal
  /** One read-only transaction in the client's workspace (none on routes with scope null). */
  read<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>
  /** One transaction in the client's workspace beside that of the answer, for what is stored on the way to it. */
  store<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>
  /** One transaction with the Idempotency-Key in it (C30 to C34), tried up to 3 times on VersionConflict, then 503. `fn` may run more than once. */
  write(fn: (tx: Transaction) => Promise<ApiAnswer>): Promise<ApiAnswer>
  /** As `write`, in one transaction with the changes of others under load: `fn` keeps the rules of `withSharedTransaction`. No Idempotency-Key. */
  change(fn: (tx: Transaction) => Promise<ApiAnswer>): Promise<ApiAnswer>
}

/** What a handler answers. */
export interface ApiAnswer {
  /** 200 to 299. */
  status: number
  /** The JSON object; absent with 204. */
  body?: object
  /** Bytes instead of `body`, sent as they are; set `content-type` in `headers`. */
  bytes?: Uint8Array
  /** Path of the resource or job, for 201 and 202. */
  location?: string
  /** Version of the resource; becomes the ETag `"v7"`. */
  version?: number
  /** Further headers, lower-case names. An `etag` given here wins over `version`. */
  headers?: Record<string, string>
  /** The answer shows a secret once: `no-store`, and encrypted where it is kept for an Idempotency-Key. */
  holdsSecret?: boolean
  /** C43; default 'private' (`private, no-cache`). 'public' is `public, max-age=300`. */
  cache?: 'private' | 'no-store' | 'public'
  /** Runs once after the commit of `write`; not when a stored answer is replayed. */
  afterCommit?: () => void
}

export type BodyKind = 'json' | 'merge-patch' | 'stream' | 'none'

/** One route. Method, path and scope must be those of the OpenAPI file, or the service does not start. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As in OpenAPI: `/v1/webhooks/{id}`. */
  path: string
  /** A scope; 'any' valid token; null for no token. */
  scope: Scope | 'any' | null
  /** Default: 'none' for GET and DELETE, 'merge-patch' for PATCH, 'json' for POST with a requestBody in OpenAPI, else 'none'. */
  bodyKind?: BodyKind
  /** Default 1 MiB (1,048,576), for streams 50 MiB. */
  bodyBytesMax?: number
  /** Content codings that a stream may come in, lower case; none unless told. The handler undoes them, within bounds (C74). */
  contentEncodings?: readonly string[]
  /** POST only: without the key 400 `idempotency_key_required` (routes that move money or number a document). */
  idempotencyKeyRequired?: boolean
  handle(request: ApiRequest): Promise<ApiAnswer>
}
