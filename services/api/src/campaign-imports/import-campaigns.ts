// Makes and changes the campaigns of a file, a batch of lines at a time (domain.md 3.12).
import {
  blank,
  type Decided,
  decideNext,
  executeOrFail,
  load,
  storeDecided,
  undecided,
  workspaceOf,
} from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { lockMerges } from '../campaign-places/store-merged.ts'
import { campaignsMax, countCampaignsLocked, idsOfCampaigns } from '../campaign-places/store-places.ts'
import type { CampaignEvent, CampaignState } from '../campaigns/domain/campaign.ts'
import { campaigns, newFields } from '../campaigns/resource.ts'
import { importInBatches, type Outcome } from '../files/in-batches.ts'
import { contextOf, type OpenFile } from '../files/open-file.ts'
import { integrations } from '../integrations/resource.ts'
import { rejected } from '../sources/domain/check-row.ts'
import {
  type CampaignCells,
  campaignColumns,
  checkCampaignLine,
  isAsSaid,
  judgePeriod,
} from './domain/campaign-line.ts'

export const importCampaigns = (tx: Transaction, file: OpenFile): Promise<void> =>
  importInBatches(tx, file, { columns: campaignColumns, check: checkCampaignLine, record: recordCampaigns })

type DecidedCampaign = Decided<CampaignState, CampaignEvent>

interface Batch {
  file: OpenFile
  place: { integration_id: string; brand_slug: string }
  /** By external id, as they are behind the lines before. */
  found: Map<string, DecidedCampaign>
  /** Campaigns that may still be made. */
  free: number
}

/** Locks the integration first, as every other who makes campaigns of it, then merges, then campaigns in the order of their ids. */
async function recordCampaigns(tx: Transaction, file: OpenFile, lines: readonly CampaignCells[]): Promise<Outcome[]> {
  const integrationId = file.order.integration_id ?? ''
  const integration = await load(tx, integrations, integrationId, { lock: true })
  const brand_slug = integration?.state.fields?.brand_slug
  if (brand_slug === undefined) throw new Error('a file of campaigns without an integration')
  await lockMerges(tx)
  const externalIds = [...new Set(lines.map(({ externalId }) => externalId))]
  const found = await loadAll(tx, integrationId, externalIds)
  const isNew = externalIds.some((externalId) => !found.has(externalId))
  const free = isNew ? campaignsMax - (await countCampaignsLocked(tx, workspaceOf(tx))) : 0
  const batch: Batch = { file, place: { integration_id: integrationId, brand_slug }, found, free }
  const outcomes: Outcome[] = []
  for (const cells of lines) outcomes.push(await recordOne(tx, batch, cells))
  for (const decided of found.values()) await storeDecided(tx, campaigns, { context: contextOf(file.work), decided })
  return outcomes
}

async function loadAll(
  tx: Transaction,
  integrationId: string,
  externalIds: readonly string[],
): Promise<Map<string, DecidedCampaign>> {
  const places = externalIds.map((externalId) => ({ integrationId, externalId }))
  const idOf = await idsOfCampaigns(tx, { workspaceId: workspaceOf(tx), places })
  const known = places.flatMap((place) => {
    const id = idOf(place)
    return id === null ? [] : [{ id, externalId: place.externalId }]
  })
  const found = new Map<string, DecidedCampaign>()
  for (const { id, externalId } of known.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const loaded = await load(tx, campaigns, id, { lock: true })
    if (loaded !== null) found.set(externalId, undecided(loaded))
  }
  return found
}

async function recordOne(tx: Transaction, batch: Batch, cells: CampaignCells): Promise<Outcome> {
  const { externalId, patch, status } = cells
  const before = batch.found.get(externalId)
  if (before === undefined) {
    const fields = { ...newFields({ name: patch.name, external_id: externalId }), ...batch.place, ...patch }
    const wrong = judgePeriod(fields)
    if (wrong !== null) return wrong
    if (batch.free <= 0) return rejected('limit_reached')
    batch.free -= 1
    const { work, nowMs } = batch.file
    const command = { type: 'create', fields, status } as const
    const loaded = blank(campaigns, { nowMs })
    const made = await executeOrFail(tx, campaigns, { context: contextOf(work), loaded, command })
    batch.found.set(externalId, undecided(made))
    return 'recorded'
  }
  if (isAsSaid(before.state, patch)) return 'unchanged'
  if (before.state.fields === null) throw new Error('a campaign without fields')
  const wrong = judgePeriod({ ...before.state.fields, ...patch })
  if (wrong !== null) return wrong
  const outcome = decideNext(campaigns, before, { type: 'update', patch })
  if (!outcome.ok) return rejected('campaign_archived', 'external_id', externalId)
  batch.found.set(externalId, outcome.value)
  return 'recorded'
}
