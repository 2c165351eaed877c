// An OAuth app in the settings API: who may do what, and how it is shown. Its secrets are shown by id, end and last use alone.
import type { Loaded } from '@wds/aggregate/aggregate'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { commonFields, invalidState, type SettingsResource } from '@wds/aggregate/resource'
import type { AppendContext } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import { judgeRecentSignIn } from '@wds/http-service/session'
import type { Transaction } from '@wds/postgres/transaction'
import type { OAuthApp, operations } from '../openapi.generated.ts'
import { requireAppsInPlan } from '../workspaces/plan.ts'
import { oauthApps } from './aggregate.ts'
import {
  appsMax,
  liveSecrets,
  liveSecretsMax,
  type OAuthAppCommand,
  type OAuthAppEvent,
  type OAuthAppRejection,
  type OAuthAppState,
  type StoredApp,
} from './domain/oauth-app.ts'
import { judgeFields, urlsNotLive } from './judge-fields.ts'
import { readSecretUses, type SecretUse } from './store.ts'

export const oauthAppSettings: SettingsResource<
  OAuthAppState,
  OAuthAppCommand,
  OAuthAppEvent,
  OAuthAppRejection,
  OAuthApp
> = {
  ...oauthApps,
  path: '/v1/oauth-apps',
  rights: { read: 'manage_apps', write: 'manage_apps' },
  filters: {},
  isLive: true,
  toApi: async (rows, tx) => {
    const uses = await readSecretUses(
      tx,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => toApiApp(row, uses))
  },
  patch: (request: ApiRequest<operations['updateOAuthApp']>) => async (tx, found) => {
    await requireAppsInPlan(tx)
    const app = storedApp(found)
    const { name, redirect_urls, scopes } = app
    const patch = mergePatch({ name, redirect_urls, scopes }, request.body, {})
    judgeFields(patch, app.state)
    const isElsewhere = patch.redirect_urls?.some((url) => !redirect_urls.includes(url)) === true
    if (isElsewhere) await judgeRecentSignIn(tx, request.session)
    return { type: 'update', patch }
  },
  toProblem,
}

/** Ends the grants of an app, in whatever workspace: they belong to the OAuth server, which knows apps and not the other way round. */
export type EndGrantsOfApp = (tx: Transaction, appId: string, by: AppendContext) => Promise<unknown>

/** The app with its routes. It is deleted whatever the plan: who leaves takes it away. */
export function oauthAppResource(endGrants: EndGrantsOfApp): typeof oauthAppSettings {
  return {
    ...oauthAppSettings,
    delete:
      (request) =>
      async (tx, { id }) => {
        await endGrants(tx, id, request.context)
        return { type: 'delete' }
      },
  }
}

/** An app that is there. */
export function storedApp({
  state,
}: Loaded<OAuthAppState>): StoredApp & { status: Exclude<StoredApp['status'], 'deleted'> } {
  if (state.status === 'none' || state.status === 'deleted') throw new Error('nobody sees a deleted app')
  return { ...state, status: state.status }
}

function toApiApp(row: Loaded<OAuthAppState>, uses: ReadonlyMap<string, SecretUse>): OAuthApp {
  const app = storedApp(row)
  const { client_id, name, redirect_urls, scopes, status: state } = app
  return {
    ...commonFields('oauth_app', row),
    client_id,
    name,
    redirect_urls,
    scopes,
    state,
    logo_path: `/logos/${app.logo_digest}.png`,
    secrets: liveSecrets(app, row.nowMs).map(({ id, ends }) => {
      const use = uses.get(id)
      if (use === undefined) throw new Error('a secret has a row')
      return { id, created: use.created.toISOString(), ends, last_used: use.lastUsed?.toISOString() ?? null }
    }),
  }
}

export function toProblem(rejection: OAuthAppRejection): Problem {
  switch (rejection.code) {
    case 'invalid_state':
      return invalidState(rejection)
    case 'urls_not_live':
      return urlsNotLive(rejection.places)
    case 'apps_max':
      return new Problem('limit_reached', { detail: `A workspace has at most ${appsMax} apps: delete one first.` })
    case 'secrets_max': {
      const detail = `The app has ${liveSecretsMax} secrets that are accepted. End one of them (DELETE /v1/oauth-apps/{id}/secrets/{secret_id}), or wait for its end, then make the new one.`
      return new Problem('limit_reached', { detail })
    }
    case 'not_found':
      return new Problem('not_found')
  }
}

/** The app as it is shown, in the transaction that changed it. */
export async function shownApp(tx: Transaction, changed: Loaded<OAuthAppState>): Promise<OAuthApp> {
  const [shown] = await oauthAppSettings.toApi([changed], tx)
  if (shown === undefined) throw new Error('one row is shown as one')
  return shown
}
