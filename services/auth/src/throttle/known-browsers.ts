// Browsers in which a person has signed in before, told by a cookie of their own that outlives sessions (decision 44). Knowing one opens
// nothing: its failures are merely counted apart from those of strangers.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { digestOf } from '@wds/access/digest'
import type { Transaction } from '@wds/postgres/transaction'
import type { Cookies } from '../web/cookies.ts'
import { insertKnownBrowser, knownBrowserDays } from './store-known-browsers.ts'

/** Digest of the browser's cookie; null without one. */
export function browserOf(cookies: Cookies, request: IncomingMessage): Buffer | null {
  const secret = secretOf(cookies, request)
  return secret === null ? null : digestOf(secret)
}

/** From now on the browser of this request is known for the person. The caller sets the cookie once the transaction is committed. */
export async function rememberBrowser(
  tx: Transaction,
  request: IncomingMessage,
  { userId, cookies }: { userId: string; cookies: Cookies },
): Promise<string> {
  // Kept, where there is one: it may be known for another person as well.
  const secret = secretOf(cookies, request) ?? randomBytes(32).toString('base64url')
  await insertKnownBrowser(tx, userId, digestOf(secret))
  return secret
}

export function setBrowserCookie(cookies: Cookies, response: ServerResponse, secret: string): void {
  cookies.set(response, 'browser', secret, { maxAgeSeconds: knownBrowserDays * 86_400 })
}

function secretOf(cookies: Cookies, request: IncomingMessage): string | null {
  const value = cookies.read(request.headers.cookie, 'browser')
  return value !== null && /^[\w-]{43}$/.test(value) ? value : null
}
