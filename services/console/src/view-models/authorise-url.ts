// Builds the address that an app sends a person to, and the token call behind it (RFC 6749 4.1, RFC 7636). Nothing is sent or stored.
import { shellQuote } from './curl-text.ts'

/** base64url without padding, as PKCE writes bytes. */
export function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** S256 challenge of a verifier. Throws where the page is on no secure origin, since browsers hash nothing there. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url(new Uint8Array(digest))
}

export interface AuthoriseRequest {
  clientId: string
  redirectUrl: string
  scopes: readonly string[]
  state: string
  challenge: string
}

/** `endpoint`: `authorization_endpoint` of the metadata. */
export function authoriseUrl(endpoint: string, o: AuthoriseRequest): string {
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: o.clientId,
    redirect_uri: o.redirectUrl,
    scope: o.scopes.join(' '),
    state: o.state,
    code_challenge: o.challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The call that redeems the code, with code and secret as variables of the shell. */
export function tokenCurl(
  endpoint: string,
  o: Pick<AuthoriseRequest, 'clientId' | 'redirectUrl'> & { verifier: string },
): string {
  const field = (name: string, value: string) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`
  return [
    `curl -sS -X POST ${shellQuote(endpoint)}`,
    field('grant_type', 'authorization_code'),
    `--data-urlencode "code=$CODE"`,
    field('redirect_uri', o.redirectUrl),
    field('client_id', o.clientId),
    `--data-urlencode "client_secret=$CLIENT_SECRET"`,
    field('code_verifier', o.verifier),
  ].join(' \\\n  ')
}
