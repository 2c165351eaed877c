// Judges the one token that an internal listener takes. It never logs or repeats it.
import type { IncomingMessage } from 'node:http'
import { isSameSecret } from './is-same-secret.ts'
import { Problem } from './problem.ts'

/** Throws Problem 401 unless the request carries the token. Compared are digests, in constant time. */
export function judgeServiceToken(request: IncomingMessage, token: string): void {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && isSameSecret(given ?? '', token)) return
  throw new Problem('invalid_token', {
    detail: 'The service token is missing or wrong.',
    headers: { 'www-authenticate': 'Bearer realm="wds"' },
  })
}
