// Makes the exports that are due, in slots of their own: no upload and no pull waits for them.
import { randomUUID } from 'node:crypto'
import { withTransaction } from '@wds/postgres/transaction'
import { runAs } from '@wds/telemetry/event-loop-delay'
import { runSlots, type SlotOptions } from '../work-queue/run-slots.ts'
import { claimExport, type LeasedWork } from '../work-queue/store.ts'
import { type MakerOptions, makeExport } from './make-export.ts'

/** Exports of one workspace that are made at a time, over all processes. */
const perWorkspace = 1

/** Makes exports until the signal is aborted; those under way are released then, after the piece they are at. */
export function runExports(o: MakerOptions & SlotOptions): Promise<void> {
  return runSlots({ ...o, name: 'exports', take: () => takeExport(o), carryOut: (work) => carryOut(o, work) })
}

/** Takes and makes one export; false when none is due. */
export async function exportOnce(o: MakerOptions): Promise<boolean> {
  const work = await takeExport(o)
  if (work === null) return false
  await carryOut(o, work)
  return true
}

function takeExport({ pool, leaseMs }: MakerOptions): Promise<LeasedWork | null> {
  const claim = { leaseMs, leaseToken: randomUUID(), perWorkspace }
  return withTransaction(pool, { workspaceId: null }, (tx) => claimExport(tx, claim))
}

function carryOut(o: MakerOptions, work: LeasedWork): Promise<void> {
  const names = () => ({ job: 'export', workspace_id: work.workspaceId, work_id: work.workId })
  return runAs(names, () => makeExport(o, work))
}
