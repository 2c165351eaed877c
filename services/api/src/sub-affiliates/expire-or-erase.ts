// What time does to a sub-affiliate (domain.md 3.8): its invitation expires, or, long after it was removed, its profile is erased.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { DueRow } from '../work-queue/store-due-rows.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { dueMs, subAffiliates } from './resource.ts'
import { deleteInvitations } from './store-invitations.ts'
import { eraseProfile } from './store-profiles.ts'
import { setWork } from './store-work.ts'

export async function expireOrErase(tx: Transaction, { workspaceId, id }: DueRow): Promise<void> {
  const loaded = await load(tx, subAffiliates, id, { lock: true })
  const atMs = loaded === null ? null : dueMs(loaded.state)
  if (loaded === null || atMs === null || atMs > loaded.nowMs) return setWork(tx, { id, atMs })
  if (loaded.state.status === 'removed') {
    await eraseProfile(tx, id)
    await deleteInvitations(tx, id)
    return setWork(tx, { id, atMs: null })
  }
  // Its work goes with its state.
  const { nowMs } = loaded
  const context = systemContext({ workspaceId, nowMs, actor: 'sub-affiliates', span: 'sub-affiliates' })
  await executeOrFail(tx, subAffiliates, { context, loaded, command: { type: 'expire' } })
}
