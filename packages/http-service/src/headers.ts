// The headers that every answer has: request ids, security headers, CORS. It adds nothing that depends on what was asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

type Handler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

/** C86: one year in seconds. */
export const strictTransportSecurity = 'max-age=31536000; includeSubDomains'

/** Sets the security headers of JSON answers and of the problem pages (C86), which are the same for every answer. */
export function createSecurityHeaders(): (response: ServerResponse) => void {
  const headers = headersOf(helmetHandler())
  return (response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
  }
}

/** The library's own. For tests. */
export function helmetHandler(): Handler {
  return helmet({
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // A listed origin reads answers by CORS; everybody else is kept out by it.
    crossOriginResourcePolicy: { policy: 'same-origin' },
  }) as Handler
}

/** What the handler sets on an answer, asked once: it looks at no request. */
function headersOf(handler: Handler): [string, string][] {
  const headers: [string, string][] = []
  const recording = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  handler({} as IncomingMessage, recording as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error
  })
  return headers
}

/** Every line of a header as it was sent; `name` in lower case. Node's `headersDistinct` would read all the others as well. */
export function linesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? ''
    if (given.length === name.length && given.toLowerCase() === name) lines.push(rawHeaders[at + 1] ?? '')
  }
  return lines
}

/** C84: the client's own id, or null when it is not 1 to 128 of the allowed characters. */
export function clientRequestId(request: IncomingMessage): string | null {
  const given = request.headers['x-request-id'] ?? request.headers['x-client-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : null
}

const exposed =
  'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Client-Request-Id, Idempotency-Replayed, ' +
  'Deprecation, Sunset, Link'
const allowed = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id'

/** C85: headers for an origin of the list. Returns true when the request is a preflight: it is answered with 204 and without a token. */
export function setCorsHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  origins: ReadonlySet<string>,
): boolean {
  if (origins.size === 0) return false
  response.appendHeader('Vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', exposed)
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE')
  response.setHeader('Access-Control-Allow-Headers', allowed)
  // Ten minutes: a changed list takes effect soon, and a console does not ask before every call.
  response.setHeader('Access-Control-Max-Age', '600')
  return true
}
