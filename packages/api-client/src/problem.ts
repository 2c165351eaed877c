// The two ways in which a call fails: a refusal came back (ApiProblem), or no whole answer did (NoAnswer).

/** One fault of a request: where it is and what is wrong with it. */
export interface Fault {
  /** JSON pointer into the body, such as `/url`. */
  pointer?: string
  /** Name of a parameter or header. */
  parameter?: string
  code: string
  detail: string
}

/** A problem document (RFC 9457) as the API writes it; further members belong to its code. */
export interface ProblemDocument {
  type: string
  title: string
  status: number
  detail: string
  code: string
  errors?: Fault[]
  [member: string]: unknown
}

interface Sent {
  /** Makes a retry of the same POST safe: it takes effect once. Null where none was sent. */
  idempotencyKey: string | null
}

/** An answer of status 400 or more, or of any status where it is none of the API (`unexpected_answer`). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  /** Address of the page that explains `code`. */
  readonly type: string
  /** Stable, such as `invalid_state`; `unexpected_answer` where something else than the API answered. */
  readonly code: string
  readonly title: string
  readonly detail: string
  /** The faults one by one; empty where the problem is not about fields. */
  readonly errors: Fault[]
  /** `req_…` */
  readonly requestId: string | null
  /** Of 429 and 503: seconds to wait. */
  readonly retryAfterSeconds: number | null
  readonly idempotencyKey: string | null
  /** The whole document, with the members of this code, such as `allowed` of `invalid_state`. */
  readonly document: ProblemDocument

  constructor(
    document: ProblemDocument,
    o: Sent & { status: number; requestId: string | null; retryAfterSeconds: number | null },
  ) {
    super(`${o.status} ${document.code}: ${document.detail}`)
    this.status = o.status
    this.type = document.type
    this.code = document.code
    this.title = document.title
    this.detail = document.detail
    this.errors = document.errors ?? []
    this.requestId = o.requestId
    this.retryAfterSeconds = o.retryAfterSeconds
    this.idempotencyKey = o.idempotencyKey
    this.document = document
  }
}

/** No whole answer came: offline, refused, cut off, too slow. A write may have taken effect. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly idempotencyKey: string | null

  constructor(message: string, o: Sent & { cause: unknown }) {
    super(message, { cause: o.cause })
    this.idempotencyKey = o.idempotencyKey
  }
}

/** Is it an answer of the API with this code? */
export function isProblem(error: unknown, code?: string): error is ApiProblem {
  return error instanceof ApiProblem && (code === undefined || error.code === code)
}

/** The document of an answer; one that says so where the body is none, such as a proxy's page. */
export function readProblem(status: number, contentType: string, text: string): ProblemDocument {
  try {
    const document: unknown = contentType.startsWith('application/problem+json') ? JSON.parse(text) : null
    if (typeof document === 'object' && document !== null && 'code' in document) return document as ProblemDocument
  } catch {
    // Cut off, or no JSON at all.
  }
  const detail = `The answer of status ${status} is not one of the API.`
  return { type: 'about:blank', title: 'Unexpected answer', status, detail, code: 'unexpected_answer' }
}
