// Hourly care: days ahead, days dropped, in_flight recounted, subscriptions that failed for 5 days disabled (decisions.md 7), deleted ones
// removed, held lanes told.
// Each step is a loop of its own: one that fails is tried again soon and takes no other with it.
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { removeDeletedSubscriptions } from '../store/deleted-subscriptions.ts'
import { readHeldLanes, recountInFlight } from '../store/lanes.ts'
import { listFailing } from '../store/parked-lanes.ts'
import { dropOldDays, makeDays } from '../store/partitions.ts'
import { disableSubscription } from './disable-subscription.ts'

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
        if (dropped.length > 0) logger.info({ days: dropped }, 'old days dropped')
        return done
      },
    },
    {
      name: 'recount-in-flight',
      turn: async () => {
        const wrong = await recountInFlight(pool)
        if (wrong > 0) logger.warn({ lanes: wrong }, 'lanes had a wrong count of attempts under way')
        return done
      },
    },
    { name: 'disable-failing', turn: () => disableFailing(pool) },
    { name: 'remove-deleted', turn: () => removeDeletedSubscriptions(pool) },
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
