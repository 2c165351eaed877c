// What one request has gathered on its way through the engine, found by the engine's own context of the request.
import type { MountExchange } from '@wds/http-service/mount'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { By } from '../../audit/audit.ts'
import { clientOf } from '../../sign-in/sign-in.ts'
import type { RecordKind } from './store.ts'
import type { UserContext } from './user-context.ts'

export interface RequestState {
  /** The grant that was loaded, and what it was like then. */
  grant: { grantId: string; workspaceId: string; memberRev: number } | null
  /** Epoch seconds: before anything was read. */
  startedSeconds: number
  /** The code or refresh token that the engine has told to consume: it is, with the token that is stored for it. */
  consuming: { kind: RecordKind; id: string } | null
  /** Whose the tokens are, as of the transaction that stored them. */
  userContext: UserContext | null
  /** The engine's name of the endpoint: `token`, `revocation` … */
  route: string
  grantType: string | null
}

type OwnState = Omit<RequestState, 'route' | 'grantType'>

const states = new WeakMap<object, OwnState>()
const exchanges = new WeakMap<object, MountExchange>()

/** Requests whose client has shown a live secret. */
const proven = new WeakSet<object>()

export const proveClient = (): void => void proven.add(currentContext().req)
export const isClientProven = (request: object): boolean => proven.has(request)

/** Of this request; throws outside one. */
export function requestStateOf(ctx: KoaContextWithOIDC = currentContext()): RequestState {
  const { oidc } = ctx
  const own = states.get(ctx) ?? begin(ctx)
  return Object.assign(own, { route: oidc.route, grantType: (oidc.params?.grant_type as string | undefined) ?? null })
}

function currentContext(): KoaContextWithOIDC {
  const ctx = Provider.ctx
  if (ctx === undefined) throw new Error('the engine works on requests only')
  return ctx
}

/** To be called before the engine reads anything. */
export function begin(ctx: object): OwnState {
  const startedSeconds = Math.floor(Date.now() / 1_000)
  const state: OwnState = { grant: null, startedSeconds, consuming: null, userContext: null }
  states.set(ctx, state)
  return state
}

/** Binds the kit's exchange to its request. */
export function bindExchange(exchange: MountExchange): void {
  exchanges.set(exchange.request, exchange)
}

export function exchangeOf(ctx: Pick<KoaContextWithOIDC, 'req'>): MountExchange {
  const exchange = exchanges.get(ctx.req)
  if (exchange === undefined) throw new Error('the engine takes requests of the kit only')
  return exchange
}

/** The client of this request, as the one who does what is announced, and from where. */
export function byClient(ctx: KoaContextWithOIDC = currentContext()): By {
  const exchange = exchangeOf(ctx)
  const { address, userAgent, requestId } = clientOf(exchange)
  const id = ctx.oidc.client?.clientId ?? 'unknown'
  const trace = { traceparent: exchange.trace.traceparent }
  return { actor: { type: 'client', id }, correlation: requestId, trace, origin: { address, userAgent } }
}
