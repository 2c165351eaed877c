// The engine's configuration, option by option as auth.md 2.1 has it, with the traps of 2.3 by their numbers.

import { planAllowsApps } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { SigningKeys } from '../signing-keys/store.ts'
import { type AdapterOptions, createAdapter } from './adapter.ts'
import { appOf, appProperty } from './client-metadata.ts'
import { lives } from './lives.ts'
import { mayAct } from './people.ts'
import { requestStateOf } from './request-state.ts'

export interface ConfigurationOptions extends AdapterOptions {
  /** `{base_url}`: the one resource, and the audience of access tokens. */
  audience: string
  /** For tests: another way to store than `createAdapter`. */
  adapter?: typeof createAdapter
  signingKey: SigningKeys['current']
  /** 32 bytes each in base64url, newest first. */
  cookieKeys: string[]
  /** Shows an error to the person in the browser, in the engine's stead. */
  showError(ctx: KoaContextWithOIDC, error: { error: string; error_description?: string | undefined }): void
}

/** Names of the engine's cookies; the first is never let through to it (W6). */
export const cookieNames = { session: '__as_session', interaction: '__as_int', resume: '__as_res' }

export function configurationOf(o: ConfigurationOptions): Configuration {
  const { audience, pool } = o
  return {
    adapter: (name: string) => (o.adapter ?? createAdapter)(name, o),
    jwks: { keys: [o.signingKey.privateJwk] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
    },
    cookies: { keys: o.cookieKeys, names: cookieNames },
    responseTypes: ['code'],
    // No `openid`, no `offline_access`: plain OAuth.
    scopes: [],
    claims: { openid: ['sub'] },
    clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post', id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: [appProperty] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraParams: { state: judgeState, scope: judgeScope },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Without `offline_access` tokens would die with the browser's session (W2).
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    loadExistingGrant,
    findAccount: async (_ctx, sub, token) => {
      // At the token endpoint the grant was loaded before, and says where the person has to be a member (T27).
      const { grant } = requestStateOf()
      if (token !== undefined && grant === null) return undefined
      const workspaceId = token === undefined ? null : (grant?.workspaceId ?? null)
      return (await mayAct(pool, sub, workspaceId)) ? { accountId: sub, claims: () => ({ sub }) } : undefined
    },
    extraTokenClaims: () => {
      const { grant } = requestStateOf()
      if (grant === null) throw new Error('an access token without a grant')
      return { workspace_id: grant.workspaceId, grant_id: grant.grantId, member_rev: grant.memberRev }
    },
    formats: {
      customizers: {
        // Of the beginning of the request: what was read for it is at least as new, so a token that was made while scopes were taken from
        // its app counts as one from before.
        jwt: (_ctx, _token, { payload }) => {
          const { startedSeconds } = requestStateOf()
          Object.assign(payload, { iat: startedSeconds, exp: startedSeconds + lives.accessToken })
        },
      },
    },
    ttl: {
      AccessToken: lives.accessToken,
      AuthorizationCode: lives.code,
      // A constant: each refresh token has its own 30 days, and the chain no end (settled-points.md 15, W1).
      RefreshToken: lives.refreshToken,
      Grant: lives.grant,
      Interaction: lives.interaction,
      Session: lives.interaction,
    },
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource, client) => {
          if (resource !== audience) throw new errors.InvalidTarget()
          return {
            scope: appOf(client).scopes.join(' '),
            audience,
            accessTokenTTL: lives.accessToken,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }
        },
      },
      revocation: { enabled: true, allowedPolicy: isOwn },
      introspection: { enabled: true, allowedPolicy: isOwn },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      claimsParameter: { enabled: false },
    },
    interactions: { url: (_ctx, { uid }) => `/oauth/consent/${uid}` },
    clientBasedCORS: () => false,
    renderError: (ctx, out) => o.showError(ctx, out),
  }
}

/** Tokens of other clients are neither told of nor revoked (R4, I2). */
const isOwn = (_ctx: unknown, client: Client, token: { clientId?: string | undefined }) =>
  token.clientId === client.clientId

/** Runs after the checks of redirect URL and PKCE. settled-points.md 18. */
function judgeState(_ctx: KoaContextWithOIDC, state: string | undefined): void {
  if (state === undefined) throw new errors.InvalidRequest("missing required parameter 'state'")
  // It is kept as JSON in Postgres, which has no place for this character.
  if (state.includes('\u0000')) throw new errors.InvalidRequest("parameter 'state' has a character that is not allowed")
}

/** The engine would drop what it does not know, and `offline_access`, without a word (W4). settled-points.md 22: the plan of the app's own workspace. */
function judgeScope(ctx: KoaContextWithOIDC, left: string | undefined, client: Client): void {
  const scope = left === undefined ? undefined : String(ctx.query.scope)
  const { plan, scopes } = appOf(client)
  if (!planAllowsApps(plan))
    throw new errors.UnauthorizedClient("the app's workspace is not on a plan with new authorizations")
  if (scope === undefined) throw new errors.InvalidScope("missing required parameter 'scope'", '')
  const unknown = scope.split(' ').filter((name) => !scopes.includes(name as Scope))
  if (unknown.length > 0) throw new errors.InvalidScope('scope is not registered for this app', unknown.join(' '))
}

/** Only what this very interaction has granted: consent is always shown (W3). */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const grantId = ctx.oidc.result?.consent?.grantId
  return grantId === undefined ? undefined : await ctx.oidc.provider.Grant.find(grantId)
}
