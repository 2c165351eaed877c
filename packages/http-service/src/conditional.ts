// Judges If-Match against the version that a transaction has loaded (C41). It never changes anything.
import { etagOf } from './etag.ts'
import { Problem } from './problem.ts'
import type { ApiRequest } from './route.ts'

/** Throws 412 `precondition_failed` when If-Match names other versions; call it inside `write`, on what that transaction loaded. `required` (money resources): without the header 428. */
export function requireMatch(
  request: Pick<ApiRequest, 'ifMatch'>,
  version: number,
  o: { required?: boolean } = {},
): void {
  const { ifMatch } = request
  if (ifMatch === null) {
    if (o.required) throw new Problem('precondition_required')
    return
  }
  if (ifMatch === '*') return
  // Strong comparison: a weak tag never matches (RFC 9110 13.1.1).
  if (!ifMatch.includes(etagOf(version))) throw new Problem('precondition_failed')
}
