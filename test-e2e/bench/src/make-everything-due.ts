/** As after an outage of ours: everything that waits is due at once, and every lane is as good as new. */
import type { Rig } from './rig.ts'

export async function makeEverythingDue({ admin }: Pick<Rig, 'admin'>): Promise<void> {
  const now = new Date()
  await admin.query('update delivery.due set due_at = $1', [now])
  // Never later than the earliest row: what lies before it is not looked at.
  const lanes = 'update delivery.lanes set cap = max_in_flight, failures = 0, timed_out = false, next_due = $1'
  await admin.query(lanes, [now])
}
