// One attempt to sign in upstream, which lives in a cookie alone: state, nonce and PKCE verifier are made from its secret and from what
// it is for, so none of them fits another attempt. It ties the way back to its browser; whoever is at that browser can make one by hand, so it
// proves nothing that was judged on the way there.
import { createHmac, randomBytes } from 'node:crypto'
import type { MountExchange } from '@wds/http-service/mount'
import type { Cookies } from '../web/cookies.ts'

export interface AttemptOf {
  provider: string
  /** To be judged again; null: to the account. */
  returnTo: string | null
  /** The session whose person links an identity; null: somebody signs in. */
  linkSession: string | null
}

export interface Attempt extends AttemptOf {
  state: string
  nonce: string
  verifier: string
}

export function startAttempt(cookies: Cookies, { response }: MountExchange, given: AttemptOf): Attempt {
  const { provider, returnTo, linkSession } = given
  const payload = Buffer.from(JSON.stringify([provider, returnTo, linkSession])).toString('base64url')
  const secret = randomBytes(32).toString('base64url')
  cookies.set(response, 'upstream', `${secret}.${payload}`, { maxAgeSeconds: 600 })
  return { ...given, ...valuesOf(secret, payload) }
}

/** The attempt of this browser, once: its cookie is cleared. Null: none. */
export function takeAttempt(cookies: Cookies, { request, response }: MountExchange): Attempt | null {
  const value = cookies.read(request.headers.cookie, 'upstream')
  cookies.clear(response, 'upstream')
  const [, secret, payload] = /^([\w-]{43})\.([\w-]+)$/.exec(value ?? '') ?? []
  if (secret === undefined || payload === undefined) return null
  try {
    const [provider, returnTo, linkSession] = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return { provider, returnTo, linkSession, ...valuesOf(secret, payload) }
  } catch {
    return null
  }
}

function valuesOf(secret: string, payload: string): Pick<Attempt, 'state' | 'nonce' | 'verifier'> {
  const make = (use: string) =>
    createHmac('sha256', secret).update(`upstream.1\n${use}\n${payload}`).digest('base64url')
  return { state: make('state'), nonce: make('nonce'), verifier: make('verifier') }
}
