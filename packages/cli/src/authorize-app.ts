// `apps authorize`: acts as an app on the developer's machine, from the address to open in a browser to the tokens.
import { loopbackHosts } from '@wds/loopback-server/loopback-server'
import * as oauth from 'openid-client'
import { awaitRedirect } from './await-redirect.ts'
import { type Command, required, secretOf, UsageError, type Values } from './command.ts'
import { OperatorError } from './operator.ts'

export const authorizeApp: Command['run'] = async ({ values, access, print, notify }) => {
  const clientId = required(values, 'client-id')
  const secret = secretOf(values, 'client-secret-file')
  const { redirectUrl, scope, withinMs } = requestOf(values)
  const api = typeof values.api === 'string' ? values.api.replace(/\/$/, '') : access().baseUrl
  const config = await discover(api, clientId, secret)
  const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()]
  const address = oauth.buildAuthorizationUrl(config, {
    redirect_uri: redirectUrl.href,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const awaited = await awaitRedirect({ redirectUrl, state, withinMs })
  try {
    const refusal = await refusalOf(address, redirectUrl)
    if (refusal === null) notify(`Open in a browser, sign in and allow. Ctrl-C ends the wait.\n\n${address.href}\n`)
    const tokens = await oauth.authorizationCodeGrant(config, refusal ?? (await awaited.answer), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    print(values.json === true ? JSON.stringify(tokens) : describe(tokens, api))
  } catch (error) {
    throw inWords(error)
  } finally {
    awaited.close()
  }
}

function requestOf(values: Values): { redirectUrl: URL; scope: string; withinMs: number } {
  const { 'redirect-url': redirect = 'http://localhost:8123/callback', scopes = 'stats:read', timeout = '600' } = values
  const redirectUrl = URL.parse(String(redirect))
  if (redirectUrl?.protocol !== 'http:' || !loopbackHosts.includes(redirectUrl.hostname) || redirectUrl.search !== '')
    throw new UsageError('--redirect-url is http:// on localhost, 127.0.0.1 or [::1], without a query')
  const seconds = Number(timeout)
  if (!(seconds > 0 && seconds <= 3600)) throw new UsageError('--timeout is a number of seconds up to 3600')
  return { redirectUrl, scope: String(scopes).split(',').join(' '), withinMs: seconds * 1000 }
}

/** From the API to its issuer (RFC 9728), from the issuer to its endpoints (RFC 8414). @throws OperatorError */
async function discover(api: string, clientId: string, secret: string): Promise<oauth.Configuration> {
  try {
    const response = await fetch(`${api}/.well-known/oauth-protected-resource`, { signal: AbortSignal.timeout(15_000) })
    const { authorization_servers: issuers } = (await response.json()) as { authorization_servers: [string] }
    const issuer = new URL(issuers[0])
    // Without TLS on this machine only.
    const execute = loopbackHosts.includes(issuer.hostname) ? [oauth.allowInsecureRequests] : []
    const authentication = oauth.ClientSecretPost(secret)
    return await oauth.discovery(issuer, clientId, undefined, authentication, { algorithm: 'oauth2', execute })
  } catch (error) {
    throw new OperatorError(`no OAuth server is found by ${api}: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * What the request is refused with before anybody signs in, told here instead of in the browser: null when it is not.
 * @throws OperatorError when it has to be refused on a page, not by a redirect
 */
async function refusalOf(address: URL, redirectUrl: URL): Promise<URL | null> {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(15_000) })
  await response.arrayBuffer()
  if (response.status === 400)
    throw new OperatorError(
      `refused (400): the client id is unknown, or ${redirectUrl.href} is not, character for character, a redirect URL of the app`,
    )
  if (response.status !== 303) throw new OperatorError(`refused (${response.status}) by ${address.origin}`)
  const location = new URL(response.headers.get('location') ?? '', address)
  return location.origin === redirectUrl.origin ? location : null
}

function describe(tokens: oauth.TokenEndpointResponse, api: string): string {
  const { access_token: token, refresh_token, expires_in, scope = '', user_context } = tokens
  const lines = [
    `access token   ${token}  (for ${expires_in} s)`,
    `refresh token  ${refresh_token}  (single use: each refresh gives a new one)`,
    `scopes         ${scope}`,
    `user_context   ${JSON.stringify(user_context)}`,
  ]
  if (scope.split(' ').includes('stats:read'))
    lines.push(
      `\nRead stats with it:\n\ncurl -gsSw '\\n' '${api}/v1/stats?from=2026-11-01&to=2026-11-01&metrics=clicks,ftds' -H 'Authorization: Bearer ${token}'`,
    )
  return lines.join('\n')
}

/** OAuth errors, of the redirect and of the token endpoint, as one sentence. */
function inWords(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')
    return new OperatorError(`denied (access_denied): ${error.error_description ?? 'the person did not allow it'}`)
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return new OperatorError(`refused (${error.error}): ${error.error_description ?? 'no reason given'}`)
  if (error instanceof oauth.ClientError) return new OperatorError(`not a valid answer: ${error.message}`)
  return error
}
