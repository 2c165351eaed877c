// Judges token and scope of a request and words the challenges of RFC 6750 (auth.md B1 to B6). It never logs or repeats a token.
import type { IncomingMessage } from 'node:http'
import type { Authenticator, Client } from '@wds/access/authenticator'
import type { Scope } from '@wds/contracts/scopes'
import { linesOf } from './headers.ts'
import { Problem } from './problem.ts'
import { queryOf, readPairs } from './query.ts'
import type { RequestClient } from './route.ts'

const realm = 'Bearer realm="wds"'

export interface BearerOptions {
  authenticator: Authenticator
  baseUrl: string
  /** Of the client, as listed proxies tell. */
  remoteAddress: string
}

/** Throws Problem 403 with `WWW-Authenticate` unless the client may use a route of the scope. */
export function judgeScope(client: Client, scope: Scope | 'any'): void {
  if (scope !== 'any' && !client.scopes.has(scope)) throw insufficientScope([scope])
}

/** Whether a member of the answer, or of the body, that needs a scope of its own is open to the client. A session has no scopes. */
export function hasScope(client: RequestClient, scope: Scope): boolean {
  return client.kind !== 'user' && client.scopes.has(scope)
}

/** 403 with the challenge that names what is missing. */
export function insufficientScope(missing: readonly Scope[]): Problem {
  const names = missing.join(' ')
  return new Problem('insufficient_scope', {
    detail: missing.length === 1 ? `The scope ${names} is needed.` : `The scopes ${names} are needed.`,
    headers: { 'www-authenticate': `${realm}, error="insufficient_scope", scope="${names}"` },
  })
}

/** The client of the request. Throws Problems 400 and 401 with `WWW-Authenticate`. */
export async function judgeBearer(request: IncomingMessage, o: BearerOptions): Promise<Client> {
  const lines = linesOf(request, 'authorization')
  if (lines.length > 1) throw invalidRequest('The Authorization header is given more than once.')
  if (readPairs(queryOf(request.url ?? ''), []).has('access_token')) {
    throw invalidRequest('A token is accepted in the Authorization header only.')
  }
  const answer = await o.authenticator.authenticate(lines[0], o.remoteAddress)
  if (answer.ok) return answer.client
  if (answer.problem === 'invalid_request') throw invalidRequest('The Authorization header is malformed.')
  const challenge =
    answer.problem === 'unauthenticated'
      ? `${realm}, resource_metadata="${o.baseUrl}/.well-known/oauth-protected-resource"`
      : `${realm}, error="invalid_token"`
  throw new Problem(answer.problem, { headers: { 'www-authenticate': challenge } })
}

function invalidRequest(detail: string): Problem {
  return new Problem('invalid_request', {
    detail,
    headers: { 'www-authenticate': `${realm}, error="invalid_request"` },
  })
}
