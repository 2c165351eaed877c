// The one page of the app: the steps so far, and what can be done next. No script; every value is escaped.
import type { FlowState, Stage, Step } from './flow.ts'

interface Action {
  path: string
  label: string
}

const begin: Action = { path: '/begin', label: 'Begin' }
const again: Action = { path: '/begin', label: 'Begin again' }

/** What can be done at each stage, by a form of this page. */
const actions: Record<Stage, { text: string; actions: Action[] }> = {
  new: {
    text: 'This app wants to read your stats. It has no password of yours: it asks you, at the service.',
    actions: [begin],
  },
  consent: {
    text: 'Follow the link above, sign in as npm start says, and allow. You come back here by yourself.',
    actions: [again],
  },
  code: {
    text: 'The code alone is worth nothing: it takes the PKCE verifier and the client secret, which only this app has.',
    actions: [{ path: '/token', label: 'Exchange the code for tokens' }, again],
  },
  authorised: {
    text: 'The app acts for you now, within the scopes that you saw. In the console it stands under Connected apps.',
    actions: [
      { path: '/stats', label: 'Read stats' },
      { path: '/refresh', label: 'Refresh the tokens' },
      { path: '/revoke', label: 'Revoke the tokens' },
    ],
  },
  revoked: {
    text: 'The tokens are revoked. Read stats once more to see the refusal.',
    actions: [{ path: '/stats', label: 'Read stats' }, again],
  },
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] as string)

function stepSection({ title, note, request, answer }: Step, nth: number): string {
  return `<section aria-labelledby="step-${nth}">
<h2 id="step-${nth}">${nth}. ${escaped(title)}</h2>
<p>${escaped(note)}</p>
<h3>Request</h3>
<pre tabindex="0" aria-label="request of step ${nth}">${escaped(request)}</pre>
<h3>Answer</h3>
<pre tabindex="0" aria-label="answer of step ${nth}">${escaped(answer)}</pre>
</section>`
}

function authorizationSection(url: URL): string {
  const rows = [...url.searchParams].map(([name, value]) => `${name} = ${value}`).join('\n')
  return `<section aria-labelledby="authorise">
<h2 id="authorise">Authorise</h2>
<p><a href="${escaped(url.href)}">Go to the service and decide</a></p>
<pre tabindex="0" aria-label="address of the authorisation">${escaped(`GET ${url.origin}${url.pathname}\n${rows}`)}</pre>
</section>`
}

export function page({ stage, steps, authorizationUrl, failure }: FlowState): string {
  const { text, actions: offered } = actions[stage]
  const forms = offered.map(
    ({ path, label }) => `<form method="post" action="${path}"><button>${escaped(label)}</button></form>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sample app: ${escaped(steps.at(-1)?.title ?? 'an OAuth client, step by step')}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
<main>
<h1>Sample app</h1>
${steps.map((step, index) => stepSection(step, index + 1)).join('\n')}
${failure === null ? '' : `<p class="failure" role="alert">${escaped(failure)}</p>`}
${stage === 'consent' && authorizationUrl !== null ? authorizationSection(authorizationUrl) : ''}
<section id="next" aria-labelledby="next-title">
<h2 id="next-title">Next</h2>
<p>${escaped(text)}</p>
<div class="actions">${forms.join('\n')}</div>
</section>
</main>
</html>
`
}

export const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
section { margin: 1.5rem 0; padding-top: 0.5rem; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
h2 { font-size: 1.15rem; }
h3 { font-size: 0.9rem; margin: 0.75rem 0 0.25rem; }
pre { margin: 0; padding: 0.75rem; overflow-x: auto; font: 0.85rem/1.5 ui-monospace, monospace;
  background: color-mix(in srgb, currentColor 7%, transparent); border-radius: 0.4rem; max-height: 22rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button { font: inherit; padding: 0.5rem 1rem; }
.failure { padding: 0.75rem; border: 2px solid; border-radius: 0.4rem; }
`
