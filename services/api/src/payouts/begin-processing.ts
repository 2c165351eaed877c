// Begins to process a payout once its day has come (domain.md 3.9), unless it is held or its sub-affiliate is suspended. Its end of being
// held, and its sub-affiliate's return, have it looked at again.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { subAffiliates } from '../sub-affiliates/resource.ts'
import { setWork } from '../sub-affiliates/store-work.ts'
import type { DueRow } from '../work-queue/store-due-rows.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { dueMs } from './domain/payout.ts'
import { payouts } from './resource.ts'

export async function beginProcessing(tx: Transaction, { workspaceId, id }: DueRow): Promise<void> {
  const seen = await load(tx, payouts, id, { lock: false })
  const ofSub = await load(tx, subAffiliates, seen?.state.fields?.sub_affiliate_id ?? '', { lock: true })
  const loaded = await load(tx, payouts, id, { lock: true })
  const atMs = loaded === null || ofSub?.state.status !== 'active' ? null : dueMs(loaded.state)
  if (loaded === null || atMs === null || atMs > loaded.nowMs) return setWork(tx, { id, atMs })
  const { nowMs } = loaded
  const context = systemContext({ workspaceId, nowMs, actor: 'payouts', span: 'begin payout' })
  // Its work goes with its state.
  await executeOrFail(tx, payouts, { context, loaded, command: { type: 'process' } })
}
