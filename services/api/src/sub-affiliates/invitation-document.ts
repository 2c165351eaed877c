// What the page of an invitation says, by what became of the invitation. It names the workspace that invites, and never whom: the link may
// be found by somebody else.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type Html, html } from '@wds/html-pages/html'
import { pagesUnder } from '@wds/html-pages/page'
import type { InvitationState } from './store-invitations.ts'

/** Its stylesheet and icon stand beside it, since all of `/v1` leads to the API on every host. */
const { page, mounts } = pagesUnder('/v1/sub-affiliate-invitations/assets')
export const invitationAssets = mounts

export interface InvitationView {
  /** `accepted`: just now. `unknown`: no link of ours. */
  state: InvitationState | 'accepted' | 'unknown'
  /** Null where it is not known; the workspace chose it. */
  workspaceName: string | null
  /** Of an open one. */
  expiresMs: number
  requestId: string
}

export function invitationDocument(view: InvitationView): string {
  const { state, workspaceName } = view
  const who = workspaceName === null ? html`whoever invited you` : html`<bdi>${workspaceName}</bdi>`
  if (state === 'open') return page({ title: 'Invitation', main: openInvitation(view, who) })
  const { title, text } = outcomes(who)[state]
  const main = html`<h1>${title}</h1>
${text.map((paragraph) => html`<p>${paragraph}</p>`)}`
  return page(withoutUndefined({ title, main, requestId: state === 'accepted' ? undefined : view.requestId }))
}

/** Without an action the form is posted to the address of the page. */
function openInvitation({ workspaceName, expiresMs }: InvitationView, who: Html): Html {
  const isKnown = workspaceName !== null
  return html`<h1>${isKnown ? html`Join ${who} as a sub-affiliate` : 'Join as a sub-affiliate'}</h1>
<p class="lead">${isKnown ? html`${who} invites you` : 'You are invited'} to refer visitors to brands. You are paid a commission by the plan that you agreed on.</p>
<h2>What happens next</h2>
<ol class="steps">
<li>You accept here. There is no account to make and no password to choose.</li>
<li>${isKnown ? who : 'Whoever invited you'} sees that you have joined, and gives you the links by which your visitors are counted.</li>
<li>Once a month is closed, what you earned in it can be paid out to you.</li>
</ol>
<form method="post"><button class="primary">Accept the invitation</button></form>
<p class="aside">Nothing happens unless you accept. The link works once, until ${dayText(expiresMs)}.</p>`
}

interface Outcome {
  /** Our words alone. */
  title: string
  text: (string | Html)[]
}

function outcomes(who: Html): Record<Exclude<InvitationView['state'], 'open'>, Outcome> {
  return {
    accepted: {
      title: 'You have joined',
      text: [
        html`The invitation is accepted, and nothing more is to be done here. Links, numbers and payouts come from ${who}.`,
        'You can close this page. The link that led here is used up.',
      ],
    },
    used: {
      title: 'This invitation was accepted already',
      text: [html`Nothing more is to be done. If it was not you who accepted, tell ${who}.`],
    },
    expired: {
      title: 'This invitation has run out',
      text: [html`An invitation is good for 14 days. Ask ${who} for a new one.`],
    },
    replaced: {
      title: 'There is a newer invitation',
      text: [html`This link was replaced by another one. Open the newest that you got, or ask ${who} for it.`],
    },
    withdrawn: {
      title: 'This invitation was withdrawn',
      text: [html`It was taken back before it was accepted. If you did not expect that, ask ${who}.`],
    },
    unknown: {
      title: 'This link leads nowhere',
      text: ['It may have been cut off when it was copied. Open the whole link, or ask whoever sent it for a new one.'],
    },
  }
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const dayText = (atMs: number): string => `${day.format(atMs)} UTC`
