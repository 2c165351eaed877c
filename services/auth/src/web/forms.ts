// Tells what a form of ours posted from what another site made the browser post (XO11, S17, auth.md W25): each form carries a token for what
// it is, what it showed and whom it was shown to.
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSameSecret } from '@wds/http-service/is-same-secret'
import type { MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import { type Cookies, isSameOrigin } from './cookies.ts'
import { type Form, fieldOf, readFields } from './form.ts'

/** One form as it is shown. The token of another is not taken for it. */
export interface ShownForm {
  purpose:
    | 'sign-in'
    | 'sign-out'
    | 'disconnect'
    | 'end-session'
    | 'end-others'
    | 'invitation'
    | 'password'
    | 'forgotten-password'
    | 'consent'
  /** Null: nobody need be signed in; it is bound to the browser by a cookie of its own. */
  sessionId: string | null
  /** What a post must not change. */
  about?: readonly string[]
}

export interface Forms {
  /** The hidden field with the token; sets the cookie of the browser where it is needed and missing. */
  hidden(exchange: Browser, form: ShownForm): Record<string, string>
  /**
   * What was posted. `form`: what must have been shown; of the fields themselves where they say it. Throws Problem `csrf_failed` unless a page
   * of ours in this browser posted just that, and those of `readFields`.
   */
  read(exchange: MountExchange, form: ShownForm | ((fields: Form) => ShownForm)): Promise<Form>
}

type Browser = { request: IncomingMessage; response: ServerResponse }

const tokenField = 'form_token'

/** `key`: 32 bytes that all processes share. */
export function createForms({ cookies, key }: { cookies: Cookies; key: Buffer }): Forms {
  const tokenOf = ({ purpose, sessionId, about = [] }: ShownForm, browser: string | null) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, sessionId, sessionId === null ? browser : null, about]))
      .digest('base64url')
  const secretOf = (request: IncomingMessage): string | null => {
    const value = cookies.read(request.headers.cookie, 'form')
    return value !== null && /^[\w-]{43}$/.test(value) ? value : null
  }
  return {
    hidden: ({ request, response }, form) => {
      let browser = form.sessionId === null ? secretOf(request) : null
      if (form.sessionId === null && browser === null) {
        browser = randomBytes(32).toString('base64url')
        cookies.set(response, 'form', browser)
      }
      return { [tokenField]: tokenOf(form, browser) }
    },
    read: async (exchange, given) => {
      const { request } = exchange
      const fields = await readFields(exchange)
      const form = typeof given === 'function' ? given(fields) : given
      const browser = secretOf(request)
      const isBound = form.sessionId !== null || browser !== null
      // The origin says nothing: with `no-referrer` browsers send `null` (W25).
      const isOurs =
        isSameOrigin(request) && isBound && isSameSecret(fieldOf(fields, tokenField), tokenOf(form, browser))
      if (!isOurs) throw new Problem('csrf_failed')
      return fields
    },
  }
}
