// The page that an invitation's link leads to: it shows a form, and its POST accepts. It works without JavaScript, and opening it accepts
// nothing, since mail filters open links.
import { sendPage } from '@wds/html-pages/send-page'
import type { Mount } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { readWorkspaceName } from '../settings/store-workspace-names.ts'
import { accept, invitedBy } from './accept-invitation.ts'
import { type InvitationView, invitationAssets, invitationDocument } from './invitation-document.ts'
import { invitationPath } from './invitation-link.ts'
import type { Invited } from './store-invitations.ts'

/** `pool`: of the HTTP role, for the tokens that are not known. */
export function invitationMounts({ pool }: { pool: Pool }): Mount[] {
  const page: Mount = {
    path: invitationPath,
    methods: ['GET', 'HEAD', 'POST'],
    handle: async (request, _response, exchange) => {
      const { requestId, params } = exchange
      const { token = '' } = params
      const show = (status: number, view: Omit<InvitationView, 'requestId'>) =>
        sendPage(exchange, { status, html: invitationDocument({ ...view, requestId }) })
      const invited = await withTransaction(pool, { workspaceId: null, readOnly: true }, (tx) => invitedBy(tx, token))
      if (invited === null) return show(404, { state: 'unknown', workspaceName: null, expiresMs: 0 })
      const isPosted = request.method === 'POST'
      const view = await exchange.inWorkspace(invited.workspaceId, (tx) => visit(tx, invited, { token, isPosted }))
      return show(view.state === 'open' || view.state === 'accepted' ? 200 : 410, view)
    },
  }
  return [page, ...invitationAssets]
}

/** Accepts by a form that was sent; what it comes too late for is shown as it is then. */
async function visit(
  tx: Transaction,
  invited: Invited,
  o: { token: string; isPosted: boolean },
): Promise<Omit<InvitationView, 'requestId'>> {
  const workspaceName = await readWorkspaceName(tx)
  if (o.isPosted && (await accept(tx, invited, o.token))) return { ...invited, workspaceName, state: 'accepted' }
  const { state, expiresMs } = (o.isPosted ? await invitedBy(tx, o.token) : null) ?? invited
  return { workspaceName, expiresMs, state }
}
