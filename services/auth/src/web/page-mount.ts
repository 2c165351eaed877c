// A page or form of ours as a mount of the HTTP kit: what its handler throws is shown as a page, since a person reads it.

import { sendPage } from '@wds/html-pages/send-page'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import { messagePage } from '../pages/message-page.ts'

const titles: Partial<Record<Problem['code'], string>> = {
  csrf_failed: 'This form is no longer valid',
  unavailable: 'We are very busy right now',
  not_found: 'There is nothing here',
  recent_sign_in_required: 'Sign in again first',
}

const texts: Partial<Record<Problem['code'], string>> = {
  csrf_failed:
    'It was opened in another browser, or too long ago. Nothing was changed. Go back, load the page again and repeat what you did.',
  unavailable: 'Please try again in a moment.',
  not_found: 'Check the address.',
  recent_sign_in_required:
    'You signed in more than ten minutes ago. How you sign in, and where you are signed in, is changed only soon after you did.',
}

/** What to do next. The way back leads to the account. */
const links: Partial<Record<Problem['code'], { text: string; href: string }>> = {
  recent_sign_in_required: { text: 'Sign in again', href: '/sign-in?return_to=%2Fsign-in' },
  invalid_state: { text: 'Your account', href: '/sign-in' },
}

/** A fault that is no Problem goes on to the kit, which logs it. */
export function pageMount(
  o: Pick<Mount, 'path' | 'methods'> & { handle(exchange: MountExchange): Promise<void> },
): Mount {
  const { path, methods, handle } = o
  return {
    path,
    methods,
    handle: async (_request, _response, exchange) => {
      try {
        await handle(exchange)
      } catch (error) {
        if (!(error instanceof Problem) || exchange.response.headersSent) throw error
        exchange.code = error.code
        const { code, status, headers } = error
        const title = titles[code] ?? 'That did not work'
        const { requestId } = exchange
        const html = messagePage({ title, text: [texts[code] ?? error.detail], link: links[code], requestId })
        sendPage(exchange, { status, html, headers })
      }
    },
  }
}
