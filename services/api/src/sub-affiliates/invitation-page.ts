// The page that an invitation's link leads to: it shows a form, and its POST accepts. It works without JavaScript, and opening it accepts
// nothing, since mail filters open links. It names nobody: whoever finds the link learns nothing.
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { send } from '@wds/http-service/respond'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { accept, invitedBy } from './accept-invitation.ts'
import { invitationPath } from './invitation-link.ts'

/** `pool`: of the HTTP role, for the tokens that are not known. */
export function invitationMount({ pool }: { pool: Pool }): Mount {
  return {
    path: invitationPath,
    methods: ['GET', 'HEAD', 'POST'],
    handle: async (request, _response, exchange) => {
      const { token = '' } = exchange.params
      const invited = await withTransaction(pool, { workspaceId: null, readOnly: true }, (tx) => invitedBy(tx, token))
      if (invited === null) return sendPage(exchange, 404, gone)
      if (request.method !== 'POST') return sendPage(exchange, 200, open)
      const isAccepted = await exchange.inWorkspace(invited.workspaceId, (tx) => accept(tx, invited, token))
      return isAccepted ? sendPage(exchange, 200, accepted) : sendPage(exchange, 404, gone)
    },
  }
}

interface Page {
  title: string
  text: string
  hasForm?: boolean
}

const open: Page = {
  title: 'You are invited as a sub-affiliate',
  text: 'You refer visitors, and are paid a commission by the plan that you agreed on. Whoever invited you can tell you more about it.',
  hasForm: true,
}
const accepted: Page = { title: 'You have joined', text: 'The invitation is accepted. You can close this page.' }
const gone: Page = {
  title: 'This invitation is no longer valid',
  text: 'It was used already, has run out or was taken back. Ask for a new one.',
}

function sendPage(exchange: MountExchange, status: number, { title, text, hasForm }: Page): void {
  const { response } = exchange
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('X-Frame-Options', 'DENY')
  // The address holds the token.
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cache-Control', 'no-store')
  // Without an action the form is posted to the address of the page.
  const form = '\n<form method="post"><button>Accept the invitation</button></form>'
  send(
    exchange,
    status,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>${hasForm ? form : ''}
</main>
</body>
</html>
`,
  )
}
