// The routes of the app: its page, the redirect URL, and the forms. Each browser has a flow of its own; the newest hundred are kept, in memory only.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Flow, openFlow } from './flow.ts'
import { page, style } from './page.ts'
import type { Registration } from './registration.ts'

const flowsMax = 100
const cookieName = 'sample_app'

/** No script, no foreign content; forms go to this app alone. */
const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

const steps: Record<string, (flow: Flow) => Promise<void>> = {
  '/begin': (flow) => flow.begin(),
  '/token': (flow) => flow.exchange(),
  '/stats': (flow) => flow.readStats(),
  '/refresh': (flow) => flow.refresh(),
  '/revoke': (flow) => flow.revoke(),
}

export function sampleApp(app: Registration): RequestListener {
  const redirectUrl = new URL(app.redirect_url)
  const flows = new Map<string, Flow>()

  function flowOf(request: IncomingMessage, response: ServerResponse): Flow {
    const known = new RegExp(`(?:^|; )${cookieName}=([\\w-]{22})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
    const found = known === undefined ? undefined : flows.get(known)
    if (found !== undefined) return found
    const id = randomBytes(16).toString('base64url')
    const flow = openFlow(app)
    flows.set(id, flow)
    for (const oldest of [...flows.keys()].slice(0, -flowsMax)) flows.delete(oldest)
    response.setHeader('Set-Cookie', `${cookieName}=${id}; HttpOnly; SameSite=Lax; Path=/`)
    return flow
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, type: string, text: string) =>
      response.writeHead(status, { ...headers, 'Content-Type': `${type}; charset=utf-8` }).end(text)
    const back = () => response.writeHead(303, { ...headers, Location: '/#next' }).end()
    request.resume()
    const url = URL.parse(`${redirectUrl.origin}${request.url}`)
    // Another name of this address could be anybody's (DNS rebinding).
    if (url === null || request.headers.host !== redirectUrl.host)
      return void send(421, 'text/plain', 'Not this app.\n')
    if (request.method === 'POST') {
      const step = steps[url.pathname]
      if (step === undefined) return void send(404, 'text/plain', 'There is no such step.\n')
      if (request.headers['sec-fetch-site'] !== 'same-origin')
        return void send(403, 'text/plain', 'Only forms of this page are accepted.\n')
      await step(flowOf(request, response))
      return void back()
    }
    if (url.pathname === '/style.css') return void send(200, 'text/css', style)
    if (url.pathname === redirectUrl.pathname) {
      flowOf(request, response).receiveRedirect(url)
      // The code does not stay in the address.
      return void back()
    }
    if (url.pathname !== '/') return void send(404, 'text/plain', 'There is no such page.\n')
    send(200, 'text/html', page(flowOf(request, response).state))
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }
}
