// The concepts of this service, one line each. Routes, `republish` and `rebuild-rows` are put together from it.

import { type Concept, concept } from '@wds/aggregate/concept'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { accountRoutes } from './accounts/routes.ts'
import { apiKeySettings } from './api-keys/resource.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { connectedAppRoutes } from './connected-apps/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { identityRoutes } from './identities/routes.ts'
import { introspectionRoutes } from './introspection/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import type { Grants } from './members/ports.ts'
import { memberLossesRoutes } from './members/read-losses.ts'
import { members } from './members/resource.ts'
import { grants } from './oauth/grants/aggregate.ts'
import { cutGrants, endGrants, endGrantsOfApp } from './oauth/grants/end-grants.ts'
import { deleteApps } from './oauth-apps/delete-apps.ts'
import { operatorAppRoutes } from './oauth-apps/operator-routes.ts'
import { oauthAppResource } from './oauth-apps/resource.ts'
import { oauthAppRoutes } from './oauth-apps/routes.ts'
import { passwordRoutes } from './passwords/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { workspaces } from './workspaces/aggregate.ts'
import { workspaceRoutes } from './workspaces/routes.ts'
import { workspaceSettingsRoutes } from './workspaces/settings-routes.ts'

export const grantsOf: Grants = { cut: cutGrants, end: endGrants }
const endApps = (tx: Transaction, context: AppendContext) => deleteApps(tx, { context, endGrants: endGrantsOfApp })

export const concepts: readonly Concept<Dependencies>[] = [
  {
    aggregate: workspaces,
    routes: (o) => [...workspaceSettingsRoutes({ grants: grantsOf, endApps }), ...workspaceRoutes(o)],
  },
  concept(apiKeySettings, apiKeyRoutes),
  concept(oauthAppResource(endGrantsOfApp), ({ pool }: Dependencies) => [
    ...oauthAppRoutes(),
    ...operatorAppRoutes(pool),
  ]),
  { aggregate: grants, routes: connectedAppRoutes },
  { routes: invitationRoutes },
  concept(members(grantsOf), memberLossesRoutes),
  { routes: sessionRoutes },
  { routes: identityRoutes },
  { routes: passwordRoutes },
  { routes: auditRoutes },
  { routes: introspectionRoutes },
  { routes: (o) => accountRoutes(o, grantsOf) },
]
