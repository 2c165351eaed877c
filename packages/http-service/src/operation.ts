// What the types made of an OpenAPI file (`openapi.generated.ts`) say of one operation: the path, query and body of its requests
// and its answers. Types alone.

/** An operation of which nothing is known: what takes it takes every operation. */
// biome-ignore lint/suspicious/noExplicitAny: with `unknown` a route of one operation would be no route
export type AnyOperation = any

/** Path parameters by name. */
export type PathOf<Op> = unknown extends Op
  ? Record<string, string>
  : Op extends { parameters: { path: infer Path } }
    ? Path
    : Record<never, never>

/** Query parameters by their literal names; those with a default are always there. */
export type QueryOf<Op> = unknown extends Op
  ? Record<string, unknown>
  : Op extends { parameters: { query?: infer Query } }
    ? [NonNullable<Query>] extends [never]
      ? Record<never, never>
      : NonNullable<Query>
    : Record<never, never>

/** The JSON body, or the parts of a form. Where it may be left out each member may: it is `{}` then. */
export type BodyOf<Op> = unknown extends Op
  ? unknown
  : Op extends { requestBody: { content: infer Content } }
    ? ReadOf<Content>
    : Op extends { requestBody?: never }
      ? Record<never, never>
      : Op extends { requestBody?: { content: infer Content } }
        ? Partial<ReadOf<Content>>
        : Record<never, never>

/** Status and content of the answers that are no problems, one member of the union per status. */
export type AnswerOf<Op> = unknown extends Op
  ? { status: number; body?: object; bytes?: Uint8Array; parts?: Parts }
  : Op extends { responses: infer Responses }
    ? {
        [Status in keyof Responses]: Status extends number
          ? `${Status}` extends `2${string}`
            ? { status: Status } & ContentOf<Responses[Status]>
            : never
          : never
      }[keyof Responses]
    : never

type ReadType = 'application/json' | 'application/merge-patch+json' | 'multipart/form-data'
type ReadOf<Content> = Content[ReadType & keyof Content]

/** Content that is sent part by part, each asked for once the one before it was taken; never held as a whole. */
export interface Parts {
  /** Bytes of all parts; null where nobody knows before they are read. */
  length: number | null
  read(): AsyncIterable<Uint8Array>
}

/** Bytes are whatever the handler says: no type looks into them. */
type ContentOf<Response> = Response extends { content: infer Content }
  ?
      | { bytes: Uint8Array; body?: never; parts?: never }
      | { parts: Parts; body?: never; bytes?: never }
      | (Content extends { 'application/json': infer Body } ? { body: Body; parts?: never } : never)
  : { body?: never; parts?: never }
