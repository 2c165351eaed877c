// Apps built on the OAuth clients of other makers, each as its documentation says; openid-client is in browser/oauth-app.ts.
import { randomBytes } from 'node:crypto'
import { generateCodeVerifier, OAuth2Client, type OAuth2Token } from '@badgateway/oauth2-client'
import { calculatePKCECodeChallenge } from 'openid-client'
import OAuth2Strategy from 'passport-oauth2'
import { AuthorizationCode } from 'simple-oauth2'
import type { Credentials } from '../browser/oauth-app.ts'

/** The members that the tests look at of an answer of the token endpoint. */
export interface Tokens {
  access_token: string
  refresh_token: string
  user_context: unknown
}

export interface Flow {
  /** Where the app sends the person. */
  url: string
  /** Exchanges the code of the redirect. */
  redeem(answer: URL): Promise<Tokens>
  refresh(tokens: Tokens): Promise<Tokens>
  /** RFC 7009; null where the client cannot. */
  revoke: ((tokens: Tokens) => Promise<unknown>) | null
  /** The error code of the token endpoint, as this client tells it. */
  codeOf(error: unknown): unknown
}

export interface Registration extends Credentials {
  issuer: string
  redirectUrl: string
  scope: string
}

/** Reads the metadata by itself, and takes the first authentication method there. */
async function badgateway({ issuer, clientId, secret, redirectUrl, scope }: Registration): Promise<Flow> {
  const client = new OAuth2Client({ server: `${issuer}/`, clientId, clientSecret: secret })
  const state = randomBytes(16).toString('hex')
  const codeVerifier = await generateCodeVerifier()
  const toTokens = (token: OAuth2Token): Tokens => ({
    access_token: token.accessToken,
    refresh_token: token.refreshToken as string,
    user_context: token.extraParams?.user_context,
  })
  const fromTokens = ({ access_token: accessToken, refresh_token: refreshToken }: Tokens): OAuth2Token => ({
    accessToken,
    refreshToken,
    expiresAt: null,
  })
  return {
    url: await client.authorizationCode.getAuthorizeUri({
      redirectUri: redirectUrl,
      state,
      codeVerifier,
      scope: [scope],
    }),
    redeem: async (answer) =>
      toTokens(
        await client.authorizationCode.getTokenFromCodeRedirect(answer, {
          redirectUri: redirectUrl,
          state,
          codeVerifier,
        }),
      ),
    refresh: async (tokens) => toTokens(await client.refreshToken(fromTokens(tokens))),
    revoke: (tokens) => client.revoke(fromTokens(tokens), 'refresh_token'),
    codeOf: (error) => (error as { oauth2Code: string }).oauth2Code,
  }
}

/** For clients that are told each endpoint. */
async function metadataOf(issuer: string): Promise<Record<string, string>> {
  return (await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json()) as Record<string, string>
}

/** Authenticates by Basic; leaves PKCE and state to the app. */
async function simpleOAuth2({ issuer, clientId, secret, redirectUrl, scope }: Registration): Promise<Flow> {
  const metadata = await metadataOf(issuer)
  const pathOf = (endpoint: string) => new URL(metadata[endpoint] as string).pathname
  const client = new AuthorizationCode({
    client: { id: clientId, secret },
    auth: {
      tokenHost: new URL(metadata.token_endpoint as string).origin,
      tokenPath: pathOf('token_endpoint'),
      revokePath: pathOf('revocation_endpoint'),
      authorizeHost: new URL(metadata.authorization_endpoint as string).origin,
      authorizePath: pathOf('authorization_endpoint'),
    },
  })
  const verifier = randomBytes(32).toString('base64url')
  const pkce = { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
  const restore = (tokens: Tokens) => client.createToken({ ...tokens })
  return {
    url: client.authorizeURL({ redirect_uri: redirectUrl, scope, state: randomBytes(16).toString('hex'), ...pkce }),
    redeem: async (answer) => {
      const code = answer.searchParams.get('code') as string
      const proof = { code, redirect_uri: redirectUrl, code_verifier: verifier }
      return (await client.getToken(proof)).token as unknown as Tokens
    },
    refresh: async (tokens) => (await restore(tokens).refresh()).token as unknown as Tokens,
    revoke: (tokens) => restore(tokens).revoke('refresh_token'),
    codeOf: (error) => (error as { data: { payload: { error: string } } }).data.payload.error,
  }
}

/** Inside a server's session, with the secret in the body; refreshes as passport-oauth2-refresh does it. */
async function passport({ issuer, clientId, secret, redirectUrl, scope }: Registration): Promise<Flow> {
  const metadata = await metadataOf(issuer)
  class Strategy extends OAuth2Strategy {
    get client() {
      return this._oauth2
    }
  }
  // It takes the refresh token out of the answer and gives it apart.
  const withRefreshToken = (answer: Tokens, refresh_token: string): Tokens => ({ ...answer, refresh_token })
  const strategy = new Strategy(
    {
      clientID: clientId,
      clientSecret: secret,
      callbackURL: redirectUrl,
      scope,
      state: true,
      pkce: true,
      authorizationURL: metadata.authorization_endpoint as string,
      tokenURL: metadata.token_endpoint as string,
    },
    (_access: string, refresh: string, answer: Tokens, _profile: unknown, done: OAuth2Strategy.VerifyCallback) =>
      done(null, withRefreshToken(answer, refresh) as Express.User),
  )
  const session = {}
  /** What the middleware of Passport does with a request: the address to go to, or what the app was given. */
  const handle = (query: Record<string, string>) =>
    new Promise<string | Express.User>((resolve, reject) => {
      const outcomes = { redirect: resolve, success: resolve, error: reject, fail: reject }
      Object.assign(Object.create(strategy), outcomes).authenticate({ query, session } as never)
    })
  return {
    url: (await handle({})) as string,
    redeem: async (answer) => (await handle(Object.fromEntries(answer.searchParams))) as Tokens,
    refresh: (tokens) =>
      new Promise((resolve, reject) => {
        const parameters = { grant_type: 'refresh_token' }
        strategy.client.getOAuthAccessToken(tokens.refresh_token, parameters, (error, _access, refresh, answer) =>
          error ? reject(error) : resolve(withRefreshToken(answer, refresh as string)),
        )
      }),
    revoke: null,
    codeOf: (error) => JSON.parse((error as { data: string }).data).error,
  }
}

export const clients = {
  '@badgateway/oauth2-client': badgateway,
  'simple-oauth2': simpleOAuth2,
  'passport-oauth2': passport,
}
