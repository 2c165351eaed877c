// The only place that calls the API (ui.md 1): settings routes by session cookie and CSRF token, all others by a console token, which is kept
// in memory, renewed after four minutes or once after a 401, and fetched by one call at a time.

import { type ApiClient, type ApiClientOptions, createApiClient } from '@wds/api-client/client'
import type { Method } from '@wds/api-client/operations'
import { isProblem } from '@wds/api-client/problem'
import type { components } from '@wds/api-client/schemas'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { texts } from './texts.ts'

/** Shapes of the API by the names of the OpenAPI files. */
export type Schemas = components['schemas']

/** A token lives five minutes; it is renewed a minute earlier. */
const renewAfterMs = 240_000

export interface ConsoleApi extends ApiClient {
  /** Tells the CSRF token of the session that was read; a token of another workspace is forgotten. */
  takeSession(csrfToken: string): void
  /** From now on every write is refused here: another tab has switched to another workspace. */
  stopWrites(): void
  /** Signs out, whichever workspace is the current one by now: nothing of a workspace is written by it. */
  endSession(): Promise<void>
}

/** Thrown by a write of a page whose workspace is no longer the current one. */
export class WritesStopped extends Error {
  override readonly name = 'WritesStopped'
}

const asksForSession = (error: unknown) =>
  isProblem(error, 'csrf_failed') || isProblem(error, 'recent_sign_in_required')

/** `now`: monotonic milliseconds. `onSessionEnd`: an answer said that nobody is signed in, or somebody anew, or that it takes a new sign-in. */
export function createConsoleApi(o: {
  baseUrl: string
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  now?: () => number
  onSessionEnd?: () => void
}): ConsoleApi {
  const now = o.now ?? (() => performance.now())
  let csrf: string | null = null
  let token: { text: string; madeMs: number } | null = null
  let fetching: Promise<string> | null = null
  let isStopped = false

  const base = withoutUndefined<ApiClientOptions>({ baseUrl: o.baseUrl, fetch: o.fetch })
  const client = createApiClient({ ...base, bearer, settings: { baseUrl: '', csrfToken: () => csrf } })

  function bearer(): string | Promise<string> {
    if (token !== null && now() - token.madeMs < renewAfterMs) return token.text
    fetching ??= renew()
    return fetching
  }

  async function renew(): Promise<string> {
    const madeMs = now()
    try {
      const { data } = await client.post('/v1/session/token')
      token = { text: data.access_token, madeMs }
      return data.access_token
    } finally {
      fetching = null
    }
  }

  /** Once more with a new token, where the token was refused; a session that ended is told. */
  const retried = (method: Method) => {
    const send = client[method] as (path: string, options?: object) => Promise<unknown>
    const addressOf = client.addressOf as (method: Method, path: string, options: object) => string
    return async (path: string, options: object = {}) => {
      if (isStopped && method !== 'get') throw new WritesStopped(texts.workspace.switched)
      const before = token
      try {
        return await send(path, options)
      } catch (error) {
        // Somebody signed in anew in another tab, so the CSRF token here is that of a session that is over; or is to sign in anew.
        if (!isStopped && asksForSession(error)) o.onSessionEnd?.()
        if (!isProblem(error) || error.status !== 401) throw error
        // A settings route, which is on this very origin.
        if (addressOf(method, path, options).startsWith('/')) return giveUp(error)
        if (before === null || token === before) token = null
        const { idempotencyKey } = error
        return await send(path, idempotencyKey === null ? options : { idempotencyKey, ...options }).catch(giveUp)
      }
    }
  }

  function giveUp(error: unknown): never {
    if (isProblem(error) && error.status === 401) o.onSessionEnd?.()
    throw error
  }

  const methods = { get: retried('get'), post: retried('post'), patch: retried('patch'), delete: retried('delete') }
  return {
    ...(methods as unknown as Omit<ApiClient, 'addressOf'>),
    addressOf: client.addressOf,
    takeSession: (csrfToken) => {
      if (csrf !== null && csrf !== csrfToken) token = null
      csrf = csrfToken
    },
    stopWrites: () => {
      isStopped = true
    },
    async endSession() {
      // Another tab may have switched: the CSRF token is that of the current workspace, and is kept for this call alone.
      const { data } = await client.get('/v1/session')
      const ender = createApiClient({ ...base, settings: { baseUrl: '', csrfToken: () => data.csrf_token } })
      await ender.post('/v1/session/end')
    },
  }
}

const meta = (name: string) =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)

/** Address of the REST API, as the server wrote it into the document. */
export const baseUrl: string = meta('wds-base-url')?.content ?? ''

const sessionEndListeners = new Set<() => void>()

/** Calls back at each answer that asks for a new sign-in; returns how to stop. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEndListeners.add(listener)
  return () => sessionEndListeners.delete(listener)
}

export const api: ConsoleApi = createConsoleApi({
  baseUrl,
  onSessionEnd: () => {
    for (const listener of sessionEndListeners) listener()
  },
})
