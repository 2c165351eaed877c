// Answers of pages: HTML with the headers that every page has (auth.md 4.3), and redirects.
import { send } from '@wds/http-service/respond'

type Exchange = Parameters<typeof send>[0]

/** Sends a page. `formTargets`: origins besides our own that a form of the page leads to, by a redirect (auth.md W26). */
export function sendPage(
  exchange: Exchange,
  o: { status: number; html: string; formTargets?: readonly string[]; headers?: Record<string, string> },
): void {
  const { response } = exchange
  const targets = ["'self'", ...(o.formTargets ?? [])].join(' ')
  const policy = `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action ${targets}`
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cache-Control', 'no-store')
  for (const [name, value] of Object.entries(o.headers ?? {})) response.setHeader(name, value)
  send(exchange, o.status, o.html)
}

/** 303: whatever the method was, the next one is GET, and a form is not posted on (auth.md A26). */
export function sendRedirect(exchange: Exchange, location: string): void {
  exchange.response.setHeader('Location', location)
  exchange.response.setHeader('Cache-Control', 'no-store')
  send(exchange, 303, null)
}
