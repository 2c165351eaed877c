// The cookies of the pages and of the settings API: one name and one set of attributes each, by the address that people use (auth.md 1.1).
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a cookie is for; its name is made from it. */
export type CookieName = 'session' | 'form' | 'browser' | 'upstream'

export interface Cookies {
  /** The value, or null: without one, or where two of the name were sent. */
  read(header: string | undefined, name: CookieName): string | null
  /** Until the browser ends, unless `maxAgeSeconds` is told. */
  set(response: ServerResponse, name: CookieName, value: string, o?: { maxAgeSeconds?: number }): void
  clear(response: ServerResponse, name: CookieName): void
}

/**
 * `authUrl`: WDS_AUTH_URL. Over TLS with the prefix `__Host-`, so that no other host and no page without TLS can plant one; without TLS,
 * which is for local development only, neither prefix nor `Secure`.
 */
export function createCookies(authUrl: string): Cookies {
  const secure = new URL(authUrl).protocol === 'https:'
  const nameOf = (name: CookieName) => `${secure ? '__Host-' : ''}wds_${name}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read: (header, name) => {
      const prefix = `${nameOf(name)}=`
      const found = (header ?? '')
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(prefix))
      const [only] = found
      return only !== undefined && found.length === 1 && only.length > prefix.length ? only.slice(prefix.length) : null
    },
    set: (response, name, value, { maxAgeSeconds } = {}) => {
      const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
      response.appendHeader('Set-Cookie', `${nameOf(name)}=${value}; ${attributes}${age}`)
    },
    clear: (response, name) => void response.appendHeader('Set-Cookie', `${nameOf(name)}=; ${attributes}; Max-Age=0`),
  }
}

/** Does the browser say that the request was made by a page of this very origin? */
export function isSameOrigin(request: IncomingMessage): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin'
}
