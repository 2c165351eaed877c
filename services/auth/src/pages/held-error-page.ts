// An app asked for an authorisation in a way that is not accepted, and the person decides whether to go on to it (decision 76).
import { html } from '@wds/html-pages/html'
import { page } from './frame.ts'

export type HeldErrorModel = {
  /** Null: it was deleted meanwhile. */
  app: { name: string; ownerWorkspaceName: string } | null
  /** The app's redirect URL with the error; the page shows its host, in punycode. */
  location: string
  /** For its developers. */
  description: string | undefined
  requestId: string
}

export function heldErrorPage({ app, location, description, requestId }: HeldErrorModel): string {
  const title = 'This request cannot go on'
  const { host } = new URL(location)
  return page({
    title,
    requestId,
    main: html`<h1>${title}</h1>
<p>The app that sent you here asked in a way that is not accepted. It was given nothing.</p>
<dl class="facts">
${
  app !== null &&
  html`<div><dt>App</dt><dd><bdi>${app.name}</bdi></dd></div>
<div><dt>Made by</dt><dd><bdi>${app.ownerWorkspaceName}</bdi></dd></div>`
}
<div><dt>Sends you to</dt><dd><code>${host}</code></dd></div>
</dl>
${description !== undefined && html`<p>For its developers: ${description}.</p>`}
<p>Go there only if you came from there. It is not a page of ours: do not type the password of this service there.</p>
<p class="next"><a class="button" href="${location}">Go back to ${host}</a></p>`,
  })
}
