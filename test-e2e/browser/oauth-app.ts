// A third party's app: a server that takes the redirect, and openid-client, which knows nothing but our metadata.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'openid-client'

/** Of the registration. */
export interface Credentials {
  clientId: string
  secret: string
}

export interface OAuthApp {
  /** On 127.0.0.1: another site than the service, which the browser sees as localhost. */
  origin: string
  redirectUrl: string
  /** What browsers asked of the app so far. */
  visits: { url: URL; headers: IncomingHttpHeaders }[]
  stop(): void
}

/** Pages by their paths are HTML of the app's own; without any it only says that it was reached. */
export async function startOAuthApp(pages: Record<string, string> = {}): Promise<OAuthApp> {
  const visits: OAuthApp['visits'] = []
  const server = createServer(({ url: target = '/', headers }, response) => {
    const url = new URL(target, `http://${headers.host}`)
    if (url.pathname !== '/favicon.ico') visits.push({ url, headers })
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(
      pages[url.pathname] ?? '<!doctype html><title>app</title><link rel="icon" href="data:,">Back in the app',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin, redirectUrl: `${origin}/callback`, visits, stop }
}

/** One authorisation as the app asks for it, and what it makes of the answer. */
export interface Authorisation {
  /** Where the app sends the person. */
  url: string
  /** Exchanges the code of the redirect; state, issuer and PKCE are checked by the client. */
  redeem(answer: URL): Promise<oauth.TokenEndpointResponse>
  refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse>
}

/** Discovers the service and begins an authorisation. */
export async function beginAuthorisation(
  issuer: string,
  { redirectUrl }: Pick<OAuthApp, 'redirectUrl'>,
  { clientId, secret, scope }: Credentials & { scope: string },
): Promise<Authorisation> {
  const config = await oauth.discovery(new URL(issuer), clientId, undefined, oauth.ClientSecretPost(secret), {
    algorithm: 'oauth2',
    // On loopback there is no TLS.
    execute: [oauth.allowInsecureRequests],
  })
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
  const expectedState = oauth.randomState()
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: redirectUrl,
    scope,
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return {
    url: url.href,
    redeem: (answer) => oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState }),
    refresh: (refreshToken) => oauth.refreshTokenGrant(config, refreshToken),
  }
}
