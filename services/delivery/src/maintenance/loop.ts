// Hourly care: days ahead, days, counts and replays dropped, in_flight recounted, subscriptions that failed for 5 days disabled
// (settled-points.md 7), deleted ones removed, held lanes told.
// Each step is a loop of its own: one that fails is tried again soon and takes no other with it.
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { dropOldDays, makeDays } from '../days/store.ts'
import { readHeldLanes, recountInFlight } from '../lanes/store.ts'
import { listFailing } from '../lanes/store-parked.ts'
import { removeOldReplays } from '../replays/store.ts'
import { dropOldCounts } from '../statistics/store.ts'
import { disableSubscription } from '../subscriptions/disable-subscription.ts'
import { removeExpiredSecrets } from '../subscriptions/store.ts'
import { removeDeletedSubscriptions } from '../subscriptions/store-deleted.ts'

/** A step of the care; it may be repeated at any time. `turn` returns true while there is more to do. */
export interface MaintenanceStep {
  name: string
  turn(): Promise<boolean>
}

/** The steps, for one loop each. */
export function maintenanceSteps(o: { pool: Pool; logger: Logger }): MaintenanceStep[] {
  const { pool, logger } = o
  const done = false
  return [
    {
      name: 'make-days',
      turn: async () => {
        await makeDays(pool, await dbNow(pool))
        return done
      },
    },
    {
      name: 'drop-days',
      turn: async () => {
        const dropped = await dropOldDays(pool, await dbNow(pool))
        if (dropped.length > 0) logger.info({ days: dropped }, 'expired days dropped')
        return done
      },
    },
    { name: 'drop-counts', turn: () => dropOldCounts(pool) },
    { name: 'remove-old-replays', turn: () => removeOldReplays(pool) },
    {
      name: 'recount-in-flight',
      turn: async () => {
        const wrong = await recountInFlight(pool)
        if (wrong > 0) logger.warn({ lanes: wrong }, 'wrong in-flight counts of lanes corrected')
        return done
      },
    },
    { name: 'disable-failing', turn: () => disableFailing(pool) },
    { name: 'remove-deleted', turn: () => removeDeletedSubscriptions(pool) },
    { name: 'remove-expired-secrets', turn: async () => (await removeExpiredSecrets(pool)) > 0 },
    {
      name: 'tell-held',
      turn: async () => {
        const { lanes, since } = await readHeldLanes(pool)
        if (lanes > 0)
          logger.error(
            { lanes, since },
            'lanes are held: no key opens their signing secret, or this machine cannot send',
          )
        return done
      },
    },
  ]
}

/** One round; true when there may be more. A subscription that cannot be disabled does not keep the others. */
async function disableFailing(pool: Pool): Promise<boolean> {
  const failing = await listFailing(pool)
  const faults: unknown[] = []
  for (const lane of failing) {
    await disableSubscription(pool, { ...lane, reason: 'failing' }).catch((error: unknown) => faults.push(error))
  }
  if (faults.length > 0) throw new AggregateError(faults, 'failing subscriptions could not be disabled')
  return failing.length > 0
}
