// Makes the campaigns that a run's rows name and that are not there yet, active, in the run's own transaction (domain.md 3.4).
import { blank, executeOrFail } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { campaignsMax, countCampaignsLocked, missingCampaigns } from '../campaign-places/store-places.ts'
import { isName } from './domain/campaign-name.ts'
import { campaigns, newFields } from './resource.ts'

/** Campaigns that one run makes: each is a stream and an event of its own. The next run makes the next ones. */
const perRun = 1_000

/** How many were not made, for one limit or the other. The caller holds the integration's row. */
export async function createMissingCampaigns(
  tx: Transaction,
  o: {
    context: AppendContext
    runId: string
    integrationId: string
    brandSlug: string
    nowMs: number
  },
): Promise<number> {
  const { context, integrationId, brandSlug: brand_slug, nowMs } = o
  const { workspaceId } = context
  const missing = await missingCampaigns(tx, { workspaceId, runId: o.runId, integrationId, limit: perRun })
  if (missing.count === 0) return 0
  const free = campaignsMax - (await countCampaignsLocked(tx, workspaceId))
  const made = missing.first.slice(0, Math.max(0, free))
  for (const { externalId, name } of made) {
    const own = newFields({ name: name !== null && isName(name) ? name : externalId, external_id: externalId })
    const fields = { ...own, integration_id: integrationId, brand_slug }
    const command = { type: 'create', fields, status: 'active' } as const
    await executeOrFail(tx, campaigns, { context, loaded: blank(campaigns, { nowMs }), command })
  }
  return missing.count - made.length
}
