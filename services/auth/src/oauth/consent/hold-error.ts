// Whether an error of an authorisation request sends the browser on to the app, or is shown here first (decision 76, RFC 9700 4.11.2): a
// redirect to whatever URL somebody has registered lends our address to a fraud.

import { sendPage } from '@wds/html-pages/send-page'
import type { MountExchange } from '@wds/http-service/mount'
import { findClient } from '../../oauth-apps/store.ts'
import { heldErrorPage } from '../../pages/held-error-page.ts'
import { findSession, type Sessions } from '../../sessions/session.ts'
import type { ErrorRedirect } from '../engine/error-redirects.ts'
import { hasAllowed } from '../grants/store.ts'

/** Resolves with true when the page was sent, which leads on by a link. */
export async function holdError(exchange: MountExchange, redirect: ErrorRedirect, o: Sessions): Promise<boolean> {
  const { appId, clientId, location, description } = redirect
  const session = await findSession(o, exchange.request.headers.cookie)
  // They saw on the consent page to whom, and to which host, it leads.
  if (session !== null && (await hasAllowed(o.pool, { userId: session.userId, appId }))) return false
  const client = await findClient(o.pool, clientId)
  const app = client && { name: client.name, ownerWorkspaceName: client.workspaceName }
  const html = heldErrorPage({ app, location, description, requestId: exchange.requestId })
  for (const name of ['Location', 'Content-Length']) exchange.response.removeHeader(name)
  sendPage(exchange, { status: 400, html })
  return true
}
