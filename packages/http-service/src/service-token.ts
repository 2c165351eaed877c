// Judges the token that an internal listener takes, during a rotation one of two. It never logs or repeats it.
import type { IncomingMessage } from 'node:http'
import { isSameSecret } from './is-same-secret.ts'
import { Problem } from './problem.ts'

/** Throws Problem 401 unless the request carries one of the tokens. Compared are digests, in constant time. */
export function judgeServiceToken(request: IncomingMessage, tokens: readonly string[]): void {
  const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && tokens.some((token) => isSameSecret(given, token))) return
  throw new Problem('invalid_token', {
    detail: 'The service token is missing or wrong.',
    headers: { 'www-authenticate': 'Bearer realm="wds"' },
  })
}
