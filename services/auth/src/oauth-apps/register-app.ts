// Registers an app: its stream, its client id, its first secret and its logo in one transaction. The secret is shown once, in the answer.
import { blank, execute, type Outcome } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import type { AppState } from '@wds/contracts/auth-events'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { oauthApps } from './aggregate.ts'
import { makeClientSecret } from './client-secret.ts'
import {
  clientIdOf,
  type OAuthAppEvent,
  type OAuthAppFields,
  type OAuthAppRejection,
  type OAuthAppState,
} from './domain/oauth-app.ts'
import { countApps, insertSecret } from './store.ts'
import { type Logo, storeLogo } from './store-logo.ts'

/** What was judged before: the fields by their rules, the logo by decoding it. */
export interface NewApp {
  fields: OAuthAppFields
  state: AppState
  logo: Logo
}

/** The app and its secret, or the refusal. The caller holds the lock of the workspace's row, which serialises the count of its apps. */
export async function registerApp(
  tx: Transaction,
  { context, nowMs, app }: { context: AppendContext; nowMs: number; app: NewApp },
): Promise<Outcome<OAuthAppState, OAuthAppEvent, OAuthAppRejection> & { secret: string }> {
  const { workspaceId } = context
  const loaded = blank(oauthApps, { nowMs })
  const { id: appId } = loaded
  const secretId = newId('sec', nowMs)
  const { secret, digest } = makeClientSecret()
  const outcome = await execute(tx, oauthApps, {
    context,
    loaded,
    command: {
      type: 'register',
      app: {
        app_id: appId,
        client_id: clientIdOf(appId),
        workspace_id: workspaceId,
        ...app.fields,
        state: app.state,
        logo_digest: app.logo.digest.toString('hex'),
      },
      secretId,
      apps: await countApps(tx, workspaceId),
    },
  })
  if (outcome.ok) {
    await insertSecret(tx, { workspaceId, appId, secretId, digest })
    await storeLogo(tx, { workspaceId, appId, logo: app.logo })
  }
  return { ...outcome, secret }
}
