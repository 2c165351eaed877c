// An OAuth app: its stream, its row, and the rows beside it that a request finds without knowing the workspace.
import type { Aggregate } from '@wds/aggregate/aggregate'
import { announce } from '../announcements/announce.ts'
import { auditChange } from '../audit/audit.ts'
import {
  type OAuthAppCommand,
  type OAuthAppEvent,
  type OAuthAppRejection,
  type OAuthAppState,
  oauthAppDecider,
} from './domain/oauth-app.ts'
import { forgetSecrets, insertClient, removeClient } from './store.ts'

export const oauthApps: Aggregate<OAuthAppState, OAuthAppCommand, OAuthAppEvent, OAuthAppRejection> = {
  streamType: 'oauth_app',
  idPrefix: 'app',
  table: 'oauth_apps',
  decider: oauthAppDecider,
  columns: ({ status }) => ({ status }),
  announce,
  async project(tx, change) {
    await auditChange(tx, change)
    const { after, events } = change
    const app = after.state
    if (app.status === 'none') return
    for (const { type } of events) {
      if (type === 'OAuthAppRegistered') await insertClient(tx, app)
      if (type === 'OAuthAppDeleted') await removeClient(tx, app)
      if (type === 'ClientSecretAdded' || type === 'ClientSecretEnded') await forgetSecrets(tx, app)
    }
  },
}
