// What becomes of a decision on the consent page: the grant, its event and the end of the interaction in one transaction (auth.md 4.3).
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { planAllowsApps, roleAllows, scopesOfRole } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { By } from '../../audit/audit.ts'
import { membershipOf } from '../../members/store.ts'
import type { Client } from '../../oauth-apps/store.ts'
import { findAccount } from '../../people/store.ts'
import { findSessionById } from '../../sessions/store.ts'
import { workspaces } from '../../workspaces/aggregate.ts'
import type { Engine } from '../engine/engine.ts'
import { finishInteraction } from '../engine/store.ts'
import { grants } from '../grants/aggregate.ts'

/** What was shown, by the form's own token. */
export interface Decision {
  uid: string
  userId: string
  /** That of the person who decides. */
  sessionId: string
  workspaceId: string
  scopes: readonly Scope[]
  /** Of the request. */
  asked: readonly Scope[]
}

/** `decided`: the browser goes back to the engine. `expired`: the interaction is over or decided. `role`: the person may not allow it (any more). `signed_out`: the session has ended since the page was posted. */
export type Outcome = 'decided' | 'expired' | 'role' | 'development' | 'signed_out'

export interface DecideOptions {
  pool: Pool
  engine: Engine
}

/** The person cancelled. */
export async function cancel({ pool }: DecideOptions, uid: string): Promise<Outcome> {
  return refuse(pool, uid, { error: 'access_denied', error_description: 'the person did not allow the app' })
}

/** The person allowed what was shown. Role and plan are judged anew: nothing more is granted than the role holds now. */
export async function allow(
  o: DecideOptions,
  { client, decision, by }: { client: Client; decision: Decision; by: By },
): Promise<Outcome> {
  const { pool, engine } = o
  const { uid, userId, sessionId, workspaceId } = decision
  if (!planAllowsApps(client.plan)) {
    const description = "the app's workspace is not on a plan with new authorizations"
    return refuse(pool, uid, { error: 'unauthorized_client', error_description: description })
  }
  if (client.state === 'development' && client.workspaceId !== workspaceId) return 'development'
  return withTransaction(pool, { workspaceId }, async (tx) => {
    // Held, so that a new password which ends the person's grants finds this one, or has ended the session that allows it.
    await findAccount(tx, userId, { lock: true })
    if ((await findSessionById(tx, { sessionId, userId }))?.is_recent !== true) return 'signed_out'
    // Held, so that a workspace that ends finds this grant and ends it.
    const workspace = await load(tx, workspaces, workspaceId, { lock: true })
    const membership = await membershipOf(tx, workspaceId, userId, { hold: true })
    if (workspace?.state.status !== 'active' || membership === null) return 'role'
    if (!roleAllows(membership.role, 'authorize_apps')) return 'role'
    const held = scopesOfRole(membership.role)
    const scopes = decision.scopes.filter((scope) => held.includes(scope) && client.scopes.includes(scope))
    if (scopes.length === 0) {
      const result = { error: 'access_denied', error_description: 'none of the scopes could be granted' }
      return (await finishInteraction(tx, uid, result)) ? 'decided' : 'expired'
    }
    const loaded = blank(grants, { nowMs: await dbNow(tx) })
    // First of all: of two decisions at the same time one writes it, the other makes no grant.
    const result = { login: { accountId: userId, remember: false }, consent: { grantId: loaded.id } }
    if (!(await finishInteraction(tx, uid, result))) return 'expired'
    const grant = {
      workspace_id: workspaceId,
      grant_id: loaded.id,
      user_id: userId,
      client_id: client.clientId,
      app_id: client.appId,
      scopes,
      member_rev: membership.rev,
    }
    await engine.insertGrant(tx, { grant, asked: decision.asked })
    await executeOrFail(tx, grants, { context: { ...by, workspaceId }, loaded, command: { type: 'authorize', grant } })
    return 'decided'
  })
}

async function refuse(pool: Pool, uid: string, result: { error: string; error_description: string }): Promise<Outcome> {
  const isFirst = await withTransaction(pool, { workspaceId: null }, (tx) => finishInteraction(tx, uid, result))
  return isFirst ? 'decided' : 'expired'
}
