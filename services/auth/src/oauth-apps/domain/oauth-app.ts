// Decides the life of an OAuth app: registered, edited, published, suspended, deleted, and its client secrets (auth.md 4). Events hold
// neither a secret nor its digest. What a request holds is judged by app-name.ts and redirect-url.ts; the plan by the routes.
import type { AppState, AuthEvent } from '@wds/contracts/auth-events'
import { redirectUrlFault } from '@wds/contracts/redirect-url'
import type { Scope } from '@wds/contracts/scopes'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'

/** At most 25 apps for a workspace (auth.md 4.1). */
export const appsMax = 25
/** At most two client secrets at a time (auth.md 4.5). */
export const liveSecretsMax = 2

/** What its owner sets. */
export interface OAuthAppFields {
  name: string
  /** Stored verbatim, compared byte for byte. */
  redirect_urls: string[]
  scopes: Scope[]
}

/** `ends`: RFC 3339; null: it has no end. */
export interface ClientSecret {
  id: string
  ends: string | null
}

export interface StoredApp extends OAuthAppFields {
  /** What it is when it is not suspended. */
  state: AppState
  status: AppState | 'suspended' | 'deleted'
  app_id: string
  client_id: string
  workspace_id: string
  /** SHA-256 of the logo's PNG, lower-case hex. */
  logo_digest: string
  /** The oldest first, two at most. One whose end has passed is over. */
  secrets: ClientSecret[]
}
export type OAuthAppState = { status: 'none' } | StoredApp

export type OAuthAppEvent = AuthEvent<
  | 'OAuthAppRegistered'
  | 'OAuthAppChanged'
  | 'OAuthAppSuspended'
  | 'OAuthAppReinstated'
  | 'OAuthAppDeleted'
  | 'ClientSecretAdded'
  | 'ClientSecretEnded'
>

export type OAuthAppCommand =
  | {
      type: 'register'
      app: OAuthAppFields & Pick<StoredApp, 'state' | 'app_id' | 'client_id' | 'workspace_id' | 'logo_digest'>
      secretId: string
      /** Apps that the workspace has. */
      apps: number
    }
  | { type: 'update'; patch: Partial<OAuthAppFields> }
  | { type: 'set_logo'; logoDigest: string }
  | { type: 'publish' }
  | { type: 'suspend' }
  | { type: 'reinstate' }
  | { type: 'delete' }
  /** The one before ends `overlapMs` after `nowMs`. */
  | { type: 'add_secret'; secretId: string; overlapMs: number; nowMs: number }
  | { type: 'end_secret'; secretId: string; nowMs: number }

export type OAuthAppRejection =
  | InvalidState
  | { code: 'apps_max' | 'secrets_max' | 'not_found' }
  /** Redirect URLs, by their place, that the state `live` does not allow. */
  | { code: 'urls_not_live'; places: number[] }

/** The client id of an app: `cli_` and the ULID of its own id. */
export function clientIdOf(appId: string): string {
  return `cli_${appId.slice(-26)}`
}

/** The secrets that are accepted at this instant. */
export function liveSecrets(app: StoredApp, nowMs: number): ClientSecret[] {
  return app.secrets.filter(({ ends }) => ends === null || Date.parse(ends) > nowMs)
}

export const oauthAppDecider: Decider<OAuthAppState, OAuthAppCommand, OAuthAppEvent, OAuthAppRejection> = {
  initialState: { status: 'none' },
  evolve,
  decide(state, command) {
    if (command.type === 'register') return register(state, command)
    if (state.status === 'none' || state.status === 'deleted') return reject({ code: 'not_found' })
    const { app_id, client_id, workspace_id } = state
    const ids = { app_id, client_id, workspace_id }
    switch (command.type) {
      case 'update':
        return update(state, command.patch)
      case 'set_logo':
        if (command.logoDigest === state.logo_digest) return accept()
        return accept({ type: 'OAuthAppChanged', data: { ...ids, logo_digest: command.logoDigest } })
      case 'publish':
        return publish(state)
      case 'suspend':
        return state.status === 'suspended' ? accept() : accept({ type: 'OAuthAppSuspended', data: ids })
      case 'reinstate':
        return state.status === 'suspended' ? accept({ type: 'OAuthAppReinstated', data: ids }) : accept()
      case 'delete':
        return accept({ type: 'OAuthAppDeleted', data: ids })
      case 'add_secret':
        return addSecret(state, command)
      case 'end_secret': {
        const isLive = liveSecrets(state, command.nowMs).some(({ id }) => id === command.secretId)
        if (!isLive) return reject({ code: 'not_found' })
        return accept({ type: 'ClientSecretEnded', data: { ...ids, secret_id: command.secretId } })
      }
    }
  },
}

function register(state: OAuthAppState, { app, secretId, apps }: Extract<OAuthAppCommand, { type: 'register' }>) {
  if (state.status !== 'none') throw new Error('an app is registered once, under a new id')
  if (apps >= appsMax) return reject<OAuthAppRejection>({ code: 'apps_max' })
  const notLive = urlsNotAllowed(app.redirect_urls, app.state)
  if (notLive.length > 0) return reject<OAuthAppRejection>({ code: 'urls_not_live', places: notLive })
  const { app_id, client_id, workspace_id } = app
  return accept<OAuthAppEvent>(
    { type: 'OAuthAppRegistered', data: app },
    {
      type: 'ClientSecretAdded',
      data: { app_id, client_id, workspace_id, secret_id: secretId, previous_ends: null },
    },
  )
}

function update(app: StoredApp, patch: Partial<OAuthAppFields>) {
  const notLive = urlsNotAllowed(patch.redirect_urls ?? [], app.state)
  if (notLive.length > 0) return reject<OAuthAppRejection>({ code: 'urls_not_live', places: notLive })
  const changed = Object.entries(patch).filter(
    ([field, value]) => JSON.stringify(app[field as keyof OAuthAppFields]) !== JSON.stringify(value),
  )
  if (changed.length === 0) return accept<OAuthAppEvent>()
  const removes = app.scopes.some((scope) => patch.scopes?.includes(scope) === false)
  const { app_id, client_id, workspace_id } = app
  const data = { app_id, client_id, workspace_id, ...(Object.fromEntries(changed) as Partial<OAuthAppFields>) }
  return accept<OAuthAppEvent>({ type: 'OAuthAppChanged', data: removes ? { ...data, scopes_removed: true } : data })
}

function publish(app: StoredApp) {
  if (app.state === 'live') {
    return reject<OAuthAppRejection>({ code: 'invalid_state', current_status: app.status, allowed: [] })
  }
  const notLive = urlsNotAllowed(app.redirect_urls, 'live')
  if (notLive.length > 0) return reject<OAuthAppRejection>({ code: 'urls_not_live', places: notLive })
  const { app_id, client_id, workspace_id } = app
  return accept<OAuthAppEvent>({ type: 'OAuthAppChanged', data: { app_id, client_id, workspace_id, state: 'live' } })
}

function addSecret(app: StoredApp, o: Extract<OAuthAppCommand, { type: 'add_secret' }>) {
  const live = liveSecrets(app, o.nowMs)
  if (live.length >= liveSecretsMax) return reject<OAuthAppRejection>({ code: 'secrets_max' })
  const [previous] = live
  // One whose end was set already may end earlier now, never later.
  const endMs = Math.min(o.nowMs + o.overlapMs, Date.parse(previous?.ends ?? '9999-12-31T00:00:00Z'))
  const { app_id, client_id, workspace_id } = app
  const previous_ends = previous === undefined ? null : new Date(endMs).toISOString()
  return accept<OAuthAppEvent>({
    type: 'ClientSecretAdded',
    data: { app_id, client_id, workspace_id, secret_id: o.secretId, previous_ends },
  })
}

/** Places of the URLs that this state does not allow. */
function urlsNotAllowed(urls: readonly string[], state: AppState): number[] {
  return urls.flatMap((url, place) => (redirectUrlFault(url, state) === null ? [] : [place]))
}

function evolve(state: OAuthAppState, event: OAuthAppEvent): OAuthAppState {
  if (event.type === 'OAuthAppRegistered') return { ...event.data, status: event.data.state, secrets: [] }
  if (state.status === 'none') return state
  switch (event.type) {
    case 'OAuthAppChanged': {
      const { scopes_removed: _, ...changed } = event.data
      const next: StoredApp = { ...state, ...changed }
      return state.status === 'suspended' ? next : { ...next, status: next.state }
    }
    case 'OAuthAppSuspended':
      return { ...state, status: 'suspended' }
    case 'OAuthAppReinstated':
      return { ...state, status: state.state }
    case 'OAuthAppDeleted':
      return { ...state, status: 'deleted', secrets: [] }
    case 'ClientSecretAdded': {
      const { secret_id, previous_ends } = event.data
      // Two at most are live, so one before the last is over.
      const kept = state.secrets.slice(-1).map((secret) => ({ ...secret, ends: previous_ends ?? secret.ends }))
      return { ...state, secrets: [...kept, { id: secret_id, ends: null }] }
    }
    case 'ClientSecretEnded':
      return { ...state, secrets: state.secrets.filter(({ id }) => id !== event.data.secret_id) }
  }
}
