// What each operation of the OpenAPI files takes and answers, as types. Nothing of it is there at run time.
import type { paths } from './openapi.generated.ts'

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** The paths that have the method, such as `/v1/webhooks/{id}`. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never
}[keyof paths]

/** The operation of a path. */
type OperationOf<P extends keyof paths, M extends Method> =
  paths[P] extends Record<M, infer Operation> ? Operation : never

/** Every call takes these. */
export interface CallOptions {
  /** The entity tag that the resource must still have, as an answer gave it; else 412 `precondition_failed`. */
  ifMatch?: string
  /** Of a POST: the same for each retry. By default each call makes its own, which an error carries. */
  idempotencyKey?: string
  /** Ends the call; it throws the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds until the call is given up; default 30,000. */
  timeoutMs?: number
}

/** Every GET takes these as well. */
export interface ReadOptions<T> extends CallOptions {
  /** An earlier answer: where the resource is as it was, it comes back with `notModified`, and no quota is used. */
  previous?: Answer<T>
}

/** How many requests are left; each service counts its own. */
export interface RateLimit {
  remaining: number
  /** Until the window ends. */
  resetSeconds: number
  /** Of one window; null where the answer does not say. */
  quota: number | null
}

export interface Answer<T> {
  /** Undefined where the answer has no body (204). */
  data: T
  /** 2xx, or 304 of `notModified`. */
  status: number
  /** The strong entity tag of a single resource, for `ifMatch`. */
  etag: string | null
  /** Of what was made: `/v1/…`. */
  location: string | null
  /** `req_…` */
  requestId: string | null
  rateLimit: RateLimit | null
  /** The stored answer of an earlier try with the same idempotency key. */
  isReplayed: boolean
  /** `data` is that of `previous`. */
  notModified: boolean
}

/** What the operation answers with 2xx. Its bytes where it is no JSON, with their media type: a file may be of any. */
export type DataOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { responses: infer Responses } ? ContentOf<Responses[keyof Responses & Success]> : never

type Success = 200 | 201 | 202 | 204

type ContentOf<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : Blob
  : undefined

/** Path, query and body as the operation takes them, and what every call takes. */
export type OptionsOf<P extends keyof paths, M extends Method> = (M extends 'get'
  ? ReadOptions<DataOf<P, M>>
  : CallOptions) &
  Part<'path', ParametersOf<P, M, 'path'>> &
  Part<'query', ParametersOf<P, M, 'query'>> &
  BodyOf<OperationOf<P, M>>

/** The options may be left out where none is required. */
export type OptionsArgument<P extends keyof paths, M extends Method> =
  Record<never, never> extends OptionsOf<P, M> ? [options?: OptionsOf<P, M>] : [options: OptionsOf<P, M>]

/** One kind of parameters of an operation, by name; undefined where there is none. */
type ParametersOf<P extends keyof paths, M extends Method, Kind extends 'path' | 'query'> =
  OperationOf<P, M> extends { parameters: infer Parameters }
    ? Kind extends keyof Parameters
      ? Exclude<Parameters[Kind], undefined>
      : never
    : never

/** The query of a GET. */
export type QueryOf<P extends PathOf<'get'>> = ParametersOf<P, 'get', 'query'>

type Part<Name extends string, Values> = [Values] extends [never]
  ? { [N in Name]?: never }
  : Record<never, never> extends Values
    ? { [N in Name]?: Values }
    : { [N in Name]: Values }

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? BodyIn<Content>
  : Operation extends { requestBody?: { content: infer Content } }
    ? Partial<BodyIn<Content>> & { contentType?: never }
    : { body?: never; contentType?: never }

/** JSON and forms are objects; a form has a Blob among its members. A file names its media type. */
type BodyIn<Content> = Content extends { 'application/json': infer Body }
  ? { body: Body; contentType?: never }
  : Content extends { 'application/merge-patch+json': infer Body }
    ? { body: Body; contentType?: never }
    : Content extends { 'multipart/form-data': infer Body }
      ? { body: Body; contentType?: never }
      : { body: string | Blob; contentType: keyof Content & string }
