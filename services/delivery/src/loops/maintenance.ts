// Hourly care: days ahead, days dropped, in_flight recounted, subscriptions that failed for 5 days disabled (decisions.md 7).
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { recountInFlight } from '../store/lanes.ts'
import { listFailing } from '../store/parked-lanes.ts'
import { dropOldDays, makeDays } from '../store/partitions.ts'

/** One round; each step may be repeated at any time. */
export async function maintain(o: {
  pool: Pool
  logger: Logger
  disableFailing(workspaceId: string, subscriptionId: string): Promise<void>
}): Promise<void> {
  const nowMs = await dbNow(o.pool)
  await makeDays(o.pool, nowMs)
  const dropped = await dropOldDays(o.pool, nowMs)
  if (dropped.length > 0) o.logger.info({ days: dropped }, 'old days dropped')
  const wrong = await recountInFlight(o.pool)
  if (wrong > 0) o.logger.warn({ lanes: wrong }, 'lanes had a wrong count of attempts under way')
  for (const lane of await listFailing(o.pool)) await o.disableFailing(lane.workspaceId, lane.subscriptionId)
}
