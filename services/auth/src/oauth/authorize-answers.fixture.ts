// For tests: what the contract of the authorisation endpoint calls *page* and *redirect*, and a consent page as a person sees it.
import assert from 'node:assert/strict'
import type { App, Member } from './oauth-people.fixture.ts'
import { type Answer, queryOf, redirectUrl } from './oauth-requests.fixture.ts'
import { authUrl, type OAuthService } from './oauth-service.fixture.ts'

/** *page* of the contract. */
export function expectPage({ status, headers, text }: Answer): void {
  assert.deepEqual([status, headers['content-type']], [400, 'text/html; charset=utf-8'])
  assert.equal(headers.location, undefined)
  assert.ok(text.includes(String(headers['x-request-id'])), 'the page names its request')
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
}

/** *redirect X* of the contract: to the registered URL with error, description, state if there was one, and issuer. */
export function expectRedirect(
  { status, headers }: Answer,
  error: string,
  o: { state?: string | null } = {},
): URLSearchParams {
  assert.equal(status, 303)
  return expectError(headers.location, error, o)
}

/** What *redirect X* is for a browser whose person has not allowed the app: a page, and its link leads there. */
export function expectHeld(answer: Answer, error: string, o: { state?: string | null } = {}): URLSearchParams {
  expectPage(answer)
  return expectError(linkIn(answer), error, o)
}

/** Where the page of a held error leads. */
export const linkIn = ({ text }: Answer) =>
  /<a class="button" href="([^"]+)">Go back to app\.example\.test</.exec(text)?.[1]?.replaceAll('&amp;', '&')

function expectError(
  location: string | undefined,
  error: string,
  { state = 'xyz' }: { state?: string | null },
): URLSearchParams {
  const { origin, pathname, searchParams } = new URL(location ?? '')
  assert.equal(`${origin}${pathname}`, redirectUrl)
  const found = ['error', 'state', 'iss'].map((name) => searchParams.get(name))
  assert.deepEqual(found, [error, state, authUrl])
  assert.equal(searchParams.has('code'), false)
  assert.match(searchParams.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  return searchParams
}

/** A consent page that is shown to the person. */
export async function openConsent(oauth: OAuthService, of: App, who: Member, changes: Record<string, string> = {}) {
  const { uid, cookie: own, answer } = await oauth.ask({ ...queryOf(of), ...changes })
  if (uid === null) throw new Error(`not asked: ${answer.headers.location}`)
  const cookie = `${own}; ${await oauth.signIn(who)}`
  const page = await oauth.raw({ path: `/oauth/consent/${uid}`, headers: { cookie } })
  return { uid, own, cookie, page }
}
