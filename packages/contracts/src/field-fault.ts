// What a judgement of a body's field says, in every domain.
import type { ProblemCode } from './problems.ts'

/** What is wrong with a field of a body: its JSON Pointer, the rule that it breaks, and what the client reads. */
export interface FieldFault {
  pointer: string
  code: ProblemCode
  detail: string
}
