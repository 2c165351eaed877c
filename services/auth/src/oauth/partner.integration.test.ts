// The whole flow as a partner sees it: openid-client knows the issuer and its own credentials, and reads the rest from our metadata.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { redirectUrl } from './oauth-requests.fixture.ts'
import { authUrl, baseUrl, type OAuthService, startOAuth } from './oauth-service.fixture.ts'

let oauth: OAuthService
/** What was printed instead of logged. */
const printed: unknown[] = []
beforeAll(async () => {
  for (const name of ['info', 'warn', 'error', 'log'] as const) {
    jest.spyOn(console, name).mockImplementation((...words: unknown[]) => void printed.push(words))
  }
  oauth = await startOAuth()
})
afterAll(async () => {
  jest.restoreAllMocks()
  await oauth?.stop()
})

/** To the listener, by whatever host the metadata names. */
async function fetchHere(
  url: string,
  o: { method?: string; headers?: unknown; body?: unknown } = {},
): Promise<Response> {
  const { host, pathname, search } = new URL(url)
  const headers = Object.fromEntries(new Headers(o.headers as Record<string, string>))
  const body = o.body === undefined || o.body === null ? {} : { body: String(o.body) }
  const answer = await oauth.raw({ method: o.method ?? 'GET', path: `${pathname}${search}`, host, headers, ...body })
  const init = { status: answer.status, headers: answer.headers as Record<string, string> }
  return new Response(answer.text, init)
}

test.each([
  ['secret in the body', client.ClientSecretPost],
  ['secret by Basic', client.ClientSecretBasic],
])('a strict client completes the flow, refreshes, asks and revokes: %s', async (_, method) => {
  const app = await oauth.makeApp({ scopes: ['stats:read', 'webhooks:manage'] })
  const config = await client.discovery(new URL(authUrl), app.clientId, undefined, method(app.secret), {
    algorithm: 'oauth2',
    [client.customFetch]: fetchHere as unknown as client.CustomFetch,
  })
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUrl,
    scope: 'stats:read',
    state,
    code_challenge_method: 'S256',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
  })
  const query = Object.fromEntries(url.searchParams)
  const person = await oauth.makeMember()
  const { location } = await oauth.authorize(app, person, { scopes: ['stats:read'], query })
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await client.authorizationCodeGrant(config, new URL(location ?? ''), checks)
  expect(tokens).toMatchObject({
    token_type: 'bearer',
    scope: 'stats:read',
    user_context: { user: { id: person.userId } },
  })

  const jwks = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? ''), { [joseFetch]: fetchHere as never })
  const { payload } = await jwtVerify(tokens.access_token, jwks, { issuer: authUrl, audience: baseUrl, typ: 'at+jwt' })
  expect(payload.sub).toBe(person.userId)

  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(await client.tokenIntrospection(config, fresh.access_token)).toMatchObject({
    active: true,
    client_id: app.clientId,
  })
  await client.tokenRevocation(config, fresh.refresh_token ?? '')
  await expect(client.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(await client.tokenIntrospection(config, fresh.access_token)).toEqual({ active: false })
})

test('W13, W15: neither start nor requests, tokens among them, make the engine print a notice or a warning', async () => {
  await oauth.tokens(await oauth.makeApp(), await oauth.makeMember())
  expect(printed).toEqual([])
})
