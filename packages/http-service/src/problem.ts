// The one way to refuse a request: a code of the catalogue in `contracts`, made into an RFC 9457 document. It never carries a stack, SQL or a name of the inside (C12).

import { channel } from 'node:diagnostics_channel'
import { type ProblemCode, type ProblemDefinition, problems } from '@wds/contracts/problems'
import { withoutUndefined } from '@wds/contracts/without-undefined'

/** One fault of a request: `pointer` (RFC 6901) into the body, or `parameter` for query and headers. */
export interface Fault {
  pointer?: string
  parameter?: string
  /** Of the catalogue, so that it has a page. */
  code: ProblemCode
  detail: string
}

export interface ProblemOptions {
  /** What the client reads; default is the catalogue's text. */
  detail?: string
  errors?: Fault[]
  /** Further members, e.g. `current_status` and `allowed` of `invalid_state` (C23). */
  members?: Record<string, unknown>
  /** Further headers, e.g. `Retry-After`. */
  headers?: Record<string, string>
}

/** Most faults that one answer lists (C11). */
export const faultsMax = 50

/** Thrown anywhere in a handler; the kit answers with it. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string
  readonly errors: Fault[]
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, o: ProblemOptions = {}) {
    const definition: ProblemDefinition = problems[code]
    super(code)
    this.name = 'Problem'
    this.code = code
    this.status = definition.status
    this.detail = o.detail ?? definition.detail
    this.errors = (o.errors ?? []).slice(0, faultsMax)
    this.members = o.members ?? {}
    this.headers = o.headers ?? {}
  }
}

/** Is this text a code of the catalogue? */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

/** C11: one fault gives its own code; several give `validation_failed`, those of parameters alone 400 `invalid_parameter`. `faults` must not be empty. */
export function problemOfFaults(faults: Fault[]): Problem {
  const [first, second] = faults
  if (first && !second) {
    return new Problem(first.code, { detail: first.detail, errors: faults })
  }
  const count = Math.min(faults.length, faultsMax)
  const parameters = faults.every((fault) => fault.parameter !== undefined)
  const noun = parameters ? 'parameter' : 'field'
  const detail = count === 1 ? `1 ${noun} is not valid.` : `${count} ${noun}s are not valid.`
  return new Problem(parameters ? 'invalid_parameter' : 'validation_failed', { detail, errors: faults })
}

/** Tells whoever watches the process which problems it answers with: `{ code, status }`. */
const answered = channel('wds.problem')

/** The document of C10. `baseUrl` has no slash at the end. */
export function toProblemDocument(
  problem: Problem,
  o: { baseUrl: string; requestId: string },
): Record<string, unknown> {
  const definition: ProblemDefinition = problems[problem.code]
  answered.publish({ code: problem.code, status: problem.status })
  return withoutUndefined({
    type: definition.registeredType ?? `${o.baseUrl}/problems/${problem.code}`,
    title: definition.title,
    status: problem.status,
    detail: problem.detail,
    instance: `/requests/${o.requestId}`,
    code: problem.code,
    errors: problem.errors.length > 0 ? problem.errors : undefined,
    ...problem.members,
  })
}
