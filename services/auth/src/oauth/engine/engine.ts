// The OAuth engine as the rest of auth sees it. Only this folder knows the library; everything else has these functions and types
// (decision 37). A rotation of the signing key makes the engine anew, beside requests under way.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { digestOf } from '@wds/access/digest'
import type { AuthEvents } from '@wds/contracts/auth-events'
import { isScope, type Scope } from '@wds/contracts/scopes'
import type { MountExchange } from '@wds/http-service/mount'
import { isTransient, type Transaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { noteSecretUse } from '../../oauth-apps/store.ts'
import { type OAuthError, recordOAuthError } from '../../oauth-apps/store-errors.ts'
import { insertGrantRow } from '../grants/store.ts'
import type { KeyRing } from '../signing-keys/key-ring.ts'
import { appOf, matchingSecret } from './client-metadata.ts'
import { type ConfigurationOptions, configurationOf } from './configuration.ts'
import { describeError, type HoldError, isHeld } from './error-redirects.ts'
import { lives } from './lives.ts'
import {
  begin,
  bindExchange,
  byClient,
  exchangeOf,
  isClientProven,
  proveClient,
  requestStateOf,
} from './request-state.ts'
import { createStructuredTokens, type StructuredTokens } from './structured-tokens.ts'
import { installTokenIds } from './token-ids.ts'

/** What a person is told whose browser cannot be sent back to the app. */
export interface EngineError {
  status: number
  error: string
  description: string | undefined
}

export interface EngineOptions extends Omit<ConfigurationOptions, 'signingKey' | 'showError'> {
  issuer: string
  keys: KeyRing
  logger: Logger
  /** Sends the page of an error. */
  sendError(exchange: MountExchange, error: EngineError): void
  holdError: HoldError
}

/** An authorisation that waits for a person. */
export interface Interaction {
  uid: string
  clientId: string
  redirectUrl: string
  /** As asked for: all of them registered for the app when it was asked. */
  scopes: Scope[]
  /** A decision was made already. */
  isDecided: boolean
}

export interface Engine {
  /** Answers a request of an endpoint, which has gone through the layers in front of it. Resolves with whether a client has proven who it is. */
  answer(request: IncomingMessage, response: ServerResponse, exchange: MountExchange): Promise<boolean>
  /** The interaction of this id, if its cookie came with the request; null: there is none, or it is over. */
  findInteraction(exchange: MountExchange, uid: string): Promise<Interaction | null>
  /** Stores the engine's part of a new grant. `asked`: the scopes of the request; those left out are rejected, or it would ask again for ever (W23). */
  insertGrant(tx: Transaction, o: { grant: AuthEvents['AppAuthorized']; asked: readonly Scope[] }): Promise<void>
}

export function createEngine(o: EngineOptions): Engine {
  let made: { kid: string; provider: Provider; answer: ReturnType<Provider['callback']> } | null = null
  const current = () => {
    const { current: signingKey } = o.keys.keys()
    if (made?.kid !== signingKey.kid) {
      const provider = createProvider({ ...o, signingKey })
      made = { kid: signingKey.kid, provider, answer: provider.callback() }
    }
    return made
  }
  // A configuration that it refuses stops the start.
  current()
  return {
    async answer(request, response, exchange) {
      bindExchange(exchange)
      await current().answer(request, response)
      return isClientProven(request)
    },
    async findInteraction({ request, response }, uid) {
      try {
        const interaction = await current().provider.interactionDetails(request, response)
        const { client_id, redirect_uri, scope } = interaction.params
        if (interaction.uid !== uid) return null
        return {
          uid,
          clientId: String(client_id),
          redirectUrl: String(redirect_uri),
          scopes: String(scope).split(' ').filter(isScope),
          isDecided: interaction.result !== undefined,
        }
      } catch (error) {
        if (error instanceof errors.SessionNotFound) return null
        throw error
      }
    },
    async insertGrant(tx, { grant, asked }) {
      const { grant_id, user_id: accountId, client_id: clientId, scopes } = grant
      const iat = Math.floor(Date.now() / 1_000)
      await insertGrantRow(tx, {
        id: digestOf(grant_id),
        grant,
        ttlSeconds: lives.grant,
        payload: {
          kind: 'Grant',
          iat,
          exp: iat + lives.grant,
          accountId,
          clientId,
          resources: { [o.audience]: scopes.join(' ') },
          rejected: { resources: { [o.audience]: asked.filter((scope) => !scopes.includes(scope)).join(' ') } },
        },
      })
    },
  }
}

function createProvider(o: EngineOptions & Pick<ConfigurationOptions, 'signingKey'>): Provider {
  const provider = new Provider(o.issuer, configurationOf({ ...o, showError: (ctx, out) => showError(ctx, out, o) }))
  // The kit has dropped what nobody may say: a forwarding header that is left is a listed proxy's.
  provider.proxy = true
  installTokenIds(provider)
  installSecrets(provider, o)
  listen(provider, o)
  const tokens = createStructuredTokens({ ...o, published: () => o.keys.keys().published })
  provider.use(async (ctx, next) => {
    begin(ctx)
    await next()
    await finish(ctx as KoaContextWithOIDC, { ...o, tokens })
  })
  return provider
}

function showError(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: { error: string; error_description?: string | undefined },
  o: EngineOptions,
): void {
  const exchange = exchangeOf(ctx)
  exchange.code = error
  ctx.respond = false
  o.sendError(exchange, { status: ctx.status, error, description })
}

/** Live secrets by their digests, of which there may be two (W8). */
function installSecrets(provider: Provider, { pool, logger }: EngineOptions): void {
  provider.Client.prototype.compareClientSecret = function compareClientSecret(presented: string): boolean {
    const { workspaceId, appId, secrets } = appOf(this)
    const secret = matchingSecret(secrets, presented)
    if (secret === null) return false
    proveClient()
    if (!secret.isNoted) {
      noteSecretUse(pool, { workspaceId, appId, secretId: secret.id }).catch((err: unknown) =>
        logger.warn({ err }, 'use of a client secret was not noted'),
      )
    }
    return true
  }
}

/** What the engine has answered, made into what the contract says. */
async function finish(ctx: KoaContextWithOIDC, o: EngineOptions & { tokens: StructuredTokens }): Promise<void> {
  // No answer is for other origins, whatever `clientBasedCORS` says (W22).
  for (const name of Object.keys(ctx.response.headers)) {
    if (name.toLowerCase().startsWith('access-control-')) ctx.remove(name)
  }
  // Whoever follows a redirect needs no page that holds the code.
  if (ctx.status === 303) {
    ctx.body = ''
    describeError(ctx)
  }
  const route = ctx.oidc?.route
  if (route === 'authorization' && ctx.status === 303 && (await isHeld(ctx, o.holdError))) return
  if (route === 'token' && ctx.status === 200) addUserContext(ctx)
  if (route === 'revocation' || route === 'introspection') await answerTokenQuestion(ctx, route, o.tokens)
  const { error, error_description: description } = (ctx.body ?? {}) as { error?: unknown; error_description?: unknown }
  if (typeof error === 'string') exchangeOf(ctx).code = error
  // What a client sent may stand in it (T29).
  if (typeof description === 'string') {
    Object.assign(ctx.body as object, {
      error_description: description.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?'),
    })
  }
}

/** The grant may have ended meanwhile: whoever won a race is told what it won (T18). Nothing is read that could fail: they are stored. */
function addUserContext(ctx: KoaContextWithOIDC): void {
  const { userContext } = requestStateOf(ctx)
  if (userContext === null) throw new Error('tokens that were not stored')
  ctx.body = { ...(ctx.body as object), user_context: userContext }
}

async function answerTokenQuestion(
  ctx: KoaContextWithOIDC,
  route: 'revocation' | 'introspection',
  tokens: StructuredTokens,
): Promise<void> {
  const isRefused = isStructuredRefusal((ctx.body ?? {}) as { error?: unknown })
  // Some clients throw on an answer without a body (W12).
  if (route === 'revocation' && (isRefused || ctx.status === 200)) {
    if (isRefused) {
      const found = await findStructured(ctx, tokens)
      if (found !== null) await tokens.revoke(found, byClient(ctx))
    }
    ctx.status = 200
    ctx.body = {}
  } else if (isRefused) {
    const found = await findStructured(ctx, tokens)
    // The other services refuse it from the removal of a scope on.
    const isLive = found !== null && scopesLeft(ctx, found.scope) === found.scope
    ctx.status = 200
    ctx.body = isLive ? { active: true, ...found, token_type: 'Bearer' } : { active: false }
  } else if (ctx.status === 200) {
    const answer = ctx.body as { scope?: unknown }
    if (typeof answer.scope === 'string') answer.scope = scopesLeft(ctx, answer.scope)
  }
}

/** What the client's app still has of these scopes. */
function scopesLeft(ctx: KoaContextWithOIDC, scope: string): string {
  const { scopes } = appOf(ctx.oidc.client)
  return scope
    .split(' ')
    .filter((name) => scopes.includes(name as Scope))
    .join(' ')
}

/** The engine's answer to a JWT, once it has authenticated the client (W7). */
const isStructuredRefusal = ({ error }: { error?: unknown }) => error === 'unsupported_token_type'

function findStructured(ctx: KoaContextWithOIDC, tokens: StructuredTokens) {
  return tokens.find(String(ctx.oidc.params?.token), ctx.oidc.client?.clientId ?? '')
}

const endpoints = {
  authorization: 'authorize',
  resume: 'authorize',
  token: 'token',
  revocation: 'revoke',
  introspection: 'introspect',
} as const satisfies Record<string, OAuthError['endpoint']>

/** Clients see a code; the reason behind it goes to the list of the app's developers (W27), trouble of our own to the log. */
function listen(provider: Provider, { pool, logger }: EngineOptions): void {
  const record = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const endpoint = endpoints[ctx.oidc.route as keyof typeof endpoints]
    const clientId = ctx.oidc.client?.clientId ?? ctx.oidc.params?.client_id
    if (typeof clientId !== 'string' || endpoint === undefined || isStructuredRefusal(error)) return
    const reason = error.error_detail ?? error.error_description ?? error.message
    const { requestId } = exchangeOf(ctx)
    recordOAuthError(pool, { clientId, endpoint, requestId, error: error.error, reason }).catch((err: unknown) =>
      logger.warn({ request_id: requestId, err }, 'an OAuth error was not recorded'),
    )
  }
  provider.on('authorization.error', record)
  provider.on('grant.error', record)
  provider.on('revocation.error', record)
  provider.on('introspection.error', record)
  provider.on('server_error', (ctx, err) => {
    logger.error({ request_id: exchangeOf(ctx).requestId, err }, 'OAuth request failed')
    // The database is away, not the request wrong.
    if (!isTransient(err)) return
    ctx.status = 503
    ctx.set('Retry-After', '1')
    if (typeof ctx.body === 'object') {
      ctx.body = { error: 'temporarily_unavailable', error_description: 'please try again in a second' }
    }
  })
  // Koa's own event, which the engine's types leave out.
  ;(provider as unknown as NodeJS.EventEmitter).on('error', (err: unknown) =>
    logger.error({ err }, 'OAuth request failed'),
  )
}
