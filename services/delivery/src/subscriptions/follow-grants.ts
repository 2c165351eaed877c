// What apps subscribed to follows their grants: with the grant it is disabled, with a scope it loses what that opened (domain.md 10). An app that
// is suspended or loses scopes is as many grants that do.
import { execute, load } from '@wds/aggregate/aggregate'
import { isScope } from '@wds/contracts/scopes'
import type { AppendContext } from '@wds/event-store/event-store'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { lockFailingLane } from '../lanes/store-parked.ts'
import { beginOwnChange } from '../workspaces/own-change.ts'
import { PausedWorkspaces } from '../workspaces/paused-workspaces.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import type { SubscriptionCommand } from './domain/subscription.ts'
import { subscriptions } from './resource.ts'
import { listOfGrant, lookAgainAtApp, type TakenGrant, takeChangedGrant } from './store-grants.ts'

/** What cannot be followed stops no other workspace: an app that was suspended must not go on receiving theirs. */
const failurePauseMs = 5_000

/** One grant in one transaction, or the second look at one app; true while there is more. */
export function createGrantsTurn(pool: Pool): () => Promise<boolean> {
  const paused = new PausedWorkspaces(failurePauseMs)
  return async () => {
    let taken: TakenGrant | null = null
    try {
      return await retryOnConflict(() =>
        withTransaction(pool, { workspaceId: null }, async (tx) => {
          // Of an attempt before this one: what fails from here on is not its fault.
          taken = null
          taken = await takeChangedGrant(tx, paused.ids())
          if (taken === null) return lookAgainAtApp(tx)
          await follow(tx, taken)
          return true
        }),
      )
    } catch (error) {
      const failed = taken as TakenGrant | null
      if (failed !== null) paused.pause([failed.workspaceId])
      throw error
    }
  }
}

async function follow(tx: Transaction, grant: TakenGrant): Promise<void> {
  const { workspaceId, eventId } = grant
  await setWorkspace(tx, workspaceId)
  await lockWorkspace(tx, workspaceId)
  const { context, end } = beginOwnChange('follow grant', { workspaceId, causation: eventId })
  await limitOrDisable(tx, grant, context).finally(end)
}

async function limitOrDisable(tx: Transaction, grant: TakenGrant, context: AppendContext): Promise<void> {
  const left = grant.scopes?.filter(isScope) ?? []
  for (const id of await listOfGrant(tx, grant)) {
    const loaded = await load(tx, subscriptions, id, { lock: true })
    if (loaded === null) continue
    const command: SubscriptionCommand = left.includes('webhooks:manage')
      ? { type: 'limit_scopes', scopes: left }
      : { type: 'disable', reason: 'authorization_revoked', failing: await failingOf(tx, id) }
    // Refused where it is disabled already.
    await execute(tx, subscriptions, { context, loaded, command })
  }
}

async function failingOf(tx: Transaction, subscriptionId: string) {
  return (await lockFailingLane(tx, { subscriptionId, answered: null })).failing
}
